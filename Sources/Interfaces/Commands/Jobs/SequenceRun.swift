internal import Embedded
internal import Isobath
internal import Scenes

/// The frames of an input on their way to an output: renders them until the user stops the program, and reports what is lost.
final class SequenceRun {
    /// The frames.
    let source: any SceneSequence
    /// Which frames were read, rendered and written.
    private(set) var report = SceneLoop.Report()
    private let input: String
    private let reporter: Reporter
    private let noted: [Diagnostic]
    private let failures: FailureCount
    private var loop = SceneLoop()

    /// Reports what is known of the source before the first frame.
    init(
        _ source: any SceneSequence, of input: String, _ selection: FrameSelection, isRealTime: Bool = false,
        _ reporter: Reporter
    ) {
        (self.source, self.input, self.reporter) = (source, input, reporter)
        noted = source.diagnostics
        failures = FailureCount(input, reporter)
        reporter.report(noted, of: input)
        (loop.selection, loop.isRealTime) = (selection, isRealTime)
        loop.reportFailure = { [failures] in failures.add($0, frame: $1) }
    }

    /// Renders all frames. Throws ``NoFrames`` if no frame is written, and errors of the source and the sink.
    func run(_ effect: FrameEffect, _ sink: any FrameSink) throws {
        report = try loop.run(source, effect, sink)
        guard report.written > 0 else { throw NoFrames(failed: report.failed) }
    }

    /// Reports what reading showed, and how many frames could not be used.
    func reportDamage() {
        reporter.report(source.diagnostics, except: noted, of: input)
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
}
