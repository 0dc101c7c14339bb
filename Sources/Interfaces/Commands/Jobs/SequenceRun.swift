internal import Embedded
internal import Isobath
internal import Movies
internal import Networks
internal import Scenes

/// The frames of an input on their way to an output: renders them until the user stops the program, and reports what is lost.
final class SequenceRun {
    /// The frames.
    let source: any SceneSequence
    /// The network that computes depth or a matte of each frame.
    var network: NetworkUse?
    /// Why a network that gives a matte is refused; `nil` if the effect uses it.
    var refusalOfMatte: String? = "this network gives a matte, which composite uses"
    /// The treatment of depth before the effect.
    var treatment = MapTreatment()
    /// Which frames were read, rendered and written.
    private(set) var report = SceneLoop.Report()
    private let input: String
    private let reporter: Reporter
    private let failures: FailureCount
    private let limits: DecodingLimits
    private let rate: Double?
    private var noted: [Diagnostic] = []
    private var loop = SceneLoop()

    init(
        _ source: any SceneSequence, of file: Input, for job: some Job, _ selection: FrameSelection,
        _ reporter: Reporter
    ) {
        (self.source, input, self.reporter) = (source, file.path, reporter)
        (limits, rate) = (job.limits, job.reading.rate)
        failures = FailureCount(input, reporter)
        loop.selection = selection
        loop.reportFailure = { [failures] in failures.add($0, frame: $1) }
    }

    /// Writes what an effect makes of the frames, and reports it.
    ///
    /// `effect` gets the description of the frames, with what the network computes; `planes` are opened before, as only then does a
    /// recording's movie tell what it has. `finish` reports more once all frames are rendered.
    func write(
        to output: SequenceOutput, keeping originals: Set<FileIdentity>,
        needing planes: Set<PlaneID> = [.picture],
        _ effect: (_ frames: SceneDescription) throws -> FrameEffect, finish: () -> Void = {}
    ) throws {
        closeOnInterrupt()
        guard try output.prepare(keeping: originals) else {
            return output.existing.kept(output.path, reporter, of: input)
        }
        begin()
        let frames = try describe(planes)
        let effect = try effect(frames)
        try effect.check(frames)
        if case .frames = output.kind, effect.planes.contains(.depth), network == nil {
            try requireKnownDepth()
        }
        let isWritten = try render(prepared(effect), to: output, keeping: originals)
        reportDamage()
        reporter.report(effect.remarks(), of: input)
        finish()
        guard isWritten else { return }
        reportStop()
        conclude(output)
    }

    /// Throws if no frame has a known sample of depth. Reads frames up to the first one that has.
    private func requireKnownDepth() throws {
        struct Found: Error {}
        guard let frames = source.restarted() else { return }
        var (loop, counts) = (SceneLoop(), SampleCounts())
        loop.selection = self.loop.selection
        loop.selection.isRealTime = false
        do {
            try loop.forEach(frames, [.depth]) { frame in
                // Damaged frames are reported later.
                guard let plane = try? frame.scene.plane(.depth) else { return }
                guard let found = plane.storedCounts, found.unknown == found.total else { throw Found() }
                counts += found
            }
        } catch is Found {
            return
        }
        try counts.requireKnown()
    }

    /// Reports what is known of the source before the first frame.
    func begin() {
        noted = source.diagnostics
        reporter.report(noted, of: input)
    }

    /// Renders all frames into an output, and counts its file. Returns `false` if an existing file was kept.
    func render(
        _ effect: FrameEffect, to output: SequenceOutput, keeping originals: Set<FileIdentity>
    ) throws -> Bool {
        let isWritten = try output.write(
            source, of: input, rate: outputRate, range: effect.range, keeping: originals, reporter
        ) { sink in try run(effect, sink) }
        if case .frames = output.kind { return true }
        isWritten ? reporter.countWritten(output.path) : reporter.countSkipped(output.path)
        return isWritten
    }

    /// Frames per second of a movie.
    var outputRate: Double { rate ?? (source.extent.rate ?? 30) / Double(loop.selection.step) }

    /// The range of all values that an effect renders, within bounds; `nil` without a known one. Reads all frames.
    func range(
        _ lowest: Float?, _ highest: Float?, of effect: FrameEffect, includingZero: Bool
    ) throws -> ClosedRange<Float>? {
        if let lowest, let highest { return lowest...highest }
        guard let frames = source.restarted() else {
            throw Failure(
                "--values normalized needs the range of all frames, and these can be read only once; give --near and --far, or --values millimeters"
            )
        }
        let found = RangeSink(includesZero: includingZero)
        var loop = SceneLoop()
        loop.selection = self.loop.selection
        loop.selection.isRealTime = false
        _ = try loop.run(frames, prepared(effect), found)
        guard found.low <= found.high else { return nil }
        return min(lowest ?? found.low, found.high)...max(highest ?? found.high, lowest ?? found.low)
    }

    /// What frames have in common, with what the network computes.
    private func describe(_ planes: Set<PlaneID>) throws -> SceneDescription {
        try source.prepare(network == nil ? planes : planes.union([.picture]))
        guard let network else { return source.description }
        guard source.description.colorSize != nil else { throw SequenceError.noColor }
        let (computed, remark) = try network.scene(
            for: DepthScene(describing: source.description), limits: limits)
        if let remark { reporter.remark(remark, of: input) }
        if let refusalOfMatte, try network.open(limits).answer == .matte { throw Failure(refusalOfMatte) }
        return computed.description
    }

    /// The effect on frames with the network's depth or matte, if there is a network, and with treated depth.
    private func prepared(_ effect: FrameEffect) -> FrameEffect {
        let treated = effect.treating(treatment)
        guard let network else { return treated }
        return treated.after(.measured) { [limits] in try network.scene(for: $0, limits: limits).scene }
    }

    /// Renders all frames. Throws if no frame is written, and errors of the source and the sink.
    func run(_ effect: FrameEffect, _ sink: any FrameSink) throws {
        report = try loop.run(source, effect, sink)
        if effect.planes.contains(.depth), !Interruption.isRequested { try report.counts.requireKnown() }
        guard report.written == 0 else { return }
        throw Failure(
            Interruption.isRequested
                ? "stopped before the first frame"
                : report.failed > 0
                    ? "none of its \(report.failed) frames could be used"
                    : "there is no frame from --start to --end")
    }

    /// Reports what reading showed, and how many frames could not be used.
    func reportDamage() {
        reporter.report(source.diagnostics, except: noted, of: input)
        if let remark = report.counts.remarkOnMisses { reporter.report([remark], of: input) }
        failures.summarize()
    }

    /// Reports that the user stopped the program before the last frame.
    func reportStop() {
        reporter.reportStop(after: report.reached, of: source.extent.frameCount, input)
    }

    /// The lost frames, for the line that ends a run; empty if no frames were lost.
    var losses: String { failures.losses(missing: source.extent.missingCount) }

    /// Adds the numbers of lost frames to the line of JSON.
    func recordLosses() { failures.record(missing: source.extent.missingCount) }

    private func conclude(_ output: SequenceOutput) {
        let losses = losses
        var text = report.written == 1 ? "1 frame" : "\(report.written) frames"
        if report.dropped > 0 { text += ", \(report.dropped) dropped" }
        text += losses
        if output.isNormalized { text += ", normalized over the range in their records" }
        text += " → \(PictureOutput.shown(output.path))"
        reporter.conclude(text, of: input, isLossy: !losses.isEmpty)
        reporter.add([
            ("frames", .integer(report.written)), ("dropped", .integer(report.dropped)),
            ("failed", .integer(report.failed)),
            ("sampleKinds", report.counts.total > 0 ? report.counts.record : .null),
            ("milliseconds", report.milliseconds(["decode", "render", "write"])),
        ])
        recordLosses()
    }
}

/// Finds the range of all known values.
private final class RangeSink: FrameSink {
    private let includesZero: Bool
    private(set) var low = Float.infinity
    private(set) var high = -Float.infinity

    init(includesZero: Bool) { self.includesZero = includesZero }

    func write(_ frame: inout RenderedFrame) {
        for value in frame.depth.samples where (value > 0 || value == 0 && includesZero) && value.isFinite {
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

extension RecordedEyes? {
    /// Throws unless these frames have pictures of these eyes.
    func require(_ eyes: [Eye] = [.right, .left]) throws(Failure) {
        for eye in eyes where self?.reads(eye) != true {
            guard let recorded = self else {
                throw Failure("the \(eye.rawValue) eye is asked for, and these frames have one eye")
            }
            throw Failure(
                recorded.isLayered
                    ? "the \(eye.rawValue) eye of this spatial video needs FFmpeg 7.1 or newer, and this is \(MovieLibrary.version ?? "missing")"
                    : "the \(eye.rawValue) eye is asked for, and the file has no second layer or track")
        }
    }
}
