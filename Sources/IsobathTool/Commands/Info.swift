internal import ArgumentParser
internal import Isobath

/// `isobath info`
struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show which planes photos and rasters hold, and what their samples mean.",
        discussion: """
            Reads structure only, never a pixel. Files of other kinds in a folder are passed over. What a file may \
            ask for is limited; --help-hidden lists the limits.
            """)

    @Argument(help: "Photos, depth rasters, and folders with --recursive; - is standard input.")
    var paths: [String]

    @Flag(help: "Print one JSON object a line (schema isobath.info/1).")
    var json = false

    @Flag(name: .shortAndLong, help: "Search folders and all below them for photos.")
    var recursive = false

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func run() throws {
        prepareStandardStreams()
        var reporter = Reporter(isQuiet: common.quiet)
        var batch: [Input] = []
        // Folders are walked as they are met and photos read in batches: memory does not grow with their number.
        var pending = paths.reversed().map { Pending(path: $0, isNamed: true) }
        while let next = pending.popLast() {
            guard recursive, next.isFolder ?? FolderEntry.isFolder(next.path) else {
                batch.append(Input(path: next.path, isNamed: next.isNamed))
                if batch.count >= 256 { try show(&batch, &reporter) }
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
                try show(&batch, &reporter)
                try fail(error, of: next.path, &reporter)
            }
        }
        try show(&batch, &reporter)
        try reporter.finish()
    }

    private struct Pending {
        var path: String
        var isNamed = false
        var isFolder: Bool?
    }

    private struct Input: Sendable {
        var path: String
        /// Whether the user named the file, and did not just happen to have it in a folder.
        var isNamed: Bool
    }

    /// Reads a batch on all cores, and prints it in order.
    private func show(_ batch: inout [Input], _ reporter: inout Reporter) throws {
        let inputs = batch
        batch.removeAll(keepingCapacity: true)
        let (limits, reading) = (common.limitOptions.limits, rasters.reading)
        let results = mapInParallel(inputs) { input -> Result<[UInt8], any Error> in
            do {
                return .success(
                    render(try openInput(input.path, reading: reading, limits: limits), input.path))
            } catch {
                return .failure(error)
            }
        }
        var output: [UInt8] = []
        for (input, result) in zip(inputs, results) {
            switch result {
            case .success(let bytes): output += bytes
            case .failure(let error):
                let cause = error as? ContainerError
                guard input.isNamed || cause?.isForeignFile != true else { continue }
                let record = cause?.record(path: input.path) ?? errorRecord("\(error)", path: input.path)
                if json { output += Array((record.serialized + "\n").utf8) }
                reporter.fail(error, of: input.path)
            }
        }
        do throws(OutputError) {
            try StandardOutput.write(output[...])
        } catch {
            try reporter.stop(error)
        }
    }

    private func fail(_ error: ContainerError, of path: String, _ reporter: inout Reporter) throws {
        reporter.fail(error, of: path)
        guard json else { return }
        do throws(OutputError) {
            try StandardOutput.write(Array((error.record(path: path).serialized + "\n").utf8)[...])
        } catch {
            try reporter.stop(error)
        }
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
    /// Whether the file is simply of another kind: text, a video.
    fileprivate var isForeignFile: Bool {
        if case .unrecognized = reason { true } else { false }
    }
}
