internal import Embedded
internal import Isobath
internal import Movies
internal import Networks
internal import Recordings
internal import Sequences

/// Turns the frames of an input into a movie, a stream or numbered frames. Plain data.
struct FrameRun: Codable, Sendable {
    /// The view to make of each frame.
    enum View: String, Codable, Sendable {
        /// Depth in colors.
        case preview
        /// Distances.
        case depth
        /// The picture as it is.
        case color
        /// The subject over a background.
        case mask
        /// A matte in gray.
        case matte
        /// The picture as a lens with a wide aperture shows it.
        case blur
        /// The picture with another inserted.
        case layer
        /// The picture, and depth in colors beside it.
        case rgbd
        /// The picture of the right eye.
        case right
        /// The pictures of both eyes beside each other.
        case eyes
        /// The pictures of both eyes, for glasses of red and cyan.
        case anaglyph

        /// Whether the view shows an eye other than the left.
        var showsRight: Bool { self == .right || self == .eyes || self == .anaglyph }
        /// Whether the view shows recorded pictures or mattes, and no depth.
        var isOfPictures: Bool { self == .color || self == .matte || showsRight }
    }

    var view: View
    var colormap = ColorMap.turbo
    var isEnlarged = false
    /// Meters.
    var near: Float?
    var far: Float?
    var softness: Float?
    var background = BackgroundChoice.color(.black)
    /// The subject before the background: by default the portrait matte of the frames, otherwise a mask cut from depth.
    /// For ``View/matte`` the matte to show.
    var matte: MatteChoice?
    var layer: InsertedPicture?
    var blur = BlurOptions()
    /// The position in focus; takes precedence over ``blur``, whose position is in fractions.
    var focus: PicturePosition?
    /// The treatment of depth before the blur.
    var treatment = MapTreatment()
    var selection = FrameSelection()
    var filters: [FilterSetting] = []
    var isRealTime = false
    /// Frames per second of the movie; `nil` for the input's rate.
    var rate: Double?
    /// The network that computes depth or a matte.
    var network: NetworkUse?
    var output: SequenceOutput

    /// The files that are read in addition to inputs.
    var files: [String] { [background.path, layer?.path].compactMap(\.self) }

    /// Writes the frames of an input. `reopen` opens it again, for steps that need all frames before the first is
    /// written.
    func perform(
        on opened: any FrameSource, of input: String, limits: DecodingLimits,
        keeping originals: Set<FileIdentity>, _ reporter: Reporter, reopen: () throws -> any FrameSource
    ) throws {
        closeOnInterrupt()
        guard try output.prepare(keeping: originals) else {
            reporter.countSkipped(output.path)
            return reporter.remark("already exists and was kept: \(output.path)", of: input)
        }
        let computed = try network.map { try $0.frames(of: opened, limits: limits) }
        let source: any FrameSource = computed?.frames ?? opened
        let isMatte = computed?.isMatte ?? false
        if isMatte, view != .mask {
            throw UnsuitableNetwork("this network gives a matte, which composite uses")
        }
        let run = SequenceRun(source, of: input, selection, isRealTime: isRealTime, reporter)
        try check(source)
        let mattes = mattes(of: source.description)
        if matte == nil, !mattes.isEmpty {
            let remedy = source.description.depth == nil ? "" : "; --near or --far cut it from the depth"
            reporter.remark("using the recording's mattes as the mask\(remedy)", of: input)
        }
        if let layer, layer.width != nil, let size = source.description.colorSize,
            let remark = CameraCandidates(file: source.description.calibration).camera(for: size).source
                .remark
        {
            reporter.remark("\(remark); use --focal to set it", of: input)
        }
        let rate = rate ?? (source.description.rate ?? 30) / Double(selection.step)
        let range = try fixedRange(reopen)
        let rendered = try makeView(of: source.description, rate: rate, isMatte: isMatte, limits)
        let view = FilteredView(FilterSetting.filters(filters), rendered)
        let isWritten = try output.write(
            source, of: input, rate: rate, range: range, keeping: originals, reporter
        ) { sink in try run.run(view, sink) }
        run.reportDamage()
        if let view = rendered as? BlurView {
            reporter.report(view.diagnostics, of: input)
            if let last = view.last, let scale = source.description.depth?.scale {
                reporter.remark("the last frame: \(last.words(scale))", of: input)
            }
        }
        if let mask = rendered as? MaskView { describe(mask.backdrop, reporter, of: input) }
        if let samples = rendered as? DepthSamplesView, samples.beyondCount > 0 {
            let unit = source.description.depth?.scale.isMetric ?? false ? " m" : ""
            reporter.remark(
                "\(samples.beyondCount) samples beyond \(samples.reach)\(unit) are written as 0",
                of: input)
        }
        guard isWritten else { return reporter.countSkipped(output.path) }
        if case .frames = output.kind {} else { reporter.countWritten(output.path) }
        run.reportStop()
        describe(run.report, of: input, losing: run.losses, reporter)
        run.recordLosses()
    }

    /// The range of 16-bit samples in normalized numbered frames: from flags, otherwise the range of all frames. `nil`
    /// for other outputs, or without a known distance.
    private func fixedRange(_ reopen: () throws -> any FrameSource) throws -> ClosedRange<Float>? {
        guard view == .depth, output.isNormalized else { return nil }
        if let near, let far { return near...far }
        let found = RangeSink()
        let again = try reopen()
        let source: any FrameSource =
            try network.map { try $0.frames(of: again, limits: DecodingLimits()).frames } ?? again
        var pass = FramePipeline()
        pass.selection = selection
        pass.shouldStop = { Interruption.isRequested }
        _ = try pass.run(source, FilteredView(FilterSetting.filters(filters), DepthSamplesView()), found)
        guard found.low <= found.high else { return nil }
        return min(near ?? found.low, found.high)...max(far ?? found.high, near ?? found.low)
    }

    /// Throws if the input lacks a plane that the view needs.
    private func check(_ source: any FrameSource) throws {
        let needsColor = view != .depth && view != .preview && view != .matte
        // Only now does a recording's movie report which planes it has.
        if needsColor { try source.prepare(.color) }
        let description = source.description
        if view.showsRight, description.eyes?.areBothRead != true {
            throw MissingEye(eye: .right, eyes: description.eyes)
        }
        let mattes = mattes(of: description)
        if let missing = mattes.first(where: { !description.mattes.contains($0) }) {
            throw SceneError.noPlane(missing, available: description.planes)
        }
        let needsDepth = !view.isOfPictures && mattes.isEmpty
        if needsDepth, description.depth == nil {
            throw view == .mask && matte == nil && !description.mattes.isEmpty
                ? SceneError.noPlane(.matte, available: description.planes) : SequenceError.noDepth
        }
        if needsColor, description.colorSize == nil { throw SequenceError.noColor }
        let givesMeters =
            view == .layer || blur.focusDistance != nil || near != nil || far != nil || softness != nil
        let needsMeters = givesMeters || network != nil && view == .depth
        if needsMeters, !view.isOfPictures, !(description.depth?.scale.isMetric ?? false) {
            throw SequenceError.noUnit
        }
    }

    /// The recording's mattes that are the mask, or shown; empty if the mask is cut from depth, or computed.
    private func mattes(of description: SequenceDescription) -> [PlaneKind] {
        switch matte {
        case .kinds(let kinds): kinds
        case nil where view == .mask && network == nil: description.mattes.filter { $0 == .matte }
        default: []
        }
    }

    private func makeView(
        of description: SequenceDescription, rate: Double, isMatte: Bool, _ limits: DecodingLimits
    ) throws -> any FrameView {
        let coloring = DepthColoring(colormap, near: near, far: far)
        switch view {
        case .color: return ColorView()
        case .matte: return MatteView(mattes(of: description).first ?? .matte)
        case .right: return RightEyeView()
        case .eyes: return EyesView(.sideBySide)
        case .anaglyph: return EyesView(.anaglyph)
        case .preview: return DepthView(coloring, isEnlarged: isEnlarged)
        case .depth: return DepthSamplesView(isIn16Bits: output.holdsMillimeters)
        case .rgbd: return SideBySideView(coloring)
        case .mask:
            let subject = NetworkFrames.subjectDistances
            if isMatte {
                return MaskView(
                    try backdrop(rate: rate, limits), far: subject.far, softness: subject.softness)
            }
            return MaskView(
                try backdrop(rate: rate, limits), near: near, far: far, softness: softness,
                mattes: mattes(of: description))
        case .blur:
            guard !isMatte else {
                throw UnsuitableNetwork("this network gives a matte, and blur needs depth")
            }
            var blur = blur
            if let focus, let size = description.colorSize { blur.focus = try focus.fractions(of: size) }
            return BlurView(blur, treatment, of: description)
        case .layer:
            guard let layer else { return ColorView() }
            let picture = try named(layer.path) {
                try openInputPicture($0, limits: limits).translucentImage()
            }
            let size = description.colorSize ?? PixelSize(width: 1, height: 1)
            return OccludeView(
                picture,
                .init(distance: layer.distance, center: try layer.center(in: size), width: layer.width))
        }
    }

    private func backdrop(rate: Double, _ limits: DecodingLimits) throws -> Backdrop {
        switch background {
        case .color(let color): return Backdrop(color)
        case .file(let path):
            if let frames = try named(path, { try FrameSequence($0) }) {
                let pictures = frames.frames.map(\.path)
                return Backdrop { NumberedPictures(pictures, rate: rate, limits: limits) }
            }
            if let picture = try? openInputPicture(path, limits: limits).image() {
                return Backdrop(FramePlane(picture))
            }
            return try named(path) { path in
                try PipeAsBackground.check(path, limits)
                let backdrop = Backdrop { try MovieSource(contentsOf: path, limits: limits) }
                // Report errors of the background before the first frame.
                try backdrop.prepare()
                return backdrop
            }
        case .none: return Backdrop(.black)
        }
    }

    /// Calls `body` with a file named besides the input, and attributes errors to that file.
    private func named<Value>(_ path: String, _ body: (String) throws -> Value) throws -> Value {
        do {
            return try body(path)
        } catch let failure as FileFailure {
            throw failure
        } catch {
            throw FileFailure(file: path, error: error)
        }
    }

    /// Reports background frames that could not be decoded.
    private func describe(_ backdrop: Backdrop, _ reporter: Reporter, of input: String) {
        guard backdrop.damagedFrames > 0, let path = background.path else { return }
        let lost = LostData(
            "\(backdrop.damagedFrames) frames could not be decoded; the frames before them are repeated")
        reporter.fail(FileFailure(file: path, error: lost), ofInput: input)
    }

    private func describe(
        _ report: FramePipeline.Report, of input: String, losing losses: String, _ reporter: Reporter
    ) {
        var text = report.written == 1 ? "1 frame" : "\(report.written) frames"
        if report.dropped > 0 { text += ", \(report.dropped) dropped" }
        text += "\(losses) → \(PictureOutput.shown(output.path))"
        reporter.conclude(text, of: input, isLossy: !losses.isEmpty)
        reporter.add([
            ("frames", .integer(report.written)), ("dropped", .integer(report.dropped)),
            ("failed", .integer(report.failed)),
            ("milliseconds", report.milliseconds(["decode", "render", "write"])),
        ])
    }
}

extension InsertedPicture {
    /// The position of the layer's center in a picture.
    func center(in picture: PixelSize) throws -> NormalizedPoint {
        try position?.fractions(of: picture) ?? NormalizedPoint(x: 0.5, y: 0.5)
    }
}

/// Finds the range of all known distances.
private final class RangeSink: FrameSink {
    private(set) var low = Float.infinity
    private(set) var high = -Float.infinity

    func write(_ frame: inout RenderedFrame) {
        for value in frame.depth.samples where value > 0 && value.isFinite {
            low = min(low, value)
            high = max(high, value)
        }
    }
}

extension FramePipeline.Report {
    /// How long each stage took for a frame, with the names of decoding, rendering and writing.
    func milliseconds(_ names: [String]) -> JSONValue {
        .object(
            zip(names, [decoding, rendering, writing]).map { name, times in
                let percentiles = [50.0, 95, 99].map { percentile -> (String, JSONValue) in
                    ("p\(Int(percentile))", .optional(times.milliseconds(percentile: percentile)))
                }
                return (name, .object(percentiles))
            })
    }
}

/// The error for a background that cannot be read again from its beginning.
private struct PipeAsBackground: Error, CustomStringConvertible {
    static func check(_ path: String, _ limits: DecodingLimits) throws {
        do throws(ContainerError) {
            guard path != "-" else { throw ContainerError(.pipe) }
            _ = try FileSource(path: path, limits: limits)
        } catch {
            throw error.reason == .pipe ? PipeAsBackground() : error
        }
    }

    var description: String {
        "a background repeats after its end, but a pipe cannot be read twice; write it to a file"
    }
}

/// The error if no frame could be written.
struct NoFrames: Error, CustomStringConvertible {
    var failed: Int

    var description: String {
        if Interruption.isRequested { return "stopped before the first frame" }
        return failed > 0
            ? "none of its \(failed) frames could be used" : "there is no frame from --start to --end"
    }
}
