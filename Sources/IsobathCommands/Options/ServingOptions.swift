internal import ArgumentParser
internal import EmbeddedFormats
internal import Isobath

/// Flags of a page server.
struct ServingOptions: ParsableArguments {
    @Flag(help: "Serve the pages of a folder to browsers on this computer, until Ctrl-C; nothing is written.")
    var serve = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Listen on this port of 127.0.0.1 (default: a free port).", valueName: "n"))
    var port: UInt16?

    /// Throws unless the input is one folder and no output is given.
    func check(_ inputs: [String], _ files: OutputOptions) throws {
        guard inputs.count == 1, files.batch.nameFile == nil else {
            throw ValidationError(
                "--serve takes one folder, and \(files.batch.nameFile == nil ? "\(inputs.count) inputs are" : "--files0-from is") given"
            )
        }
        guard let folder = inputs.first, FolderEntry.isFolder(folder) else {
            throw ValidationError("'\(inputs[0].forTerminal)' is not a folder; --serve takes one")
        }
        let others = [
            ("-o", files.name.output != nil), ("--output-directory", files.outputDirectory != nil),
            ("--format", files.format != nil),
            ("--force", files.name.force), ("--skip-existing", files.name.skipExisting),
        ]
        if let other = others.first(where: \.1) {
            throw ValidationError("\(other.0) has no effect with --serve, which writes nothing")
        }
    }

    /// Serves a folder until the process is asked to end. Prints the address as soon as it works.
    func serve(_ path: String, _ job: ServedJob, _ common: CommonOptions, jobs: Int, json: Bool) throws {
        prepareStandardStreams()
        closeOnInterrupt()
        do {
            let folder = try ServedFolder(path, hasRecordings: !common.isolate)
            let pages = try PageServer(folder, job, common, jobs: jobs)
            defer { pages.dismiss() }
            let server = try LoopbackServer(port: port ?? 0)
            let address = "http://127.0.0.1:\(server.port)/\(pages.token)/"
            let record = JSONValue.object([
                ("schema", .text("isobath.server/1")), ("input", .text(path)), ("address", .text(address)),
            ])
            try StandardOutput.write(Array((json ? record.serialized : address).utf8) + [0x0A])
            if !common.quiet {
                Console.printLine(
                    "serving until Ctrl-C; anyone with this address can see the photos", of: path)
            }
            server.run { pages.answer($0) }
        } catch {
            Console.printError("\(advised(error))", of: path)
            throw ExitCode(Outcome.failed.rawValue)
        }
    }
}
