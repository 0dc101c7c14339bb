internal import ArgumentParser
internal import Isobath
internal import Recordings

/// `isobath info`
struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        _superCommandName: "isobath",
        abstract: "Show which planes photos, rasters and recordings hold, and what their samples mean.",
        discussion: """
            Reads structure only, never a pixel. A recording of color, depth and poses is a folder or a file, and one \
            entry of the result; a folder that holds exactly one at most two levels below stands for it. Files of other kinds in a folder are passed over. Sizes and \
            counts are limited; 'isobath help limits' lists them.
            """)

    @Argument(help: "Photos, depth rasters, recordings, and folders with --recursive; - is standard input.")
    var paths: [String] = []

    @Flag(help: "Print one JSON object a line (schema isobath.info/1, or isobath.recording/1).")
    var json = false

    @Flag(
        help:
            "With --json: one object a line for each plane, without nested values and always with the same fields (schema isobath.flat/1)."
    )
    var flat = false

    @Flag(name: .shortAndLong, help: "Search folders and all below them for photos.")
    var recursive = false

    @OptionGroup var batch: BatchOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try batch.check(paths, noun: "paths")
        if flat, !json { throw ValidationError("--flat is a form of --json.") }
    }

    func run() throws {
        let paths = try batch.names(paths, common)
        var run = try InputRun(
            job, common, inputs: paths, jobs: batch.concurrency, total: recursive ? nil : paths.count,
            hasResults: true)
        try Self.list(paths, recursive: recursive, in: &run)
    }

    /// Works on all paths, and on the photos below folders among them where they are searched.
    static func list(_ paths: [String], recursive: Bool, in run: inout InputRun) throws {
        let bystanders = Bystanders(among: paths)
        try run.passOver(bystanders)
        let paths = bystanders.others
        var inputs: [Input] = []
        // Folders are walked as they are met and photos read in batches: memory does not grow with their number.
        var pending = paths.reversed().map { Pending(path: $0, isNamed: true) }
        func add(_ next: Pending) throws {
            inputs.append(Input(path: next.path, isNamed: next.isNamed))
            if inputs.count >= 256 { try run.perform(&inputs) }
        }
        while let next = pending.popLast() {
            guard recursive, next.isFolder ?? FolderEntry.isFolder(next.path) else {
                try add(next)
                continue
            }
            let entries: [FolderEntry]
            do throws(ContainerError) {
                entries = try FolderEntry.list(next.path)
            } catch {
                try run.perform(&inputs)
                try run.fail(Input(path: next.path), error)
                continue
            }
            guard !ListedRecording.isRecording(folder: next.path, listing: entries) else {
                try add(next)
                continue
            }
            for entry in entries.reversed() {
                switch entry {
                case .file(let path): pending.append(Pending(path: path, isFolder: false))
                case .folder(let path): pending.append(Pending(path: path, isFolder: true))
                }
            }
        }
        try run.perform(&inputs)
        try run.finish()
    }

    /// What the flags say is done with each input.
    var job: InfoJob { InfoJob(limits: common.limits, reading: rasters.reading, json: json, flat: flat) }

    private struct Pending {
        var path: String
        var isNamed = false
        var isFolder: Bool?
    }
}
