internal import Embedded
internal import Isobath
internal import Pages
internal import Recordings
internal import Scenes

/// Makes a page of a photo, a raster or a recording.
struct ViewJob: Job {
    var arguments: VerbArguments
    var limits: DecodingLimits
    var reading: InputFlags
    var options: PageOptions
    /// Where pages go.
    var destination: OutputDestination
    /// The album that pages belong to; `nil` for pages without an album.
    var album: Album?
    var json: Bool
    var existing: ExistingFiles

    var outputFolders: [String] { album.map { [$0.output] } ?? destination.folders }
    var otherFiles: [String] { reading.files }
    var writesStandardOutput: Bool { destination.isStandardOutput }
    var recordSchema: String? { json ? "isobath.page/1" : nil }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        let output = album.map { $0.path($0.page(of: input)) } ?? destination.path(for: file)
        guard try existing.wants(output, keeping: originals, reporter, of: input) else { return }
        var (file, options) = (file, options)
        let opened = try open(&file, reporter)
        if let album {
            (options.album, options.thumbnailSide) = (album.wayBack(from: input), Album.thumbnailSide)
            try album.makeFolders(of: input)
        }
        let losses = FailureCount(input, reporter)
        let page = try page(of: opened, file, options, losses, reporter)
        let isWritten = try existing.save(output, reporter) { file in
            try file.write(with: album.map { companions(of: page, in: $0, input) } ?? []) {
                (descriptor) throws(WriteError) in try writeAll(page.bytes, to: descriptor)
            }
        }
        guard isWritten else { return }
        let size = "\((page.bytes.count + 500) / 1000) KB"
        let lost = losses.losses(missing: 0)
        reporter.conclude(
            "page of \(size)\(lost) → \(PictureOutput.shown(output))", of: input, isLossy: !lost.isEmpty)
        reporter.add([("output", .text(output))] + page.fields)
    }

    /// The page of what an input holds.
    private func page(
        of opened: any SceneSequence, _ file: Input, _ options: PageOptions, _ losses: FailureCount,
        _ reporter: Reporter
    ) throws -> ScenePage {
        let (input, name) = (file.path, OutputDestination.name(of: file.path))
        if let scene = opened.still {
            reporter.report(opened.diagnostics, of: input)
            let page = try ScenePage(
                scene.matched, title: name, record: scene.record(path: name, describing: \.advised),
                remarks: scene.remarks, options: options)
            reporter.report(scene.diagnostics + page.diagnostics, of: input)
            return page
        }
        guard let recording = opened.recording else { throw opened.needsFrame }
        // A movie among the files of a folder has no page in an album.
        if recording.layout.isMovie, !file.isNamed {
            throw ContainerError(.unrecognized(detail: "it is a movie"))
        }
        let diagnostics = recording.diagnostics
        reporter.report(diagnostics, of: input)
        let page = try ScenePage(
            recording, title: name, record: recording.record(path: name, describing: \.advised),
            remarks: diagnostics.remarks, options: options)
        reporter.report(page.diagnostics, of: input)
        for (index, error) in page.damagedFrames { losses.add(error, frame: index) }
        losses.summarize()
        losses.record(missing: recording.skippedCount)
        return page
    }

    /// The small pictures of a page in an album.
    private func companions(of page: ScenePage, in album: Album, _ input: String) -> [Companion] {
        func companion(_ name: String, _ bytes: [UInt8]) -> Companion {
            Companion(file: OutputFile(path: album.path(name), replacesExisting: true), bytes: bytes)
        }
        let depth = page.depthThumbnail.map { companion(album.depth(of: input), $0) }
        return [companion(album.thumbnail(of: input), page.thumbnail)] + [depth].compactMap(\.self)
    }
}
