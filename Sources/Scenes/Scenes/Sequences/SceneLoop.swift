internal import DepthMaps
package import DepthTypes
internal import Dispatch
internal import Synchronization

/// The loop over the frames of a sequence: decodes ahead, into a few buffers that are reused, so that memory does not grow with the
/// number of frames, and a slow stage makes the others wait.
///
/// Ends when the sequence ends, or when the user stops the program, see ``Interruption``.
package struct SceneLoop {
    /// The frames that are used.
    package var selection = FrameSelection()
    /// Called for each frame that could not be decoded or rendered. The others continue.
    package var reportFailure: @Sendable (any Error, Int) -> Void = { _, _ in }

    /// What a loop did.
    package struct Report: Sendable {
        /// Frames of the sequence that were reached, used or not.
        package var reached = 0
        /// Frames that were written.
        package var written = 0
        /// Frames that were dropped because they were late.
        package var dropped = 0
        /// Frames that could not be decoded or rendered.
        package var failed = 0
        /// How many samples of depth are stored of each kind.
        package var counts = SampleCounts()
        /// How long decoding, rendering and writing took for each frame.
        package var decoding = StageTimes()
        package var rendering = StageTimes()
        package var writing = StageTimes()

        /// Nothing was done yet.
        package init() {}
    }

    /// All frames, as fast as possible.
    package init() {}

    // MARK: Effects

    /// Renders each frame, and writes the result on a thread of its own. Throws errors of the sequence and the sink; the error of a
    /// single frame goes to ``reportFailure``.
    package func run(
        _ sequence: any SceneSequence, _ effect: FrameEffect, _ sink: any FrameSink
    ) throws -> Report {
        let report = MutexBox(Report())
        let writer = FrameWriter(sink, report)
        let result = Result {
            try forEach(sequence, effect.planes, report, { _ in }) { frame in
                guard let output = writer.empty.take() else { throw FrameWriter.Stopped() }
                do {
                    try frame.result.get()
                    let began = ContinuousClock.now
                    (output.content.index, output.content.time) = (frame.index, frame.time)
                    try effect.render(frame.scene, &output.content)
                    report.content.withLock { $0.rendering.add(.now - began) }
                } catch {
                    reportFailure(error, frame.index)
                    report.content.withLock { $0.failed += 1 }
                    writer.empty.add(output)
                    return
                }
                try writer.add(output)
            }
        }
        try writer.finish()
        try result.get()
        return report.content.withLock(\.self)
    }

    // MARK: Frames

    /// A frame that was decoded, and what was made of it.
    package struct DecodedFrame<Output: Sendable> {
        /// The frame. Its planes that can be decoded are there even if others cannot.
        package let scene: DepthScene
        /// What was made of the frame, or why that failed.
        package let result: Result<Output, any Error>

        /// The index of the frame in its sequence.
        package var index: Int { scene.description.index ?? 0 }
        /// Seconds since the first frame.
        package var time: Double { scene.description.time ?? 0 }
    }

    /// Passes each frame to `body`, in order; `process` is called for several frames at once before that. Throws errors of the
    /// sequence and of `body`.
    package func forEach<Output: Sendable>(
        _ sequence: any SceneSequence, _ planes: Set<PlaneID>,
        _ process: @escaping @Sendable (DepthScene) throws -> Output,
        _ body: (DecodedFrame<Output>) throws -> Void
    ) throws { try forEach(sequence, planes, MutexBox(Report()), process, body) }

    /// As above, without processing.
    package func forEach(
        _ sequence: any SceneSequence, _ planes: Set<PlaneID>, _ body: (DecodedFrame<Void>) throws -> Void
    ) throws { try forEach(sequence, planes, { _ in }, body) }

    private func forEach<Output: Sendable>(
        _ sequence: any SceneSequence, _ planes: Set<PlaneID>, _ report: MutexBox<Report>,
        _ process: @escaping @Sendable (DepthScene) throws -> Output,
        _ body: (DecodedFrame<Output>) throws -> Void
    ) throws {
        try sequence.prepare(planes)
        let ahead = DecodingAhead(
            self, sequence, planes, report, processes: Output.self != Void.self, process)
        guard startsThreads, threadLimit > 1 else {
            // Some frames are decoded, then used.
            var isAtEnd = false
            while !isAtEnd {
                isAtEnd = try !ahead.decodeBatch()
                while let slot = ahead.decoded.takeAtOnce() { try ahead.use(slot, body) }
            }
            return
        }
        let failure = MutexBox<(any Error)?>(nil)
        let group = DispatchGroup()
        let limit = threadLimit
        DispatchQueue(label: "isobath.decode").async(group: group) {
            do {
                try withThreadLimit(limit) {
                    while try ahead.decodeBatch() {}
                }
            } catch {
                failure.content.withLock { $0 = error }
            }
            ahead.decoded.close()
        }
        defer {
            ahead.stop()
            group.wait()
        }
        while let slot = ahead.decoded.take() { try ahead.use(slot, body) }
        if let error = failure.content.withLock(\.self) { throw error }
    }
}

/// Decodes frames into slots that circulate.
private final class DecodingAhead<Output: Sendable>: @unchecked Sendable {
    /// A frame, and what was made of it. It belongs to the thread that took it from a queue.
    final class Slot: @unchecked Sendable {
        var buffer = FrameBuffer()
        var failure: (any Error)?
        var result: Result<Output, any Error>?
        /// How long decoding took.
        var spent = Duration.zero
    }

    let decoded: BoundedQueue<Slot>
    private let empty: BoundedQueue<Slot>
    private let loop: SceneLoop
    private let sequence: any SceneSequence
    private let planes: Set<PlaneID>
    private let report: MutexBox<SceneLoop.Report>
    private let process: @Sendable (DepthScene) throws -> Output
    private let batch: Int
    private let progress: LoopProgress
    // Used by the thread that decodes.
    private var number = 0
    private var clock: (began: ContinuousClock.Instant, time: Double)?
    private var isAtEnd = false

    init(
        _ loop: SceneLoop, _ sequence: any SceneSequence, _ planes: Set<PlaneID>,
        _ report: MutexBox<SceneLoop.Report>, processes: Bool,
        _ process: @escaping @Sendable (DepthScene) throws -> Output
    ) {
        (self.loop, self.sequence, self.planes) = (loop, sequence, planes)
        (self.report, self.process) = (report, process)
        let most = processes ? max(sequence.framesAtOnce, min(coreCount, 8)) : sequence.framesAtOnce
        batch = loop.selection.isRealTime ? 1 : most
        let isWhole = loop.selection.start == nil && loop.selection.end == nil
        progress = LoopProgress(of: .frame, total: isWhole ? sequence.extent.frameCount : nil)
        let count = max(4, batch + 1)
        (empty, decoded) = (BoundedQueue(capacity: count), BoundedQueue(capacity: count))
        for _ in 0..<count { empty.add(Slot()) }
    }

    /// Ends all waits.
    func stop() {
        empty.close()
        decoded.close()
    }

    /// Passes a frame to `body`, and takes its slot back.
    func use(
        _ slot: Slot, _ body: (SceneLoop.DecodedFrame<Output>) throws -> Void
    ) throws {
        if let result = slot.result {
            slot.result = nil
            try body(SceneLoop.DecodedFrame(scene: scene(in: slot), result: result))
            progress.report(report.content.withLock(\.reached))
        }
        empty.add(slot)
    }

    /// Decodes the next frames. Returns `false` after the last one.
    func decodeBatch() throws -> Bool {
        var slots: [Slot] = []
        while slots.count < batch, let slot = try beginNext(waits: slots.isEmpty) { slots.append(slot) }
        let begun = slots
        parallelFor(count: begun.count, minimum: 1) { range in
            for index in range { finish(begun[index]) }
        }
        for slot in slots { guard decoded.add(slot) else { return false } }
        return !slots.isEmpty && !isAtEnd
    }

    /// Begins the next frame that is used; `nil` after the last one, and without a free slot.
    private func beginNext(waits: Bool) throws -> Slot? {
        var slot: Slot?
        if !loop.selection.isRealTime {
            slot = waits ? empty.take() : empty.takeAtOnce()
            guard slot != nil else { return nil }
        }
        while !Interruption.isRequested {
            let began = ContinuousClock.now
            guard let time = try sequence.advance() else { break }
            report.content.withLock { $0.reached += 1 }
            guard loop.selection.isBeforeEnd(time) else { break }
            guard loop.selection.contains(time) else { continue }
            defer { number += 1 }
            guard number % loop.selection.step == 0 else { continue }
            let spent = ContinuousClock.now - began
            if loop.selection.isRealTime { slot = slotInTime(for: time) }
            guard let slot else {
                report.content.withLock { $0.dropped += 1 }
                continue
            }
            begin(slot)
            slot.spent += spent
            return slot
        }
        isAtEnd = true
        if let slot { empty.add(slot) }
        return nil
    }

    private func begin(_ slot: Slot) {
        let began = ContinuousClock.now
        if !isKnownUniquelyReferenced(&slot.buffer) { slot.buffer = FrameBuffer() }
        slot.failure = nil
        slot.buffer.replace(sequence.describe(), planes) { frame in
            do {
                try sequence.begin(planes, into: &frame)
            } catch {
                slot.failure = error
            }
        }
        slot.spent = .now - began
    }

    private func finish(_ slot: Slot) {
        let began = ContinuousClock.now
        slot.result = Result {
            try slot.buffer.update { description, frame in
                try sequence.finish(planes, of: description, into: &frame)
                report.content.withLock { $0.counts += frame.counts }
            }
            if let failure = slot.failure { throw failure }
            let spent = slot.spent + (.now - began)
            report.content.withLock { $0.decoding.add(spent) }
            return try process(scene(in: slot))
        }
    }

    private func scene(in slot: Slot) -> DepthScene { sequence.still ?? DepthScene(slot.buffer) }

    /// Waits until a frame is due. `nil` if it is late: no slot is free.
    private func slotInTime(for time: Double) -> Slot? {
        let start = clock ?? (ContinuousClock.now, time)
        clock = start
        let due = start.began + .seconds(min(time - start.time, FrameTimes.longest))
        let never = DispatchSemaphore(value: 0)
        // In short intervals, so that stopping is noticed.
        while !Interruption.isRequested {
            let left = due - ContinuousClock.now
            guard left > .zero else { break }
            let parts = min(left, .milliseconds(50)).components
            _ = never.wait(timeout: .now() + .nanoseconds(Int(parts.attoseconds / 1_000_000_000)))
        }
        return empty.takeAtOnce()
    }
}

/// Writes rendered frames on a thread of its own, if one can be started.
private final class FrameWriter {
    /// Writing failed, so that no more frames are wanted.
    struct Stopped: Error {}

    /// The memory of rendered frames that were written.
    let empty: BoundedQueue<Buffer>
    private let rendered: BoundedQueue<Buffer>
    private let work: Work
    private let group = DispatchGroup()
    private let hasThread = startsThreads

    /// A rendered frame. It belongs to the thread that took it from a queue.
    final class Buffer: @unchecked Sendable {
        var content = RenderedFrame()
    }

    /// Hands a sink over to the only thread that uses it until the loop ends.
    private final class Work: @unchecked Sendable {
        let sink: any FrameSink
        let report: MutexBox<SceneLoop.Report>
        let failure = MutexBox<(any Error)?>(nil)

        init(_ sink: any FrameSink, _ report: MutexBox<SceneLoop.Report>) {
            (self.sink, self.report) = (sink, report)
        }

        func write(_ frame: inout RenderedFrame) -> Bool {
            let began = ContinuousClock.now
            do {
                try sink.write(&frame)
            } catch {
                failure.content.withLock { $0 = error }
                return false
            }
            report.content.withLock {
                $0.writing.add(.now - began)
                $0.written += 1
            }
            return true
        }
    }

    init(_ sink: any FrameSink, _ report: MutexBox<SceneLoop.Report>) {
        work = Work(sink, report)
        let count = 4
        (empty, rendered) = (BoundedQueue(capacity: count), BoundedQueue(capacity: count))
        for _ in 0..<count { empty.add(Buffer()) }
        guard hasThread else { return }
        DispatchQueue(label: "isobath.write").async(group: group) { [empty, rendered, work] in
            while let buffer = rendered.take() {
                guard work.write(&buffer.content) else {
                    empty.close()
                    rendered.close()
                    return
                }
                empty.add(buffer)
            }
        }
    }

    /// Writes a frame after those before. Throws ``Stopped`` if one of them could not be written.
    func add(_ buffer: Buffer) throws(Stopped) {
        guard !hasThread else {
            guard rendered.add(buffer) else { throw Stopped() }
            return
        }
        guard work.write(&buffer.content) else { throw Stopped() }
        empty.add(buffer)
    }

    /// Waits until all frames are written. Throws the error of writing.
    func finish() throws {
        rendered.close()
        group.wait()
        if let error = work.failure.content.withLock(\.self) { throw error }
    }
}
