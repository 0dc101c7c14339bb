internal import ArgumentParser
internal import Isobath

/// `isobath info`
struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show which planes photos and rasters hold, and what their samples mean.",
        discussion: """
            Reads structure only, never a pixel. Files of other kinds in a folder are passed over. What a file may \
            ask for is limited; --help-hidden lists the limits.
            """)

    @Argument(help: "Photos, depth rasters, and folders with --recursive; - is standard input.")
    var paths: [String] = []

    @Flag(help: "Print one JSON object a line (schema isobath.info/1).")
    var json = false

    @Flag(name: .shortAndLong, help: "Search folders and all below them for photos.")
    var recursive = false

    @OptionGroup var batch: BatchOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws { try batch.check(paths, noun: "paths") }

    func run() throws {
        let paths = try batch.names(paths, common)
        var run = InputRun(
            common, jobs: batch.concurrency, total: recursive ? nil : paths.count, hasResults: true)
        var inputs: [Input] = []
        // Folders are walked as they are met and photos read in batches: memory does not grow with their number.
        var pending = paths.reversed().map { Pending(path: $0, isNamed: true) }
        while let next = pending.popLast() {
            guard recursive, next.isFolder ?? FolderEntry.isFolder(next.path) else {
                inputs.append(Input(path: next.path, isNamed: next.isNamed))
                if inputs.count >= 256 { try show(&inputs, &run) }
                continue
            }
            do throws(ContainerError) {
                for entry in try FolderEntry.list(next.path).reversed() {
                    switch entry {
                    case .file(let path): pending.append(Pending(path: path, isFolder: false))
                    case .folder(let path): pending.append(Pending(path: path, isFolder: true))
                    }
                }
            } catch {
                try show(&inputs, &run)
                try run.fail(Input(path: next.path), error, explain: explain)
            }
        }
        try show(&inputs, &run)
        try run.finish()
    }

    private struct Pending {
        var path: String
        var isNamed = false
        var isFolder: Bool?
    }

    /// Reads a batch on all cores, and prints it in order.
    private func show(_ inputs: inout [Input], _ run: inout InputRun) throws {
        let (limits, reading) = (common.limits, rasters.reading)
        try run.perform(inputs, explain: explain) { input, reporter in
            reporter.print(
                render(try openInput(input.path, reading: reading, limits: limits), input.path))
        }
        inputs.removeAll(keepingCapacity: true)
    }

    @Sendable
    private func explain(_ error: any Error, _ input: Input, _ reporter: Reporter) {
        guard input.isNamed || (error as? ContainerError)?.isForeignFile != true else {
            return reporter.countPassedOver()
        }
        if json {
            let record = JSONValue.object([
                ("schema", .text("isobath.info/1")), ("path", .text(input.path)),
                ("error", errorRecord(error)),
            ])
            reporter.print(Array("\(record.serialized)\n".utf8))
        }
        reporter.fail(error, ofInput: input.path)
    }

    private func render(_ photo: DepthInput, _ path: String) -> [UInt8] {
        guard json else { return Array(photo.summary(path: path).utf8) }
        var line: [UInt8] = []
        photo.record(path: path).append(to: &line)
        line.append(0x0A)
        return line
    }
}

extension ContainerError {
    /// Whether the file is simply of another kind: text, a video, an empty one.
    fileprivate var isForeignFile: Bool {
        if case .unrecognized = reason { true } else { false }
    }
}
