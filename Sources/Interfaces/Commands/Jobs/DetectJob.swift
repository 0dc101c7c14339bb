internal import Embedded
internal import Isobath
internal import Networks
internal import Scenes

/// Finds objects in a photo, or in the frames of a recording.
struct DetectJob: Job {
    static let readsFrames = true

    var arguments: VerbArguments
    var limits: DecodingLimits
    var reading: InputFlags
    var search: ObjectSearch
    /// Which frames of recordings.
    var selection = FrameSelection()
    /// The file of the picture with boxes.
    var output: String?
    /// The quality of JPEG.
    var quality: Int
    var existing: ExistingFiles
    var json: Bool

    var outputFolders: [String] { output.map(OutputFile.folders) ?? [] }
    var otherFiles: [String] { search.files + reading.files }
    var writesStandardOutput: Bool { false }
    var recordSchema: String? { json ? "isobath.detect/1" : nil }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        if let output, FramePattern(output) == nil,
            try !existing.wants(output, keeping: originals, reporter, of: input)
        {
            return
        }
        var file = file
        let found = try open(&file, reporter)
        guard let still = found.still else {
            return try detect(in: found, of: file, keeping: originals, reporter)
        }
        reporter.report(found.diagnostics, of: input)
        let scene = try scene(of: still, file, reporter)
        if let output, PictureFormat(fileName: output) == nil || FramePattern(output) != nil {
            throw Failure(
                "this is one picture: '\(output.forTerminal)' is for recordings; use .jpg, .png or .tiff")
        }
        let image = try scene.color()
        let opened = try search.network.open(limits)
        let objects = try search.network.aboutItself {
            try opened.detections(in: image, atLeast: search.minimumScore)
        }
        let measured = try scene.measured(objects)
        let (scale, size) = (
            scene.description.depth?.scale, PixelSize(width: image.width, height: image.height)
        )
        let results = measured.map { DetectionResult($0, picture: size, scale: scale) }
        if json {
            reporter.add([
                ("width", .integer(image.width)), ("height", .integer(image.height)),
                ("profile", .text(opened.profile.name)), ("detections", .array(results.map(\.record))),
            ])
        } else {
            reporter.print(Array(results.map { "\(input.forTerminal): \($0.line)\n" }.joined().utf8))
        }
        if results.isEmpty { reporter.remark("nothing found", of: input) }
        guard let output, let format = PictureFormat(fileName: output) else { return }
        let raster = Raster(image.drawing(objects.map(\.box)))
        _ = try existing.save(output, reporter) { file in
            try file.write { (descriptor) throws(WriteError) in
                try raster.write(as: format, quality: quality, to: descriptor)
            }
        }
    }
}
