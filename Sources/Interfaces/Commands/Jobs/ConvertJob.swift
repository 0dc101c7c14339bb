internal import Embedded
internal import Isobath
internal import Movies
internal import PhotoFormats
internal import Scenes

/// Converts photos with depth to another form.
struct ConvertJob: Job {
    static let readsFrames = true

    var arguments: VerbArguments
    var limits: DecodingLimits
    var reading: InputFlags
    var target: ConversionTarget
    var coding: DepthCoding
    var quality: Int
    var destination: OutputDestination
    var json: Bool
    var existing: ExistingFiles
    // Of rgbd, side-by-side and anaglyph:
    /// The format of a still picture; `nil` if nothing specifies it.
    var still: PictureFormat?
    /// The form of frames; `nil` if nothing specifies it.
    var frames: SequenceOutput.Kind?
    var codec: MovieCodec?
    var selection = FrameSelection()
    var colormap: ColorMap?
    /// Meters.
    var near: Float?
    var far: Float?
    /// The largest number of a data set's frames.
    var maximumFrames: Int?
    /// Whether the sharpest picture of each group of frames is used.
    var takesSharpest = false

    var outputFolders: [String] { destination.folders }
    var makesFolders: Bool { target.dataSet != nil }
    var otherFiles: [String] { reading.files }
    var writesStandardOutput: Bool { destination.isStandardOutput }
    var recordSchema: String? { json ? "isobath.convert/1" : nil }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let path = input.path
        if let form = target.dataSet {
            reporter.add([("to", .text(target.rawValue))])
            return try writeDataSet(form, input, keeping: originals, reporter)
        }
        if destination.file != nil, frames == nil,
            try !existing.wants(destination.path(for: input), keeping: originals, reporter, of: path)
        {
            return
        }
        reporter.add([("to", .text(target.rawValue))])
        var file = input
        let opened = try open(&file, asFrames: frames != nil, reporter)
        guard let still = opened.still else { return try convert(opened, file, keeping: originals, reporter) }
        guard frames == nil else {
            throw Failure("this is one picture; --to \(target.rawValue) writes it as .png or .jpg")
        }
        let format = self.still?.fileExtension ?? "png"
        let output =
            (target.isOfFrames
            ? destination.named(suffix: target.suffix, fileExtension: format) : destination)
            .path(for: input)
        if destination.file == nil, try !existing.wants(output, keeping: originals, reporter, of: path) {
            return
        }
        reporter.report(opened.diagnostics, of: path)
        switch target {
        case .rgbd: try writeSideBySide(still, file, to: output, reporter)
        case .exr: try writeLayers(still, file, to: output, reporter)
        case .pair: try writePair(still, file, to: output, originals, reporter)
        case .appleJPEG, .appleHEIC, .gDepth, .dynamicDepth:
            try writePhoto(still, file, to: output, reporter)
        case .sideBySide, .anaglyph: try writeEyes(still, file, to: output, reporter)
        case .nerfstudio, .colmap, .tum: break
        }
    }

    /// Makes a movie of frames.
    private func convert(
        _ source: any SceneSequence, _ file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter
    ) throws {
        guard target.isOfFrames else { throw source.needsFrame }
        let output = try SequenceOutput(
            destination, frames, numbered: still.flatMap { FrameFormat(rawValue: $0.rawValue) },
            named: target.rawValue, of: file, codec: codec, quality: quality, existing: existing)
        let run = SequenceRun(source, of: file, for: self, selection, reporter)
        try run.write(to: output, keeping: originals) { frames in
            guard let eyes = target.eyes else {
                return .pictureAndDepth(DepthColoring(colormap ?? .turbo, near: near, far: far))
            }
            try frames.eyes.require()
            return .eyes(eyes)
        }
    }

    // MARK: Photos

    /// The bytes of the photo that a source's depth belongs to.
    func photo(of opened: DepthScene, _ file: Input, _ reporter: Reporter) throws -> [UInt8] {
        reporter.report(opened.diagnostics, of: file.path)
        if reading.frame != nil, let image = try opened.plane(.picture).image {
            // A frame has no encoded picture.
            return try bytesWritten { (descriptor) throws(WriteError) in
                try Raster(image).write(as: .jpeg, quality: quality, to: descriptor)
            }
        }
        if opened.description.file?.usesReading != false {
            if let color = reading.options.colorPath { return try contents(ofInput: color, limits: limits) }
            // A raster with a depth image beside the photo: the input is the photo.
            guard opened.description.colorSize != nil else { throw SceneError.noPicture }
        }
        guard let bytes = file.source else { return try contents(ofInput: file.path, limits: limits) }
        return try bytes.read(0..<bytes.byteCount)
    }

    private func conversion(_ form: DepthForm) -> PhotoConversion {
        var conversion = PhotoConversion(form: form, coding: coding)
        conversion.quality = quality
        return conversion
    }

    private func writePhoto(
        _ opened: DepthScene, _ file: Input, to output: String, _ reporter: Reporter
    ) throws {
        guard let form = target.form else { return }
        let (path, photo) = (file.path, try photo(of: opened, file, reporter))
        let edited = try conversion(form).convert(opened, photo: photo, limits: limits)
        reporter.report(edited.diagnostics, except: opened.diagnostics, of: path)
        try save(output, edited.codings.joined(separator: "; "), path, reporter) {
            try $0.write(bytes: edited.bytes)
        }
    }

    private func writePair(
        _ opened: DepthScene, _ file: Input, to output: String, _ originals: Set<FileIdentity>,
        _ reporter: Reporter
    ) throws {
        let path = file.path
        let depthPath = output.dropLast(output.pathExtension.count + 1) + "_depth.png"
        try existing.checkIsNoInput(String(depthPath), keeping: originals)
        let photo = try photo(of: opened, file, reporter)
        let plane = try opened.description.requirePlane(nil)
        let exported = try opened.export(
            plane, as: PlaneExport(format: .png, quantity: plane.scale == .affine ? nil : .disparity))
        reporter.report(exported.diagnostics, of: path)
        let base = try conversion(.appleJPEG).photoWithoutDepth(photo, limits: limits)
        reporter.report(base.diagnostics, except: opened.diagnostics, of: path)
        let depth = try bytesWritten { (descriptor) throws(WriteError) in
            try exported.raster.write(as: .png, to: descriptor)
        }
        let words = "white is near in \(String(depthPath).lastPathComponent)"
        try save(output, words, path, reporter) { file in
            let companion = Companion(
                file: OutputFile(path: String(depthPath), replacesExisting: file.replacesExisting),
                bytes: depth)
            try file.write(with: [companion]) { (descriptor) throws(WriteError) in
                try writeAll(base.bytes, to: descriptor)
            }
        }
    }

    // MARK: Pictures

    private func writeSideBySide(
        _ opened: DepthScene, _ file: Input, to output: String, _ reporter: Reporter
    ) throws {
        let path = file.path
        let scene = try scene(of: opened, file, reporter)
        let frame = try SideBySide.frame(of: scene)
        reporter.report(scene.diagnostics, of: path)
        try write(frame, to: output, "depth to the right, near white", path, reporter)
    }

    private func writeEyes(
        _ opened: DepthScene, _ file: Input, to output: String, _ reporter: Reporter
    ) throws {
        guard let form = target.eyes else { return }
        let scene = try scene(of: opened, file, reporter)
        if scene.description.depth == nil, scene.description.eyes != nil {
            try scene.description.eyes.require()
        }
        let picture = try scene.picture(ofBothEyes: form)
        if !scene.hasBothEyes {
            let width = form == .sideBySide ? picture.width / 2 : picture.width
            reporter.remark(
                "both eyes are rendered from the depth, at \(PixelSize(width: width, height: picture.height))",
                of: file.path)
        }
        reporter.report(scene.diagnostics, of: file.path)
        let words = form == .anaglyph ? "red is the left eye" : "left, right"
        try write(Raster(picture), to: output, words, file.path, reporter)
    }

    private func write(
        _ raster: Raster, to output: String, _ words: String, _ path: String, _ reporter: Reporter
    ) throws {
        let format = PictureFormat(fileName: output) ?? .png
        try save(output, words, path, reporter) { file in
            try file.write { (descriptor) throws(WriteError) in
                try raster.write(as: format, quality: quality, to: descriptor)
            }
        }
    }

    private func writeLayers(
        _ opened: DepthScene, _ file: Input, to output: String, _ reporter: Reporter
    ) throws {
        let path = file.path
        let scene = try scene(of: opened, file, reporter)
        let layers = try LayeredScene.exr(of: scene)
        reporter.report(scene.diagnostics, of: path)
        try save(output, layers.channelNames.joined(separator: ", "), path, reporter) { file in
            try file.write { (descriptor) throws(WriteError) in try layers.write(to: descriptor) }
        }
    }

    /// Writes a file, and reports what it holds.
    private func save(
        _ output: String, _ words: String, _ path: String, _ reporter: Reporter,
        _ body: (OutputFile) throws -> Void
    ) throws {
        guard try existing.save(output, reporter, body) else { return }
        reporter.conclude("\(words) → \(PictureOutput.shown(output))", of: path)
    }
}
