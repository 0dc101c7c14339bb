internal import Embedded
internal import Isobath
internal import Pages
internal import Recordings
internal import Scenes

/// Makes a page of a photo, a raster or a recording.
struct ViewJob: Job {
    static let subcommand = "view"

    var limits: DecodingLimits
    var reading: InputReading
    var options: PageOptions
    /// Where pages go.
    var destination: OutputDestination
    /// The album that pages belong to; `nil` for pages without an album.
    var album: Album?
    var json: Bool
    /// The file that names the inputs.
    var nameFile: String?
    var existing: ExistingFiles

    var outputFolders: [String] { album.map { [$0.output] } ?? destination.folders }
    var otherFiles: [String] { reading.files + [nameFile].compactMap(\.self) }
    var writesStandardOutput: Bool { destination.isStandardOutput }
    var recordSchema: String? { json ? "isobath.page/1" : nil }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        let output = album.map { $0.path($0.page(of: input)) } ?? destination.path(for: file)
        guard try existing.wants(output, keeping: originals) else {
            reporter.countSkipped(output)
            return reporter.remark("already exists and was kept: \(output)", of: input)
        }
        let name = OutputDestination.name(of: input)
        var file = file
        let (opened, remark): (DepthScene, String?)
        switch try open(&file, reporter) {
        case .scene(let found, let note, _): (opened, remark) = (found, note)
        case .recording(let recording): return try makePage(of: recording, file, output, reporter)
        case .frames(let source, let kind):
            throw NeedsFrame(kind: "\(kind.title), \(source.extent.title)")
        }
        if let remark { reporter.remark(remark, of: input) }
        let scene = opened.matched
        var options = options
        if let album {
            (options.album, options.thumbnailSide) = (album.wayBack(from: input), Album.thumbnailSide)
            try album.makeFolders(of: input)
        }
        let page = try ScenePage(
            scene, title: name, record: opened.record(path: name, describing: \.advised),
            remarks: opened.remarks, options: options)
        reporter.report(opened.diagnostics + page.diagnostics, of: input)
        let isWritten = try existing.write(output, reporter) { file in
            let companions = album.map { album in
                let thumbnail = OutputFile(
                    path: album.path(album.thumbnail(of: input)), replacesExisting: true)
                let depth = page.depthThumbnail.map { bytes in
                    Companion(
                        file: OutputFile(path: album.path(album.depth(of: input)), replacesExisting: true),
                        bytes: bytes)
                }
                return [Companion(file: thumbnail, bytes: page.thumbnail)] + [depth].compactMap(\.self)
            }
            try file.write(with: companions ?? []) { (descriptor) throws(WriteError) in
                try writeAll(page.bytes, to: descriptor)
            }
        }
        guard isWritten else { return reporter.countSkipped(output) }
        report(page.bytes.count, page.fields, in: output, input, reporter)
    }

    /// The error for a movie among the files of a folder, which has no page in an album.
    private static var movie: ContainerError { ContainerError(.unrecognized(detail: "it is a movie")) }

    /// Writes the page of a recording, and its thumbnail in an album.
    private func makePage(
        of recording: Recording, _ file: Input, _ output: String, _ reporter: Reporter
    ) throws {
        let (input, name) = (file.path, OutputDestination.name(of: file.path))
        if recording.layout.isMovie, !file.isNamed { throw Self.movie }
        let diagnostics = recording.diagnostics
        reporter.report(diagnostics, of: input)
        var options = options
        var companions: [Companion] = []
        if let album, !recording.layout.isMovie {
            options.album = album.wayBack(from: input)
            try album.makeFolders(of: input)
            let thumbnail = try SceneThumbnail(of: recording, longestSide: Album.thumbnailSide)
            let path = album.path(album.thumbnail(of: input))
            companions = [
                Companion(file: OutputFile(path: path, replacesExisting: true), bytes: thumbnail.jpeg)
            ]
        }
        let page = try RecordingPage(
            recording, title: name, record: recording.record(path: name, describing: \.advised),
            remarks: diagnostics.remarks, options: options)
        reporter.report(page.diagnostics, of: input)
        let isWritten = try existing.write(output, reporter) { file in
            try file.write(with: companions) { (descriptor) throws(WriteError) in
                try writeAll(page.bytes, to: descriptor)
            }
        }
        guard isWritten else { return reporter.countSkipped(output) }
        report(page.bytes.count, page.fields, in: output, input, reporter)
    }

    private func report(
        _ byteCount: Int, _ fields: [(String, JSONValue)], in output: String, _ input: String,
        _ reporter: Reporter
    ) {
        reporter.countWritten(output)
        let size = "\((byteCount + 500) / 1000) KB"
        reporter.conclude("page of \(size) → \(PictureOutput.shown(output))", of: input)
        reporter.add([("output", .text(output))] + fields)
    }
}
