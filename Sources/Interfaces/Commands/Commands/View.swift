internal import ArgumentParser
internal import Isobath
internal import Pages
internal import Recordings

/// `isobath view`
struct View: Verb {
    static let configuration = CommandConfiguration(
        commandName: "view",
        _superCommandName: "isobath",
        abstract: "Make a web page of a photo and its depth: one file that needs no network.",
        discussion: """
            The page shows the photo in motion, refocused by a click, before other backgrounds and from other sides. It shows depth in \
            colors with its value under the pointer, and mattes, and measures lengths. Each tab saves what it shows, as a picture or a \
            movie. The page has only the metadata that its record shows, and never the photo's location.

            A folder becomes an album: an index.html with thumbnails, which can be filtered and sorted, and a page of each photo and \
            recording in it and below. --skip-existing continues an incomplete album. A recording becomes one page: some of its frames with their \
            depth, and the path of the camera in the fused surface of all frames.

            Examples:
              isobath view IMG_0001.HEIC -o portrait.html
              isobath view Photos -o album/
              isobath view recording/ -o recording.html
            """)

    static let ownKinds: FlagKinds = ["quality": .stills]

    @Argument(
        help: "Photos, rasters and recordings, or one folder of photos; - is standard input.",
        completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "Page") var page: PageFlags

    @OptionGroup(title: "Page") var size: SizeOptions

    @OptionGroup(title: "Page") var quality: QualityOptions

    @OptionGroup(title: "Page") var picture: PictureOriginOptions

    @OptionGroup(title: "Page") var poses: PoseOptions

    @OptionGroup(title: "Output") var files: OutputOptions

    @OptionGroup(title: "Input") var input: InputOptions

    @OptionGroup(title: "Common") var common: CommonOptions

    func validate() throws {
        try size.check(64...16384)
        try files.check(inputs)
        try poses.check(isBatch: files.batch.isBatch(inputs) || inputs.contains(where: isFolderOfPhotos))
        if let format = files.format {
            throw ValidationError("--format is '\(format.forTerminal)', but a page is an HTML file")
        }
        if let output = files.file, output != "-", !["html", "htm"].contains(output.pathExtension) {
            throw ValidationError(
                "'\(output.forTerminal)' must end in .html: a page is an HTML file\(output.folderHint)")
        }
        if let folder = inputs.first(where: isFolderOfPhotos) {
            guard inputs.count == 1 else {
                throw ValidationError("'\(folder.forTerminal)' is a folder; give one folder, or photos")
            }
            guard files.folder != nil else {
                throw ValidationError(
                    "'\(folder.forTerminal)' is a folder; -o DIR/ names the folder of its album")
            }
        }
    }

    func run() throws {
        if let album { return try makeAlbum(album) }
        try InputRun.perform(job(), on: inputs, files, common)
    }

    var batch: BatchOptions? { files.batch }

    func job(_ arguments: VerbArguments) throws -> any Job {
        ViewJob(
            arguments: arguments, limits: common.limits, reading: poses.added(to: input.reading()),
            options: options,
            destination: files.destination(suffix: "", fileExtension: "html"), album: album, json: files.json,
            existing: files.existing)
    }

    /// The album of a folder of photos; `nil` for other inputs.
    private var album: Album? {
        guard let folder = inputs.first, let output = files.folder, isFolderOfPhotos(folder) else {
            return nil
        }
        return Album(source: folder, output: output)
    }

    /// Whether a path is a folder of photos. With `-o`, which makes no album, a folder that contains one recording is
    /// treated as that recording.
    private func isFolderOfPhotos(_ path: String) -> Bool {
        guard files.file == nil else { return Commands.isFolderOfPhotos(path, common.limits) }
        return FolderEntry.isFolder(path) && !Recording.isRecording(folder: path)
    }

    /// Makes the pages of a folder, then the first page, which lists all existing pages.
    private func makeAlbum(_ album: Album) throws {
        // Do not protect the folder of photos as a recording's folder: the album may be inside it.
        var run = try InputRun(
            job(), common, inputs: [], jobs: files.batch.concurrency, total: nil, hasResults: files.json)
        try run.prepare {
            try OutputFile.makeFolder(album.output)
            if files.existing == .refused {
                try OutputFile(path: album.indexPath, replacesExisting: false).checkIsFree()
            }
        }
        var failures: [(String, any Error)] = []
        let sources = try album.inputs { failures.append(($0, $1)) }
        for (folder, error) in failures { try run.fail(Input(path: folder), error) }
        // Isolated processes may write files but not make folders.
        if common.isolate {
            try run.prepare { for source in sources { try album.makeFolders(of: source) } }
        }
        for start in stride(from: 0, to: sources.count, by: 256) {
            var inputs = sources[start..<min(start + 256, sources.count)].map {
                Input(path: $0, isNamed: false)
            }
            try run.perform(&inputs)
        }
        var contents = ""
        try run.prepare { contents = try album.writeIndex(of: sources, options) }
        if !common.quiet { Console.printLine("album of \(contents) → \(album.indexPath)", of: nil) }
        try run.finish()
    }
}

/// How to make a page.
struct PageFlags: FlagGroup {
    static let kinds: FlagKinds = ["frames": .sequences]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames in the page of a recording, spread evenly (default: \(PageOptions().frameCount)).",
            valueName: "n"))
    var frames: Int?

    func validate() throws {
        if let frames, !(1...1000).contains(frames) {
            throw ValidationError("--frames is \(frames); it must be 1 to 1000")
        }
    }
}

/// The size of a picture.
struct SizeOptions: FlagGroup {
    static let kinds: FlagKinds = ["size": .all]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Pixels on the longer side.", valueName: "pixels"))
    var size: Int?

    /// Throws for a size out of range.
    func check(_ range: ClosedRange<Int>) throws {
        guard let size, !range.contains(size) else { return }
        throw ValidationError("--size is \(size); it must be \(range.lowerBound) to \(range.upperBound)")
    }
}

extension View {
    /// The flags as the library takes them.
    private var options: PageOptions {
        var options = PageOptions()
        (options.quality, options.pictureOrigin) = (quality.quality, picture.picture)
        if let size = size.size {
            (options.longestSide, options.frameSide, options.hasOwnFrameSide) = (size, size, true)
        }
        if let frames = page.frames { options.frameCount = frames }
        return options
    }
}
