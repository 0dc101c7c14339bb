internal import Isobath
internal import Movies
internal import Scenes

/// Composites the subject over another background, or over each of a sequence, and inserts pictures into the scene.
struct CompositeJob: PictureJob {
    static let readsFrames = true

    var arguments: VerbArguments
    var limits = DecodingLimits()
    var reading = InputFlags()
    var treatment = MapTreatment()
    /// The network that computes depth or a matte.
    var network: NetworkUse?
    /// `nil` keeps the photo's background.
    var background: BackgroundChoice?
    var matte: MatteChoice?
    /// The range of a depth mask, unless ``focus`` determines it.
    var mask = DepthCut.automatic
    /// The position whose distance determines a depth mask.
    var focus: PicturePosition?
    var fit = BackgroundFit.cover
    var refines = true
    /// The picture that is inserted into the scene.
    var layer: InsertedPicture?
    var output: PictureOutput
    // Of frames:
    var selection = FrameSelection()
    /// Meters, or percentages.
    var near: Float?
    var far: Float?
    var hasFractions = false
    var softness: Float?

    var ownFiles: [String] { [background?.path, matte?.path, layer?.path].compactMap(\.self) }

    func perform(on file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        let input = file.path
        let isNumbered = output.destination.file.map { FramePattern($0) != nil } ?? false
        let isOfFrames = output.frames != nil && !(isNumbered && background?.isSequence ?? false)
        var pictures: [Frame] = []
        if !isOfFrames {
            pictures = try wanted(file, originals, reporter)
            if pictures.isEmpty { return }
        }
        var file = file
        let opened = try open(&file, asFrames: isOfFrames, reporter)
        guard let still = opened.still else {
            return try composite(opened, file, keeping: originals, reporter)
        }
        if isOfFrames { try output.destination.checkStill(output.frames) }
        // Only the size of an inserted picture depends on the camera.
        reporter.report(
            opened.diagnostics.filter { layer != nil || $0.code != .doubtfulCamera }, of: input)
        let scene = try scene(of: still, file, treatment: treatment, network: network, reporter)
        try output.checkHDR(of: scene, arguments, file, reporter)
        guard background != nil else {
            guard let picture = pictures.first else { return }
            return try insert(into: scene, picture, input, reporter)
        }
        try composite(scene, pictures, input, reporter)
    }

    /// The pictures to make that do not exist yet.
    private func wanted(_ file: Input, _ originals: Set<FileIdentity>, _ reporter: Reporter) throws -> [Frame]
    {
        try frames(of: file).filter { frame in
            let background = FileIdentity.inputs([frame.background].compactMap(\.self))
            return try output.existing.wants(
                frame.output, keeping: originals.union(background), reporter, of: file.path)
        }
    }

    // MARK: Frames

    private func composite(
        _ source: any SceneSequence, _ file: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter
    ) throws {
        guard background == nil || layer == nil else {
            throw Failure(
                "--background and --layer cannot be combined for frames; make two movies, one after the other"
            )
        }
        guard background != BackgroundChoice.none else {
            throw Failure(
                "this is a recording, and frames have no transparency; give --background, or --frame N for one picture"
            )
        }
        guard !hasFractions else {
            throw Failure("--near and --far are percentages, and for frames they must be meters")
        }
        if let path = matte?.path {
            throw Failure(
                "--matte '\(path.forTerminal)' is one picture, and this is a recording; name mattes of its frames, or give --frame N"
            )
        }
        let run = SequenceRun(source, of: file, for: self, selection, reporter)
        (run.network, run.treatment) = (network, treatment)
        if background != nil { run.refusalOfMatte = nil }
        var behind: MovingBackground?
        try run.write(to: output.sequence(named: "composite", of: file), keeping: originals) { frames in
            if let layer, background == nil { return try insertion(of: layer, in: frames, file, reporter) }
            let shown = try movingBackground(rate: run.outputRate)
            behind = shown
            return try cutout(of: frames, over: shown, file, reporter)
        } finish: {
            if let behind { report(on: behind, file, reporter) }
        }
    }

    /// Inserts a picture into each frame.
    private func insertion(
        of layer: InsertedPicture, in frames: SceneDescription, _ file: Input, _ reporter: Reporter
    ) throws -> FrameEffect {
        guard let size = frames.colorSize else { throw SequenceError.noColor }
        let picture = try Self.readLayer(layer.path, limits, keepsHDR: false, reporter)
        let effect = FrameEffect.layer(
            picture, at: layer.distance, center: try layer.center(in: size), width: layer.width)
        try effect.check(frames)
        if layer.width != nil, let remark = frames.cameras.camera(for: size).source.remark {
            reporter.remark("\(remark); use --camera to set it", of: file.path)
        }
        return effect
    }

    /// Cuts the subject out of each frame: by default by its portrait matte, otherwise by a mask cut from depth.
    private func cutout(
        of frames: SceneDescription, over background: MovingBackground, _ file: Input, _ reporter: Reporter
    ) throws -> FrameEffect {
        let mattes =
            switch matte {
            case .kinds(let kinds): kinds
            case nil: frames.mattes.filter { $0 == .matte }
            default: [PlaneKind]()
            }
        if mattes.isEmpty, matte == nil, frames.depth == nil, !frames.mattes.isEmpty {
            throw SceneError.noPlane(.matte, available: frames.planes)
        }
        let effect = FrameEffect.cutout(
            over: background, near: near, far: far, softness: softness, mattes: mattes)
        try effect.check(frames)
        guard !mattes.isEmpty else { return effect }
        if !treatment.isEmpty {
            for flag in ["min-confidence", "dequantize", "fill-holes", "smooth"] {
                try arguments.refuse(
                    flag, because: "the subject is a matte, and not cut from depth", file, reporter)
            }
        }
        if matte == nil, network == nil {
            let remedy = frames.depth == nil ? "" : "; --near or --far cut it from the depth"
            reporter.remark("using the recording's mattes as the mask\(remedy)", of: file.path)
        }
        return effect
    }

    private func movingBackground(rate: Double) throws -> MovingBackground {
        switch background {
        case .color(let color): return MovingBackground(color)
        case .file(let path):
            return try about(path) {
                if let pictures = try NumberedPictures.list(path)?.map(\.path) {
                    return try MovingBackground { NumberedPictures(pictures, rate: rate, limits: limits) }
                }
                do throws(ContainerError) {
                    guard path != "-" else { throw ContainerError(.pipe) }
                    _ = try FileSource(path: path, limits: limits)
                } catch {
                    guard error.reason == .pipe else { throw error }
                    throw Failure(
                        "a background repeats after its end, but a pipe cannot be read twice; write it to a file"
                    )
                }
                do {
                    return try MovingBackground(openInputPicture(path, limits: limits))
                } catch let error as ContainerError where error.isForeignFile {
                    return try MovingBackground { try MovieSource(contentsOf: path, limits: limits) }
                }
            }
        case nil, BackgroundChoice.none?: return MovingBackground(.black)
        }
    }

    /// Reports what to know about the background, and its frames that could not be decoded.
    private func report(on shown: MovingBackground, _ file: Input, _ reporter: Reporter) {
        guard let path = background?.path else { return }
        reporter.report(shown.diagnostics, of: path)
        guard shown.damagedFrames > 0 else { return }
        let lost = Failure(
            "\(shown.damagedFrames) frames could not be decoded; the frames before them are repeated")
        reporter.fail(FileFailure(file: path, error: lost), ofInput: file.path)
    }

    // MARK: Pictures

    /// Inserts a picture and keeps the photo's background.
    private func insert(
        into scene: DepthScene, _ picture: Frame, _ input: String, _ reporter: Reporter
    ) throws {
        guard let layer else { return }
        let center = try layer.center(in: scene.requireColorSize())
        let (limits, path, keepsHDR) = (limits, layer.path, output.keepsHDR)
        let result = try withRemedy("--scale or --range gives a raster one") {
            try scene.occluded(
                { try Self.readLayer(path, limits, keepsHDR: keepsHDR, reporter) }, at: layer.distance,
                center: center, width: layer.width, keepsHDR: keepsHDR)
        }
        reporter.report(result.diagnostics, of: input)
        try output.write(result.picture, to: picture.output, reporter, of: input)
        reporter.conclude(
            "\(result.picture.size), \(path == "-" ? "standard input" : path) "
                + "\(result.placement.width.short) m wide at \(layer.distance.short) m\(try scene.scale().words) → "
                + PictureOutput.shown(picture.output), of: input)
    }

    private static func readLayer(
        _ path: String, _ limits: DecodingLimits, keepsHDR: Bool, _ reporter: Reporter
    ) throws -> RGBAImage {
        try about(path) {
            let file = try openInputPicture(path, limits: limits)
            if keepsHDR, file.describe().hasGainMap { reporter.report([.dimmedLayer], of: path) }
            return try file.translucentImage()
        }
    }

    private func composite(
        _ scene: DepthScene, _ frames: [Frame], _ input: String, _ reporter: Reporter
    ) throws {
        guard let start = frames.first else { return }
        let cut = try focus.map { DepthCut.focus(try $0.fractions(of: scene.requireColorSize())) } ?? mask
        // Check before decoding. A matte in a separate file does not need the photo, and is decoded below.
        if case .file = matte {} else { try scene.check(selection(cut)) }
        // Selecting the subject and reading the background are both slow. The background only needs the color space of
        // the decoded photo.
        let (subject, first) = try concurrently(
            {
                let selection = try selection(cut)
                return try withRemedy("use percentages such as --near 30%") {
                    try scene.cutOut(
                        selection, refines: refines, keepsHDR: output.keepsHDR)
                }
            },
            { Result { try readBackground(start, for: scene) } })
        if layer == nil, !subject.found.isCutFromDepth {
            for flag in [
                "min-confidence", "dequantize", "no-dequantize", "fill-holes", "smooth", "depth-from",
            ] {
                let reason = "the subject is the \(subject.found.words), and not cut from depth"
                try arguments.refuse(flag, because: reason, Input(path: input), reporter)
            }
        }
        reporter.report(subject.diagnostics, of: input)
        for remark in subject.found.remarks { reporter.remark(remark, of: input) }
        var next = first
        for (index, frame) in frames.enumerated() {
            let current = next
            let following = index + 1 < frames.count ? frames[index + 1] : nil
            let (written, read) = try concurrently(
                { Result { try write(subject, scene, current.get(), frame, input, reporter) } },
                {
                    Result {
                        try following.map { try readBackground($0, for: scene) } ?? (.none, nil, [], [])
                    }
                })
            next = read
            // A failed frame does not stop the others.
            if case .failure(let error) = written {
                reporter.fail(error, ofInput: frame.background ?? input)
            }
        }
    }

    private func selection(_ cut: DepthCut) throws -> MatteSelection? {
        switch matte {
        case nil: nil
        case .kinds(let kinds): .kinds(kinds)
        case .depth: .depth(cut)
        case .file(let path):
            .given(try about(path) { try openInputPicture(path, limits: limits).matte() })
        }
    }

    /// One picture to make.
    private struct Frame: Sendable {
        var background: String?
        var output: String
    }

    private func frames(of input: Input) throws -> [Frame] {
        guard let path = background?.path, case .file(let output) = output.destination,
            let pattern = FramePattern(output)
        else {
            return [Frame(background: background?.path, output: output.destination.path(for: input))]
        }
        do throws(ContainerError) {
            guard let pictures = try NumberedPictures.list(path) else {
                throw ContainerError(.unreadable(detail: "it is not a folder any more"))
            }
            return pictures.map { Frame(background: $0.path, output: pattern.path(number: $0.number)) }
        } catch {
            throw FileFailure(file: path, error: error)
        }
    }

    /// A background, and remarks about it.
    private typealias Backdrop = (
        background: SceneBackground, light: HDRLight?, remarks: [String], diagnostics: [Diagnostic]
    )

    private func readBackground(_ frame: Frame, for scene: DepthScene) throws -> Backdrop {
        switch background {
        case nil, BackgroundChoice.none?: return (.none, nil, [], [])
        case .color(let color): return (.color(color), nil, [], [])
        case .file(let path):
            let file = try openInputPicture(frame.background ?? path, limits: limits)
            let (background, light, diagnostics) = try file.background(
                for: scene, fit: fit, keepsHDR: output.keepsHDR)
            let remarks =
                file.describe().isLaidOverWhite ? ["transparent parts of the background become white"] : []
            return (background, light, remarks, diagnostics)
        }
    }

    /// Writes the subject over a background, with the inserted picture if there is one, and reports it.
    private func write(
        _ subject: SceneSubject, _ scene: DepthScene, _ backdrop: Backdrop, _ frame: Frame, _ input: String,
        _ reporter: Reporter
    ) throws {
        var made = try subject.composite(
            over: backdrop.background, backdrop.light, in16Bits: output.format.holds16Bits && layer == nil)
        for remark in backdrop.remarks { reporter.remark(remark, of: frame.background ?? input) }
        reporter.report(backdrop.diagnostics, of: frame.background ?? input)
        reporter.report(made.diagnostics, except: backdrop.diagnostics, of: input)
        var inserted = ""
        if let layer {
            guard backdrop.background.isOpaque else {
                throw Failure(
                    "--layer with --background none is not supported; give a color or a picture")
            }
            let center = try layer.center(in: made.picture.size)
            let image = try Self.readLayer(layer.path, limits, keepsHDR: output.keepsHDR, reporter)
            let result = try withRemedy("--scale or --range gives a raster one") {
                try scene.occluded(
                    { image }, at: layer.distance, center: center, width: layer.width,
                    over: made.picture, hiddenBy: subject, keepsHDR: output.keepsHDR)
            }
            reporter.report(result.diagnostics, of: input)
            made.picture = result.picture
            inserted = ", \(layer.path) at \(layer.distance.short) m\(try scene.scale().words)"
        }
        try output.write(made.picture, to: frame.output, reporter, of: input)
        reporter.conclude(
            "\(made.picture.size), \(subject.found.words)\(inserted) → \(PictureOutput.shown(frame.output))",
            of: input)
    }
}

extension SceneBackground {
    /// Whether it has no transparency.
    fileprivate var isOpaque: Bool { if case .none = self { false } else { true } }
}

extension InsertedPicture {
    /// The position of the layer's center in a picture.
    func center(in picture: PixelSize) throws -> NormalizedPoint {
        try position?.fractions(of: picture) ?? NormalizedPoint(x: 0.5, y: 0.5)
    }
}
