internal import Embedded
internal import Isobath
internal import Movies
internal import Networks
internal import Recordings
internal import Scenes

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
    /// The treatment of depth before the view is made.
    var treatment = MapTreatment()
    /// The flags on the command line.
    var given = GivenFlags()
    var selection = FrameSelection()
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
        on source: any SceneSequence, of input: String, limits: DecodingLimits,
        keeping originals: Set<FileIdentity>, _ reporter: Reporter, reopen: () throws -> any SceneSequence
    ) throws {
        closeOnInterrupt()
        guard try output.prepare(keeping: originals) else {
            reporter.countSkipped(output.path)
            return reporter.remark("already exists and was kept: \(output.path)", of: input)
        }
        let run = SequenceRun(source, of: input, selection, isRealTime: isRealTime, reporter)
        let frame = try checked(source, input, limits, reporter)
        let mattes = mattes(of: frame)
        if matte == nil, network == nil, !mattes.isEmpty {
            let remedy = frame.depth == nil ? "" : "; --near or --far cut it from the depth"
            reporter.remark("using the recording's mattes as the mask\(remedy)", of: input)
        }
        if let layer, layer.width != nil, let size = frame.colorSize,
            let remark = frame.cameras.camera(for: size).source.remark
        {
            reporter.remark("\(remark); use --camera to set it", of: input)
        }
        let rate = rate ?? (source.extent.rate ?? 30) / Double(selection.step)
        let range = try fixedRange(limits, reopen)
        let background = try view == .mask ? background(rate: rate, limits) : nil
        var (last, beyond, reach): (BlurredScene?, Int, Float) = (nil, 0, 0)
        var remarks: [Diagnostic] = []
        let effect = try effect(on: frame, background, limits) { blurred in
            for remark in blurred.diagnostics where !remarks.contains(where: { $0.code == remark.code }) {
                remarks.append(remark)
            }
            last = blurred
        } tooFar: {
            (beyond, reach) = (beyond + $0, $1)
        }
        let isWritten = try output.write(
            source, of: input, rate: rate, range: range, keeping: originals, reporter
        ) { sink in try run.run(prepared(effect, limits), sink) }
        run.reportDamage()
        reporter.report(remarks, of: input)
        if let last {
            reporter.remark("the last frame: \(last.words(frame.depth?.scale ?? .unitless))", of: input)
        }
        if let background { describe(background, reporter, of: input) }
        if output.holdsMillimeters, beyond > 0 {
            let unit = frame.depth?.scale.isMetric ?? false ? " m" : ""
            reporter.remark("\(beyond) samples beyond \(reach)\(unit) are written as 0", of: input)
        }
        guard isWritten else { return reporter.countSkipped(output.path) }
        if case .frames = output.kind {} else { reporter.countWritten(output.path) }
        run.reportStop()
        describe(run.report, of: input, losing: run.losses, reporter)
        run.recordLosses()
    }

    /// The effect on frames with the network's depth or matte, if there is a network, and with treated depth.
    private func prepared(_ effect: FrameEffect, _ limits: DecodingLimits) -> FrameEffect {
        let treated = effect.treating(treatment)
        guard let network else { return treated }
        return treated.after(.measured) { try network.scene(for: $0, limits: limits).scene }
    }

    /// The range of 16-bit samples in normalized numbered frames: from flags, otherwise the range of all frames. `nil`
    /// for other outputs, or without a known distance.
    private func fixedRange(
        _ limits: DecodingLimits, _ reopen: () throws -> any SceneSequence
    ) throws -> ClosedRange<Float>? {
        guard view == .depth, output.isNormalized else { return nil }
        if let near, let far { return near...far }
        let found = RangeSink()
        var loop = SceneLoop()
        loop.selection = selection
        let depth = FrameEffect.depth(isUpsampled: isEnlarged) { _, _ in }
        _ = try loop.run(reopen(), prepared(depth, limits), found)
        guard found.low <= found.high else { return nil }
        return min(near ?? found.low, found.high)...max(far ?? found.high, near ?? found.low)
    }

    /// What frames have in common, with the network's results. Throws if the input lacks a plane that the view needs.
    private func checked(
        _ source: any SceneSequence, _ input: String, _ limits: DecodingLimits, _ reporter: Reporter
    ) throws -> SceneDescription {
        let needsColor = view != .depth && view != .preview && view != .matte || network != nil
        // Only now does a recording's movie report which planes it has.
        if needsColor { try source.prepare([.picture]) }
        var frame = source.description
        if view.showsRight, frame.eyes?.areBothRead != true {
            throw MissingEye(eye: .right, eyes: frame.eyes)
        }
        if needsColor, frame.colorSize == nil { throw SequenceError.noColor }
        if let network {
            let (computed, remark) = try network.scene(for: DepthScene(describing: frame), limits: limits)
            if let remark { reporter.remark(remark, of: input) }
            frame = computed.description
            let isMatte = try network.open(limits).answer == .matte
            if isMatte, view == .blur {
                throw UnsuitableNetwork("this network gives a matte, and blur needs depth")
            }
            if isMatte, view != .mask {
                throw UnsuitableNetwork("this network gives a matte, which composite uses")
            }
        }
        let mattes = mattes(of: frame)
        if let missing = mattes.first(where: { !frame.mattes.contains($0) }) {
            throw SceneError.noPlane(missing, available: frame.planes)
        }
        let needsDepth = !view.isOfPictures && mattes.isEmpty
        if needsDepth, frame.depth == nil {
            throw view == .mask && matte == nil && !frame.mattes.isEmpty
                ? SceneError.noPlane(.matte, available: frame.planes) : SequenceError.noDepth
        }
        if !needsDepth, !treatment.isEmpty {
            for flag in ["min-confidence", "dequantize", "fill-holes", "smooth"] {
                try given.refuse(
                    flag, because: "the subject is a matte, and not cut from depth", Input(path: input),
                    reporter)
            }
        }
        let givesMeters =
            view == .layer || blur.focusDistance != nil || near != nil || far != nil || softness != nil
        let needsMeters = givesMeters || network != nil && view == .depth
        if needsMeters, needsDepth, !(frame.depth?.scale.isMetric ?? false) {
            throw SequenceError.noUnit
        }
        return frame
    }

    /// The recording's mattes that are the mask, or shown; empty if the mask is cut from depth, or computed.
    private func mattes(of frame: SceneDescription) -> [PlaneKind] {
        switch matte {
        case .kinds(let kinds): kinds
        case nil where view == .mask: frame.mattes.filter { $0 == .matte }
        default: []
        }
    }

    private func effect(
        on frame: SceneDescription, _ background: MovingBackground?, _ limits: DecodingLimits,
        blurred: @escaping (BlurredScene) -> Void, tooFar: @escaping (_ count: Int, _ reach: Float) -> Void
    ) throws -> FrameEffect {
        let coloring = DepthColoring(colormap, near: near, far: far)
        switch view {
        case .color: return .color
        case .matte: return .matte(mattes(of: frame).first ?? .matte)
        case .right: return .rightEye
        case .eyes: return .eyes(.sideBySide)
        case .anaglyph: return .eyes(.anaglyph)
        case .preview: return .depthColors(coloring, isEnlarged: isEnlarged)
        case .depth: return .depth(isUpsampled: isEnlarged, tooFar)
        case .rgbd: return .pictureAndDepth(coloring)
        case .mask:
            return .cutout(
                over: background ?? MovingBackground(.black), near: near, far: far, softness: softness,
                mattes: mattes(of: frame))
        case .blur:
            var blur = blur
            if let focus, let size = frame.colorSize { blur.focus = try focus.fractions(of: size) }
            return .blur(blur, blurred)
        case .layer:
            guard let layer else { return .color }
            let picture = try named(layer.path) {
                try openInputPicture($0, limits: limits).translucentImage()
            }
            let size = frame.colorSize ?? PixelSize(width: 1, height: 1)
            return .layer(
                picture, at: layer.distance, center: try layer.center(in: size), width: layer.width)
        }
    }

    private func background(rate: Double, _ limits: DecodingLimits) throws -> MovingBackground {
        switch background {
        case .none: return MovingBackground(.black)
        case .color(let color): return MovingBackground(color)
        case .file(let path):
            return try named(path) { path in
                if let pictures = try FrameSequence(path)?.frames.map(\.path) {
                    return try MovingBackground { NumberedPictures(pictures, rate: rate, limits: limits) }
                }
                try PipeAsBackground.check(path, limits)
                do {
                    return try MovingBackground(openInputPicture(path, limits: limits))
                } catch let error as ContainerError where error.isForeignFile {
                    return try MovingBackground { try MovieSource(contentsOf: path, limits: limits) }
                }
            }
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

    /// Reports what to know about the background, and its frames that could not be decoded.
    private func describe(_ shown: MovingBackground, _ reporter: Reporter, of input: String) {
        guard let path = background.path else { return }
        reporter.report(shown.diagnostics, of: path)
        guard shown.damagedFrames > 0 else { return }
        let lost = LostData(
            "\(shown.damagedFrames) frames could not be decoded; the frames before them are repeated")
        reporter.fail(FileFailure(file: path, error: lost), ofInput: input)
    }

    private func describe(
        _ report: SceneLoop.Report, of input: String, losing losses: String, _ reporter: Reporter
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

extension SceneLoop.Report {
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
