internal import Embedded
internal import Isobath
internal import Movies
internal import Networks
internal import PhotoFormats
internal import Scenes

/// Writes planes of a photo, or a plain raster.
struct ExtractJob: Job {
    static let readsFrames = true

    var arguments: VerbArguments
    var limits = DecodingLimits()
    var reading = InputFlags()
    /// The destination of files; files in a folder are named after input and plane.
    var destination: OutputDestination
    var plane: PlaneChoice?
    var quantity: DepthQuantity?
    var format: RasterFormat
    /// Whether a format is given that is not the default.
    var hasNamedFormat = false
    /// The encoding of integer samples; `nil` for the default.
    var values: PlaneExport.PNGStyle?
    /// The longer side of a picture, in pixels; `nil` for full size.
    var longestSide: Int?
    var json = false
    var existing = ExistingFiles.refused
    var treatment = MapTreatment()
    var upsamples = false
    /// The network that computes depth or a matte.
    var network: NetworkUse?
    var colorMap: ColorMap?
    // Of frames:
    /// Their form; `nil` if nothing specifies it.
    var frames: SequenceOutput.Kind?
    var codec: MovieCodec?
    var selection = FrameSelection()
    var quality = Raster.defaultJPEGQuality
    /// Meters.
    var near: Float?
    var far: Float?

    /// The single output file; `-` is standard output.
    private var output: String? { destination.file }

    var otherFiles: [String] { reading.files + (network?.files ?? []) }
    var writesStandardOutput: Bool { output == "-" }
    var recordSchema: String? { nil }

    var outputFolders: [String] {
        existing == .collected ? [] : destination.folders
    }

    func directed(to output: String) -> any Job {
        var job = self
        job.destination =
            output.hasSuffix("/") ? .folder(output, suffix: "", fileExtension: "") : .file(output)
        return job
    }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        // Check this before reading the input.
        if let output, frames == nil, try !existing.wants(output, keeping: originals) {
            var result = ExtractResult()
            result.skip(output, nil)
            return tell(result, of: input, reporter)
        }
        var file = input
        let opened = try open(
            &file, asFrames: frames != nil, isPaired: plane?.isPicture != true, reporter)
        guard let still = opened.still else {
            let record = InputRecord()
            try extract(opened, file, keeping: originals, json ? reporter.recording(in: record) : reporter)
            guard json else { return }
            let line = record.json(schema: "isobath.sequence/1", subcommand: "extract", input: input.path)
            return reporter.print(Array("\(line)\n".utf8))
        }
        if output != nil { try destination.checkStill(frames) }
        var result = ExtractResult()
        result.note(opened.diagnostics)
        extract(still, file, keeping: originals, reporter, &result)
        if let renaming = input.renaming, !result.outputs.isEmpty { result.remarks.append(renaming.remark) }
        tell(result, of: input, reporter)
    }

    func report(_ error: any Error, on input: Input, _ reporter: Reporter) {
        guard input.isNamed || !error.isForeignFile else { return reporter.countPassedOver() }
        tell(ExtractResult(errors: [error]), of: input, reporter)
    }

    // MARK: Frames

    private func extract(
        _ source: any SceneSequence, _ file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter
    ) throws {
        let matte = plane?.kind.flatMap { $0.isMatte ? $0 : nil }
        let isPicture = plane?.isPicture ?? false || matte != nil
        guard isPicture || plane?.kind?.isDepth ?? (plane == nil) else {
            throw Failure(
                "this is a recording, and its frames have depth, mattes, --plane photo, and in spatial videos left and right; --frame N writes any plane of one frame"
            )
        }
        if case .eye(let eye) = plane {
            guard source.description.eyes != nil else {
                throw Failure("--plane \(eye.rawValue) is for spatial videos, and this has one eye")
            }
            try source.description.eyes.require([eye])
        }
        if isPicture, let flag = values.map({ "--values \($0.rawValue)" }) ?? (upsamples ? "--upsample" : nil)
        {
            throw Failure(
                "\(flag) has no effect on \(matte == nil ? "a picture" : "mattes of frames")")
        }
        if case .frames(let format) = frames, isPicture, format.picture == nil {
            throw Failure("\(format.rawValue) holds depth, and a picture needs .png, .jpg or .tiff")
        }
        var name = matte?.rawValue ?? (isPicture ? "photo" : quantity?.rawValue ?? "depth")
        if case .eye(let eye) = plane { name = eye.rawValue }
        var output = try SequenceOutput(
            destination, frames, numbered: hasNamedFormat ? FrameFormat(rawValue: format.rawValue) : nil,
            named: name, of: file, codec: codec, quality: quality, existing: existing)
        output.values = try isPicture ? .preview : depthStyle(in: output.kind)
        output.quantity = quantity ?? .depth
        if let quantity, output.values == .preview || quantity == .disparity && output.holdsMillimeters {
            let what = output.values == .preview ? "colors" : "millimeters"
            throw UsageError(
                "--as \(quantity.rawValue) has no effect on \(what); it is for .tiff, .exr, .pfm, .npy and .png images, and --format grayf32le"
            )
        }
        if case .frames(let format) = output.kind, format == .npy || format == .pfm {
            let words = "cannot hold what is known of its samples; .exr, .tiff and .png can"
            reporter.remark("\(format.rawValue.uppercased()) \(words)", of: file.path)
        }
        let run = SequenceRun(source, of: file, for: self, selection, reporter)
        (run.network, run.treatment) = (network, treatment)
        let showsPicture = plane?.isPicture ?? false
        try run.write(to: output, keeping: originals, needing: showsPicture ? [.picture] : []) { frames in
            if let matte { return .matte(matte) }
            // The picture of each frame is the right eye if that is the only one.
            let isSecond = plane == .eye(.right) && frames.eyes?.areBothRead ?? true
            if showsPicture { return isSecond ? .rightEye : .color }
            guard output.values != .preview else {
                return .depthColors(
                    DepthColoring(colorMap ?? .turbo, near: near, far: far), isEnlarged: upsamples)
            }
            func values() -> FrameEffect {
                .values(output.quantity, isUpsampled: upsamples, isRounded: output.holdsMillimeters)
            }
            var effect = values()
            effect.needsMeters = near != nil || far != nil || network != nil
            try effect.check(frames)
            guard output.isNormalized else { return effect }
            let isDepth = output.quantity == .depth
            effect.range = try run.range(
                isDepth ? near : far.map { 1 / $0 }, isDepth ? far : near.map { 1 / $0 }, of: values(),
                includingZero: !isDepth)
            return effect
        }
    }

    /// How depth is written: in colors, or as integers of these values.
    private func depthStyle(in kind: SequenceOutput.Kind) throws -> PlaneExport.PNGStyle {
        switch kind {
        case .movie(let format):
            let keepsDepth = codec == .ffv1 && values != .preview || values == .millimeters
            if keepsDepth, !format.holdsDepth {
                throw Failure(
                    "--values millimeters needs .mkv (FFV1), numbered .png files or a raw stream")
            }
            return keepsDepth ? .millimeters : .preview
        case .stream(let format):
            if format.isDepth { return .millimeters }
            if let values, values != .preview {
                throw Failure(
                    "--values \(values.rawValue) needs --format gray16le or grayf32le, and the stream is \(format.rawValue)"
                )
            }
            return .preview
        case .frames(.jpeg):
            if let values, values != .preview {
                throw Failure("JPEG has no 16-bit samples; use .png frames")
            }
            return .preview
        case .frames(.png): return values ?? .normalized
        case .frames: return .normalized
        }
    }

    // MARK: Planes

    private func tell(_ result: ExtractResult, of input: Input, _ reporter: Reporter) {
        for remark in result.remarks { reporter.remark(remark, of: input.path) }
        for outcome in result.outcomes { reporter.conclude(outcome, of: input.path) }
        for loss in result.losses { reporter.lose(loss, of: input.path) }
        for error in result.errors { reporter.fail(error, ofInput: input.path) }
        for output in result.outputs {
            output.isSkipped ? reporter.countSkipped(output.path) : reporter.countWritten(output.path)
        }
        if json { reporter.print(Array("\(result.record(input: input.path).serialized)\n".utf8)) }
    }

    private func extract(
        _ scene: DepthScene, _ file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter,
        _ result: inout ExtractResult
    ) {
        do {
            switch plane {
            case _ where network != nil:
                try writeFromNetwork(scene, file, originals, reporter, &result)
            case _ where reading.isStereo:
                try writeComputed(scene, file, originals, reporter, &result)
            case .photo:
                let diagnostics = scene.diagnostics
                var keepsHDR = false
                defer {
                    result.remarks +=
                        diagnostics.filter {
                            $0.code != .doubtfulCamera && (!keepsHDR || $0.code != .lostHDR)
                        }.remarks
                }
                try writePicture("photo", of: file, originals, reporter, &result) {
                    let raster =
                        try longestSide.map(scene.exportPhoto)
                        ?? scene.exportPhoto(frame: frame, keepsHDR: format == .png)
                    keepsHDR = raster.codedColor?.isHDR ?? false
                    return raster
                }
            case .eye(let eye):
                result.remarks += scene.remarks
                if scene.description.eyes != nil { try scene.description.eyes.require([eye]) }
                try writePicture(eye.rawValue, of: file, originals, reporter, &result) {
                    try Raster(scene.view(eye, frame: frame))
                }
            case .all where scene.description.stereo != nil:
                if !scene.description.storedPlanes.isEmpty {
                    try writePlanes(scene, file, originals, reporter, &result)
                }
                writeEyes(scene, file, originals, reporter, &result)
            default: try writePlanes(scene, file, originals, reporter, &result)
            }
        } catch {
            result.errors.append(error)
        }
    }

    private var frame: PixelOrientation { reading.options.keepsOrientation ? .stored : .upright }

    private func writePicture(
        _ name: String, of input: Input, _ originals: Set<FileIdentity>, _ reporter: Reporter,
        _ result: inout ExtractResult, _ picture: () throws -> Raster
    ) throws {
        let path = output ?? place(input, kind: name, number: 1)
        guard try existing.wants(path, keeping: originals) else { return result.skip(path, name) }
        let raster = try picture()
        guard try write(raster, to: path, reporter) else { return result.skip(path, name) }
        result.write(path, name, size: (raster.width, raster.height))
    }

    /// Disparity that is computed from a stereo pair, or its confidence.
    private func writeComputed(
        _ scene: DepthScene, _ input: Input, _ originals: Set<FileIdentity>, _ reporter: Reporter,
        _ result: inout ExtractResult
    ) throws {
        let kind = plane?.kind ?? .disparity
        let name = kind == .disparity ? quantity?.rawValue ?? kind.rawValue : kind.rawValue
        let path = output ?? place(input, kind: name, number: 1)
        // Matching is the slowest step, so check first whether its result is wanted.
        guard try existing.wants(path, keeping: originals) else { return result.skip(path, name) }
        let computed = try scene.matchingEyes()
        let plane = try computed.description.requirePlane(kind == .disparity ? nil : .confidence)
        // The match may add remarks, which come first.
        _ = try computed.plane(plane.id)
        result.note(computed.diagnostics)
        try write(plane, input, originals, to: path, reporter, &result) { try computed.export(plane, as: $0) }
    }

    /// The depth or the matte that a network computes.
    private func writeFromNetwork(
        _ opened: DepthScene, _ input: Input, _ originals: Set<FileIdentity>, _ reporter: Reporter,
        _ result: inout ExtractResult
    ) throws {
        guard let network else { return }
        let (scene, remark) = try network.scene(
            for: opened.matched, keepsPicture: upsamples, limits: limits)
        let isMatte = remark != nil
        guard (plane?.kind).map({ isMatte ? $0 == .matte : $0.isDepth }) ?? true else {
            throw Failure("this network gives \(isMatte ? "a matte" : "depth") and nothing else")
        }
        let wanted = isMatte ? nil : quantity ?? plane?.kind.map { $0 == .depth ? .depth : .disparity }
        let depth = scene.description.depth
        let name = isMatte ? PlaneKind.matte.rawValue : (wanted ?? depth?.quantity ?? .disparity).rawValue
        let path = output ?? place(input, kind: name, number: 1)
        // Networks are the slowest step, so check first whether the result is wanted.
        guard try existing.wants(path, keeping: originals) else { return result.skip(path, name) }
        if !isMatte, let wanted, wanted != depth?.quantity { try scene.scale().requireReciprocal() }
        let computed = try scene.description.requirePlane(isMatte ? .matte : nil)
        try write(computed, input, originals, to: path, reporter, &result) { export in
            var export = export
            export.quantity = wanted
            return try scene.export(computed, as: export)
        }
        result.remarks += [remark].compactMap(\.self)
        result.note(scene.diagnostics)
    }

    /// Both pictures of a stereo pair. An error in one does not stop the other from being written.
    private func writeEyes(
        _ scene: DepthScene, _ input: Input, _ originals: Set<FileIdentity>, _ reporter: Reporter,
        _ result: inout ExtractResult
    ) {
        for eye in Eye.allCases {
            do {
                try writePicture(eye.rawValue, of: input, originals, reporter, &result) {
                    try Raster(scene.view(eye, frame: frame))
                }
            } catch {
                result.errors.append(error)
            }
        }
    }

    private func writePlanes(
        _ scene: DepthScene, _ input: Input, _ originals: Set<FileIdentity>, _ reporter: Reporter,
        _ result: inout ExtractResult
    ) throws {
        let planes = try chosenPlanes(of: scene)
        let diagnostics = scene.diagnostics
        // Damage of planes that were not requested does not affect the output.
        let hasDepth = planes.contains(where: \.kind.isDepth)
        if plane == .all {
            result.note(diagnostics)
        } else {
            // Only depth is measured with the camera.
            result.remarks += diagnostics.filter { hasDepth || $0.code != .doubtfulCamera }.remarks
        }
        if hasDepth, let doubt = try? scene.doubtOfNearSide() { result.remarks.append(doubt.remark) }
        var numbers: [String: Int] = [:]
        for plane in planes {
            let kind =
                plane.kind.isDepth ? (quantity?.rawValue ?? plane.kind.rawValue) : plane.kind.rawValue
            numbers[kind, default: 0] += 1
            do {
                let path = output ?? place(input, kind: kind, number: numbers[kind] ?? 1)
                try write(plane, input, originals, to: path, reporter, &result) {
                    try scene.export(plane, as: $0)
                }
            } catch {
                result.errors.append(error)
            }
        }
        // Decoders may have added warnings.
        result.note(scene.diagnostics.filter { !diagnostics.contains($0) })
    }

    private func write(
        _ plane: PlaneDescription, _ input: Input, _ originals: Set<FileIdentity>, to path: String,
        _ reporter: Reporter, _ result: inout ExtractResult, exporting: (PlaneExport) throws -> ExportedPlane
    ) throws {
        let kind = plane.kind.rawValue
        guard try existing.wants(path, keeping: originals) else { return result.skip(path, kind) }
        let exported = try exporting(export(of: plane))
        guard try write(exported.raster, to: path, reporter) else { return result.skip(path, kind) }
        if !json, path != "-", format == .npy || format == .pfm {
            result.remarks.append(
                "\(format.rawValue.uppercased()) cannot hold what is known of its samples; "
                    + "--json prints it, and --camera reads that line")
        }
        let record = exported.record(input: OutputDestination.name(of: input.path))
        result.write(path, exported, of: kind, record)
    }

    /// The requested planes. Throws if the source has no such plane.
    private func chosenPlanes(of scene: DepthScene) throws -> [PlaneDescription] {
        switch plane {
        case nil: return [try scene.description.requirePlane(nil)]
        case .all:
            let planes = scene.description.storedPlanes
            guard !planes.isEmpty else { throw scene.description.absence(of: nil) }
            return planes
        case .photo, .eye: return []
        case .kind(let kind): return [try scene.description.requirePlane(kind)]
        }
    }

    private func export(of plane: PlaneDescription) -> PlaneExport {
        var export = PlaneExport(
            format: format, quantity: quantity, pngStyle: values ?? .normalized, frame: frame)
        (export.treatment, export.upsamples) = (treatment, upsamples)
        export.colorMap = colorMap
        return export
    }

    /// Returns `false` if an existing file was kept.
    private func write(_ raster: Raster, to path: String, _ reporter: Reporter) throws -> Bool {
        try existing.write(path, reporter) { file in
            try file.write { (descriptor) throws(WriteError) in
                try raster.write(as: format, to: descriptor)
            }
        }
    }

    /// `<stem>-<kind>.<ext>` in the output folder, then `-2`, `-3` for more planes of a kind.
    private func place(_ input: Input, kind: String, number: Int) -> String {
        let ending = number > 1 ? "-\(number)" : ""
        return destination.named(
            suffix: "-\(kind)\(ending)", fileExtension: format.fileExtension
        ).path(for: input)
    }
}
