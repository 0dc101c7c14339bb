internal import Isobath
internal import Pages
internal import Recordings

/// Generates one part of the page of a photo for the page server: ``Job/directed(to:)`` selects the part.
struct ServedJob: Job {
    static let subcommand = "view --serve"

    /// A part that is served of a photo.
    enum Part: String, Codable {
        /// The page.
        case page
        /// A small JPEG file.
        case thumbnail
        /// A small JPEG file of the depth in colors.
        case depth
        /// The first page's record of the photo, as it is stored at the beginning of a page.
        case entry
    }

    var limits: DecodingLimits
    var reading: InputReading
    var options: PageOptions
    /// The part to make.
    var part = Part.page

    var outputFolders: [String] { [] }
    var otherFiles: [String] { reading.files }
    var writesStandardOutput: Bool { false }
    var recordSchema: String? { nil }

    func directed(to output: String) -> any Job {
        var job = self
        job.part = Part(rawValue: output) ?? .page
        return job
    }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let name = file.path.lastPathComponent
        var options = options
        options.album = String(repeating: "../", count: file.path.count { $0 == "/" }) + Album.index
        if let root = file.root {
            let recording = try ListedRecording(
                file.path, below: root, reading: reading.recording, limits: limits)
            return try show(recording, named: name, of: file, options, reporter)
        }
        if let source = file.source,
            let recording = try ListedRecording(
                bag: source, path: file.path, reading: reading.recording, limits: limits)
        {
            return try show(recording, named: name, of: file, options, reporter)
        }
        var file = file
        guard case .source(let source, let remark, _) = try open(&file, reporter) else {
            throw ContainerError(.unrecognized(detail: "it is a recording"))
        }
        if part == .page, let remark { reporter.remark(remark, of: file.path) }
        let scene = DepthScene(source.sceneSource)
        let record = { source.record(path: name, describing: \.advised) }
        switch part {
        case .entry: reporter.hand(on: AlbumEntry(scene, record: record()).element, named: "")
        case .thumbnail:
            let thumbnail = try SceneThumbnail(scene, longestSide: Album.previewSide)
            reporter.hand(on: thumbnail.jpeg, named: "")
        case .depth:
            let thumbnail = try SceneThumbnail(depthOf: scene, longestSide: Album.previewSide)
            reporter.hand(on: thumbnail.jpeg, named: "")
        case .page:
            let page = try ScenePage(
                scene, title: name, record: record(), remarks: source.remarks, options: options)
            reporter.report(source.diagnostics + page.diagnostics, of: file.path)
            reporter.hand(on: page.bytes, named: "")
        }
    }

    private func show(
        _ recording: ListedRecording, named name: String, of file: Input, _ options: PageOptions,
        _ reporter: Reporter
    ) throws {
        switch part {
        case .entry: reporter.hand(on: AlbumEntry(recording, named: name).element, named: "")
        case .thumbnail, .depth:
            let thumbnail = try SceneThumbnail(of: recording, longestSide: Album.previewSide)
            reporter.hand(on: thumbnail.jpeg, named: "")
        case .page:
            let page = try RecordingPage(
                .listed(recording), title: name,
                record: recording.record(path: name, describing: \.advised),
                remarks: recording.diagnostics.remarks, options: options)
            reporter.report(recording.diagnostics + page.diagnostics, of: file.path)
            reporter.hand(on: page.bytes, named: "")
        }
    }
}
