internal import ArgumentParser
internal import Isobath
internal import Pages
internal import Recordings

/// `isobath view`
struct View: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        _superCommandName: "isobath",
        abstract: "Make a web page of a photo and its depth: one file that needs no network.",
        discussion: """
            The page shows the photo, refocuses it by click, shows depth in colors with its value under the pointer, mattes, \
            other backgrounds, and the surface from other sides, with the record of the file. It has no metadata of \
            the photo but what the record shows: not where it was taken.

            A folder becomes an album: an index.html with thumbnails, to be filtered and sorted, and a page of each photo in \
            it and below. --skip-existing goes on with one that was not completed. A recording becomes one page: some of its \
            frames with their depth, and the path of the camera in the cloud of all.

            With --no-pages an album has thumbnails only, which are made in a small part of the time; a later run without it \
            adds the pages.

            --serve shows a folder without writing anything: it prints an address for a browser on this computer, and makes pages \
            when they are looked at, until Ctrl-C.
            """)

    @Argument(help: "Photos, depth rasters and recordings, or one folder of photos; - is standard input.")
    var inputs: [String] = []

    @OptionGroup(title: "Page") var page: PageFlags

    @Flag(help: "Make an album of thumbnails, without a page of each photo.")
    var noPages = false

    @OptionGroup(title: "Serving") var serving: ServingOptions

    @OptionGroup(title: "Output") var files: OutputOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if serving.serve {
            guard !noPages else { throw ValidationError("--no-pages does not go with --serve.") }
            return try serving.check(inputs, files)
        }
        if serving.port != nil { throw ValidationError("--port goes with --serve.") }
        try files.check(inputs)
        if let output = files.output, output != "-", !["html", "htm"].contains(output.pathExtension) {
            throw ValidationError("'\(output.forTerminal)' does not end in .html: a page is an HTML file.")
        }
        if let folder = inputs.first(where: isFolderOfPhotos) {
            guard inputs.count == 1 else { throw ValidationError("Give one folder, or photos.") }
            guard files.outputDirectory != nil else {
                throw ValidationError(
                    "'\(folder.forTerminal)' is a folder; --output-directory takes its album.")
            }
        } else if noPages {
            throw ValidationError("--no-pages is for the album of a folder.")
        }
    }

    func run() throws {
        if serving.serve, let folder = inputs.first {
            let job = ServedJob(limits: common.limits, reading: rasters.reading, options: page.options)
            return try serving.serve(folder, job, common, jobs: files.batch.concurrency, json: files.json)
        }
        var job = ViewJob(
            limits: common.limits, reading: rasters.reading, options: page.options,
            destination: files.destination(suffix: "", fileExtension: "html"), album: nil, json: files.json,
            nameFile: files.batch.nameFile, existing: files.existing.existing)
        if let folder = inputs.first, let output = files.outputDirectory, isFolderOfPhotos(folder) {
            let album = Album(source: folder, output: output, hasPages: !noPages)
            job.album = album
            return try makeAlbum(album, job)
        }
        try InputRun.perform(
            job, on: files.batch.names(inputs, common), files.batch, common, folder: files.outputDirectory,
            hasResults: files.json)
    }

    /// Whether a path is a folder of photos, and not of a recording. With `-o`, which takes no album, a folder with one recording in it counts
    /// as that recording.
    private func isFolderOfPhotos(_ path: String) -> Bool {
        guard FolderEntry.isFolder(path), !ListedRecording.isRecording(folder: path) else { return false }
        return files.output == nil
            || (try? ListedRecording(contentsOf: path, limits: common.limits)) == nil
                && MovieRecording.onlyOne(inFolder: path, limits: common.limits) == nil
    }

    /// Makes the pages of a folder, then the first page of those that are there.
    private func makeAlbum(_ album: Album, _ job: ViewJob) throws {
        // The folder of photos is not protected as that of a recording is: the album may be in it.
        var run = try InputRun(
            job, common, inputs: [], jobs: files.batch.concurrency, total: nil, hasResults: files.json)
        try run.prepare {
            try OutputFile.makeFolder(album.output)
            if job.existing == .refused {
                try OutputFile(path: album.indexPath, replacesExisting: false).checkIsFree()
            }
        }
        var failures: [(String, any Error)] = []
        let photos = try album.photos { failures.append(($0, $1)) }
        for (folder, error) in failures { try run.fail(Input(path: folder), error) }
        // Isolated processes may write files and make no folders.
        if common.isolation.isolate {
            try run.prepare { for photo in photos { try album.makeFolders(of: photo) } }
        }
        for start in stride(from: 0, to: photos.count, by: 256) {
            var inputs = photos[start..<min(start + 256, photos.count)].map {
                Input(path: $0, isNamed: false)
            }
            try run.perform(&inputs)
        }
        var count = 0
        try run.prepare { count = try album.writeIndex(of: photos, page.options) }
        if !common.quiet {
            Console.printError("album of \(count) photos → \(album.indexPath)", of: nil)
        }
        try run.finish()
    }
}

/// How a page is made.
struct PageFlags: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Pixels on the longer side of the photo in the page (default: \(PageOptions().longestSide); "
                + "\(PageOptions().frameSide) of a recording's frames).", valueName: "pixels"))
    var size: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames in the page of a recording, spread evenly (default: \(PageOptions().frameCount)).",
            valueName: "n"))
    var frames: Int?

    @Option(
        help: ArgumentHelp(
            "The quality of the photo's JPEG, 1 to 100 (default: the best with which the page keeps to 1.5 MB).",
            valueName: "q"))
    var quality: Int?

    func validate() throws {
        if let quality, !(1...100).contains(quality) { throw ValidationError("'--quality' is 1 to 100.") }
        if let size, !(64...16384).contains(size) { throw ValidationError("'--size' is 64 to 16384.") }
        if let frames, !(1...1000).contains(frames) { throw ValidationError("'--frames' is 1 to 1000.") }
    }

    /// The flags as the library takes them.
    var options: PageOptions {
        var options = PageOptions()
        options.quality = quality
        if let size { (options.longestSide, options.frameSide, options.hasOwnFrameSide) = (size, size, true) }
        if let frames { options.frameCount = frames }
        return options
    }
}
