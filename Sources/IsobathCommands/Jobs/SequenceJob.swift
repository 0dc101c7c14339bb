internal import EmbeddedFormats
internal import ImageContainers
internal import Isobath
internal import Movies
internal import Networks
internal import Recordings
internal import Sequences

/// Makes a movie, a stream or numbered frames of a sequence.
struct SequenceJob: Job {
    static let subcommand = "sequence"
    static let readsRecordings = true

    var limits: DecodingLimits
    var reading: SequenceReading
    /// The network that sees depth or a matte.
    var network: NetworkUse?
    var view: SequenceView
    var colormap: ColorMap
    var isEqualized: Bool
    var isEnlarged: Bool
    var keepsDepth: Bool
    /// Meters.
    var near: Float?
    var far: Float?
    var softness: Float?
    var background: BackgroundChoice?
    var layer: String?
    var distance: Float?
    var position: NormalizedPoint
    var layerWidth: Float?
    /// Seconds.
    var start: Double?
    var end: Double?
    var every: Int
    var filters: [FilterSetting]
    var isRealTime: Bool
    var showsStatistics: Bool
    var json: Bool
    var output: SequenceOutput

    var outputFolders: [String] { output.folders }
    var otherFiles: [String] {
        [background?.path, layer].compactMap(\.self) + reading.files + (network?.files ?? [])
    }
    var writesStandardOutput: Bool { output.path == "-" }
    var recordSchema: String? { json ? "isobath.sequence/1" : nil }

    func prepare() { network?.loadRuntime() }

    func perform(on input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter) throws {
        closeOnInterrupt()
        let input = input.path
        guard try output.prepare(keeping: originals) else {
            reporter.countSkipped(output.path)
            return reporter.remark("left as it is: \(output.path)", of: input)
        }
        let opened = try reading.open(input, limits: limits)
        let computed = try network.map { try $0.frames(of: opened, limits: limits) }
        let source: any FrameSource = computed?.frames ?? opened
        let isMatte = computed?.isMatte ?? false
        if isMatte, view != .mask { throw UnsuitableNetwork("a matte is for --view mask") }
        let noted = source.diagnostics
        reporter.report(noted, of: input)
        do {
            try check(source)
        } catch SequenceError.noDepth where SinglePhoto.isOne(input, limits) {
            throw SinglePhoto()
        }
        let usesMattes = usesMattes(of: source.description)
        if usesMattes {
            reporter.remark(
                "the mask is what the recording's mattes cover; --near or --far cut it from the depth",
                of: input)
        }
        if view == .occlude, layerWidth != nil, let size = source.description.colorSize,
            let remark = CameraCandidates(file: source.description.calibration).camera(for: size).source
                .remark
        {
            reporter.remark("\(remark); use --focal to set it", of: input)
        }
        let rate = (source.description.rate ?? 30) / Double(every)
        let rendered = try makeView(of: source.description, rate: rate, isMatte: isMatte)
        let hues = rendered as? HueDepthView
        let view = FilteredView(FilterSetting.filters(filters), rendered)
        let failures = FailureCount(input, reporter)
        var pipeline = FramePipeline()
        (pipeline.start, pipeline.end) = (start ?? 0, end ?? .infinity)
        (pipeline.every, pipeline.isRealTime) = (every, isRealTime)
        pipeline.shouldStop = { Interruption.isRequested }
        pipeline.reportFailure = { failures.add($0, frame: $1) }
        var report = FramePipeline.Report()
        // Colors are distances: they are coded better than pictures that are looked at.
        let tags = hues.map { MovieTags(comment: $0.comment, quality: 8) } ?? MovieTags()
        let isWritten = try output.write(
            source, of: input, rate: rate, tagging: tags, keeping: originals, reporter
        ) { sink in
            report = try pipeline.run(source, view, sink)
            guard report.written > 0 else { throw NoFrames(failed: report.failed) }
        }
        reporter.report(source.diagnostics, except: noted, of: input)
        failures.summarize()
        if let hues { describe(hues, of: input, reporter) }
        if let mask = rendered as? MaskView { describe(mask.backdrop, reporter, of: input) }
        if let samples = rendered as? DepthSamplesView, samples.beyondCount > 0 {
            let unit = source.description.depth?.scale.isMetric ?? false ? " m" : ""
            reporter.remark(
                "\(samples.beyondCount) samples beyond \(samples.reach)\(unit) are written as 0",
                of: input)
        }
        guard isWritten else { return reporter.countSkipped(output.path) }
        if case .frames = output.kind {} else { reporter.countWritten(output.path) }
        reporter.reportStop(after: report.reached, of: source.description.frameCount, input)
        describe(
            report, of: input, losing: failures.losses(missing: source.description.missingCount), reporter)
        failures.record(missing: source.description.missingCount)
    }

    /// Throws where the view needs what the sequence does not have.
    private func check(_ source: any FrameSource) throws {
        let needsColor = view != .depth
        // The movie of a recording shows only then what it has.
        if needsColor { try source.prepare(.color) }
        let description = source.description
        let needsDepth = view != .color && !usesMattes(of: description)
        if needsDepth, description.depth == nil { throw SequenceError.noDepth }
        if needsColor, description.colorSize == nil { throw SequenceError.noColor }
        let givesMeters =
            view == .occlude || view == .record3D || near != nil || far != nil || softness != nil
        let needsMeters = givesMeters || network != nil && keepsDepth
        if needsMeters, view != .color, !(description.depth?.scale.isMetric ?? false) {
            throw SequenceError.noUnit
        }
    }

    /// Whether the mask is the recording's own mattes: where nothing else says what the subject is.
    private func usesMattes(of description: SequenceDescription) -> Bool {
        view == .mask && description.hasMattes && near == nil && far == nil && network == nil
    }

    private func makeView(
        of description: SequenceDescription, rate: Double, isMatte: Bool
    ) throws -> any FrameView {
        let coloring = DepthColoring(colormap, isEqualized: isEqualized, near: near, far: far)
        switch view {
        case .color: return ColorView()
        case .depth:
            return keepsDepth
                ? DepthSamplesView(isIn16Bits: output.kind != .stream(.grayf32le))
                : DepthView(coloring, isEnlarged: isEnlarged)
        case .sideBySide: return SideBySideView(coloring)
        case .record3D:
            return HueDepthView(
                (near ?? 0)...(far ?? (near ?? 0) + 3), of: description, isEnlarged: isEnlarged)
        case .mask:
            let subject = NetworkFrames.subjectDistances
            if isMatte {
                return MaskView(try backdrop(rate: rate), far: subject.far, softness: subject.softness)
            }
            return MaskView(
                try backdrop(rate: rate), near: near, far: far, softness: softness,
                usesMattes: usesMattes(of: description))
        case .occlude:
            let picture = try named(layer) { try openPicture($0, limits: limits).translucentImage() }
            return OccludeView(
                picture,
                .init(distance: distance ?? 1, center: position, width: layerWidth))
        }
    }

    private func backdrop(rate: Double) throws -> Backdrop {
        switch background {
        case .color(let color): return Backdrop(color)
        case .file(let path):
            if let frames = try named(path, { try FrameSequence($0) }) {
                let pictures = frames.frames.map(\.path)
                return Backdrop { NumberedPictures(pictures, rate: rate, limits: limits) }
            }
            if let picture = try? openPicture(path, limits: limits).image() {
                return Backdrop(FramePlane(picture))
            }
            return try named(path) { path in
                try PipeAsBackground.check(path, limits)
                let backdrop = Backdrop { try SequenceReading().open(path, limits: limits) }
                // Whatever is wrong with it is found before the first frame.
                try backdrop.prepare()
                return backdrop
            }
        case BackgroundChoice.none?, nil: return Backdrop(.black)
        }
    }

    /// Calls `body` with a file that is named beside the input: its errors are about that file.
    private func named<Value>(_ path: String?, _ body: (String) throws -> Value) throws -> Value {
        do {
            return try body(path ?? "")
        } catch let failure as FileFailure {
            throw failure
        } catch {
            throw FileFailure(file: path ?? "", error: error)
        }
    }

    /// Reports frames of the background that could not be decoded.
    private func describe(_ backdrop: Backdrop, _ reporter: Reporter, of input: String) {
        guard backdrop.damagedFrames > 0, let path = background?.path else { return }
        let lost = LostData(
            "\(backdrop.damagedFrames) frames could not be decoded; the ones before them stay")
        reporter.fail(FileFailure(file: path, error: lost), ofInput: input)
    }

    /// Says which distances have no hue.
    private func describe(_ hues: HueDepthView, of input: String, _ reporter: Reporter) {
        guard hues.counts.outside > 0 else { return }
        let share = 100 * Float(hues.counts.outside) / Float(hues.counts.known)
        reporter.remark(
            "\(share.short) % of the known distances are unknown in it: hues say \(hues.codable.lowerBound.short) to"
                + " \(hues.codable.upperBound.short) m; --near and --far set that", of: input)
    }

    private func describe(
        _ report: FramePipeline.Report, of input: String, losing losses: String, _ reporter: Reporter
    ) {
        var text = report.written == 1 ? "1 frame" : "\(report.written) frames"
        if report.dropped > 0 { text += ", \(report.dropped) dropped" }
        text += "\(losses) → \(PictureOutput.shown(output.path))"
        reporter.conclude(text, of: input, isLossy: !losses.isEmpty)
        let stages = report.stages(["decode", "render", "write"])
        if showsStatistics { report.describe(stages.map(\.name), of: input, reporter) }
        reporter.add([
            ("frames", .integer(report.written)), ("dropped", .integer(report.dropped)),
            ("failed", .integer(report.failed)),
            (
                "milliseconds",
                .object(
                    stages.map { name, times in
                        (
                            name,
                            .object(
                                [50.0, 95, 99].map {
                                    (
                                        "p\(Int($0))",
                                        times.milliseconds(percentile: $0).map { .number($0) } ?? .null
                                    )
                                })
                        )
                    })
            ),
        ])
    }
}

extension FramePipeline.Report {
    /// The stages by their names.
    func stages(_ names: [String]) -> [(name: String, times: StageTimes)] {
        Array(zip(names, [decoding, rendering, writing])).map { (name: $0, times: $1) }
    }

    /// Says how long each stage took.
    func describe(_ names: [String], of input: String, _ reporter: Reporter) {
        for (name, times) in stages(names) {
            let values = [50.0, 95, 99].compactMap { percentile in
                times.milliseconds(percentile: percentile).map { "p\(Int(percentile)) \(Float($0).short) ms" }
            }
            guard !values.isEmpty else { continue }
            reporter.remark("\(name): \(values.joined(separator: ", "))", of: input)
        }
    }
}

/// A photo with depth that was given for a sequence of frames.
private struct SinglePhoto: Error, CustomStringConvertible {
    static func isOne(_ path: String, _ limits: DecodingLimits) -> Bool {
        guard path != "-", let photo = try? DepthPhoto(contentsOf: path, limits: limits) else {
            return false
        }
        return !photo.planes.isEmpty
    }

    var description: String { "it is a single photo; extract, view and animate show its depth" }
}

/// A background that cannot be read again from its beginning.
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
        "a background is shown again after its end, and a pipe cannot be read again; write it to a file"
    }
}

/// No frame could be written.
struct NoFrames: Error, CustomStringConvertible {
    var failed: Int

    var description: String {
        if Interruption.isRequested { return "stopped before the first frame" }
        return
            failed > 0
            ? "none of its \(failed) frames could be used" : "there is no frame between '--start' and '--end'"
    }
}
