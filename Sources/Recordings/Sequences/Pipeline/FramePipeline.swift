internal import Dispatch
internal import Synchronization

/// Decodes, renders and writes frames at the same time, each on its own thread.
///
/// A few sets of buffers circulate between the threads, so that memory does not grow with the number of frames, and a slow
/// stage makes the others wait.
package struct FramePipeline {
    /// The frames that are used.
    package var selection = FrameSelection()
    /// Whether frames are paced by their times, and late frames are dropped.
    package var isRealTime = false
    /// Called before each frame: whether to end as if it were the last.
    package var shouldStop: @Sendable () -> Bool = { false }
    /// Called for each frame that could not be decoded or rendered. The others continue.
    package var reportFailure: @Sendable (any Error, Int) -> Void = { _, _ in }

    /// A summary of the run.
    package struct Report: Sendable {
        /// Frames of the source that were reached, used or not.
        package var reached = 0
        /// Frames that were written.
        package var written = 0
        /// Frames that were dropped because they were late.
        package var dropped = 0
        /// Frames that could not be decoded or rendered.
        package var failed = 0
        /// How long decoding, rendering and writing took for each frame.
        package var decoding = StageTimes()
        package var rendering = StageTimes()
        package var writing = StageTimes()

        /// Nothing was done yet.
        package init() {}
    }

    /// How many frames are in flight at once, in either form.
    private static let buffers = 4

    /// All frames, as fast as possible.
    package init() {}

    /// Runs until the source ends, `shouldStop` returns true, or writing fails. Throws errors of the source and the sink; the
    /// error of a single frame goes to `reportFailure`.
    package func run(
        _ source: any FrameSource, _ view: any FrameView, _ sink: any FrameSink
    ) throws -> Report {
        try source.prepare(view.parts)
        let circuit = Circuit(buffers: Self.buffers)
        let report = Mutex(Report())
        let failure = Mutex<(any Error)?>(nil)
        let group = DispatchGroup()
        let parts = view.parts
        let rendering = Rendering(view: view)
        let reportFailure = reportFailure
        DispatchQueue(label: "isobath.decode").async(group: group) {
            do {
                try decode(source, parts, circuit, report)
            } catch {
                failure.withLock { $0 = error }
            }
            circuit.decoded.close()
        }
        DispatchQueue(label: "isobath.render").async(group: group) {
            while let frame = circuit.decoded.take() {
                guard let output = circuit.emptyOutputs.take() else { break }
                (output.content.index, output.content.time) = (frame.content.index, frame.content.time)
                let began = ContinuousClock.now
                do {
                    try rendering.view.render(&frame.content, into: &output.content)
                    report.withLock { $0.rendering.add(.now - began) }
                    circuit.empty.add(frame)
                    guard circuit.rendered.add(output) else { break }
                } catch {
                    reportFailure(error, frame.content.index)
                    report.withLock { $0.failed += 1 }
                    circuit.empty.add(frame)
                    circuit.emptyOutputs.add(output)
                }
            }
            circuit.rendered.close()
        }
        while let output = circuit.rendered.take() {
            let began = ContinuousClock.now
            do {
                try sink.write(&output.content)
            } catch {
                failure.withLock { $0 = error }
                circuit.stop()
                break
            }
            report.withLock {
                $0.writing.add(.now - began)
                $0.written += 1
            }
            circuit.emptyOutputs.add(output)
        }
        group.wait()
        if let error = failure.withLock(\.self) { throw error }
        return report.withLock(\.self)
    }

    private func decode(
        _ source: any FrameSource, _ parts: FrameParts, _ circuit: Circuit, _ report: borrowing Mutex<Report>
    ) throws {
        var number = 0
        var clock: (began: ContinuousClock.Instant, time: Double)?
        while !shouldStop() {
            let began = ContinuousClock.now
            guard let time = try source.advance() else { return }
            report.withLock { $0.reached += 1 }
            guard selection.isBeforeEnd(time) else { return }
            guard selection.contains(time) else { continue }
            defer { number += 1 }
            guard number % selection.step == 0 else { continue }
            var spent = ContinuousClock.now - began
            let frame: Buffer<SequenceFrame>?
            if isRealTime {
                let start = clock ?? (ContinuousClock.now, time)
                clock = start
                let due = start.began + .seconds(min(time - start.time, FrameTimes.longest))
                if due > .now { sleep(until: due) }
                frame = circuit.empty.takeAtOnce()
                if frame == nil {
                    report.withLock { $0.dropped += 1 }
                    continue
                }
            } else {
                frame = circuit.empty.take()
            }
            guard let frame else { return }
            let reading = ContinuousClock.now
            do {
                try source.read(parts, into: &frame.content)
                spent += ContinuousClock.now - reading
                report.withLock { $0.decoding.add(spent) }
                guard circuit.decoded.add(frame) else { return }
            } catch {
                reportFailure(error, frame.content.index)
                report.withLock { $0.failed += 1 }
                circuit.empty.add(frame)
            }
        }
    }

    /// Sleeps in short intervals, so that stopping is noticed.
    private func sleep(until instant: ContinuousClock.Instant) {
        let never = DispatchSemaphore(value: 0)
        while !shouldStop() {
            let left = instant - ContinuousClock.now
            guard left > .zero else { return }
            let parts = min(left, .milliseconds(50)).components
            _ = never.wait(timeout: .now() + .nanoseconds(Int(parts.attoseconds / 1_000_000_000)))
        }
    }
}

/// Hands a view over to the only thread that uses it until the pipeline ends.
private struct Rendering: @unchecked Sendable {
    let view: any FrameView
}

/// A set of buffers that is passed by reference, so that its memory never has two owners.
///
/// It belongs to the thread that took it from a queue.
private final class Buffer<Content: Sendable>: @unchecked Sendable {
    var content: Content

    init(_ content: Content) { self.content = content }
}

/// The queues of circulating buffer sets.
private final class Circuit: Sendable {
    let empty: BoundedQueue<Buffer<SequenceFrame>>
    let decoded: BoundedQueue<Buffer<SequenceFrame>>
    let emptyOutputs: BoundedQueue<Buffer<RenderedFrame>>
    let rendered: BoundedQueue<Buffer<RenderedFrame>>

    init(buffers: Int) {
        empty = BoundedQueue(capacity: buffers)
        decoded = BoundedQueue(capacity: buffers)
        emptyOutputs = BoundedQueue(capacity: buffers)
        rendered = BoundedQueue(capacity: buffers)
        for _ in 0..<buffers {
            empty.add(Buffer(SequenceFrame()))
            emptyOutputs.add(Buffer(RenderedFrame()))
        }
    }

    /// Ends all waits.
    func stop() {
        empty.close()
        decoded.close()
        emptyOutputs.close()
        rendered.close()
    }
}
