internal import EmbeddedFormats
internal import Isobath
internal import Pages
internal import Recordings
internal import Sequences

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
        if let album, !album.hasPages {
            return try makeThumbnail(of: file, for: album, keeping: originals, reporter)
        }
        let output = album.map { $0.path($0.page(of: input)) } ?? destination.path(for: file)
        guard try existing.wants(output, keeping: originals) else {
            reporter.countSkipped(output)
            return reporter.remark("already exists and was kept: \(output)", of: input)
        }
        let name = OutputDestination.name(of: input)
        var file = file
        let (source, remark): (any PlaneSource, String?)
        switch try open(&file, reporter) {
        case .source(let opened, let note, _): (source, remark) = (opened, note)
        case .recording(let content):
            let recording = Recording(content)
            guard file.isNamed else { throw ContainerError(.unrecognized(detail: "it is a recording")) }
            reporter.report(recording.diagnostics, of: input)
            let page = try RecordingPage(
                content, title: name, record: content.record(path: name, describing: \.advised),
                remarks: recording.diagnostics.remarks, options: options)
            return try write(page, to: output, input, reporter)
        case .frames(let source, let kind):
            throw NeedsFrame(kind: "\(kind.title), \(source.description.layout)")
        }
        if let remark { reporter.remark(remark, of: input) }
        let scene = DepthScene(source.sceneSource)
        var options = options
        if let album {
            (options.album, options.thumbnailSide) = (album.wayBack(from: input), Album.thumbnailSide)
            try album.makeFolders(of: input)
        }
        let page = try ScenePage(
            scene, title: name, record: source.record(path: name, describing: \.advised),
            remarks: source.remarks, options: options)
        reporter.report(source.diagnostics + page.diagnostics, of: input)
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

    /// Writes a thumbnail that contains the album entry of its photo.
    private func makeThumbnail(
        of file: Input, for album: Album, keeping originals: Set<FileIdentity>, _ reporter: Reporter
    ) throws {
        let output = album.path(album.thumbnail(of: file.path))
        guard try existing.wants(output, keeping: originals) else {
            reporter.countSkipped(output)
            return reporter.remark("already exists and was kept: \(output)", of: file.path)
        }
        var file = file
        guard case .source(let source, _, _) = try open(&file, reporter) else {
            throw ContainerError(.unrecognized(detail: "it is a recording"))
        }
        let scene = DepthScene(source.sceneSource)
        let name = OutputDestination.name(of: file.path)
        let entry = AlbumEntry(scene, record: source.record(path: name, describing: \.advised))
        let bytes = try SceneThumbnail(scene, longestSide: Album.previewSide).jpeg(saying: entry)
        try album.makeFolders(of: file.path)
        guard try existing.write(output, reporter, { try $0.write(bytes: bytes) }) else {
            return reporter.countSkipped(output)
        }
        reporter.countWritten(output)
        reporter.add([("output", .text(output)), ("bytes", .integer(bytes.count))])
    }

    private func write(
        _ page: RecordingPage, to output: String, _ input: String, _ reporter: Reporter
    ) throws {
        reporter.report(page.diagnostics, of: input)
        guard try existing.write(output, reporter, { try $0.write(bytes: page.bytes) }) else {
            return reporter.countSkipped(output)
        }
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
