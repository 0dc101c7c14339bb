import DepthMaps
import Synchronization
import TestFrames
import Testing

@testable import Sequences

@Suite("The pipeline of frames")
struct PipelineTests {
    private struct Failure: Error {}

    /// Copies a gray that encodes the frame's index, and records the addresses of frames.
    private final class GrayView: FrameView {
        let parts: FrameParts = .color
        var addresses: [Int] = []
        var delay: Duration?

        func render(_ frame: inout SequenceFrame, into output: inout RenderedFrame) throws {
            addresses.append(unsafe frame.color.samples.withUnsafeBytes { Int(bitPattern: $0.baseAddress) })
            if let delay {
                let end = ContinuousClock.now + delay
                while ContinuousClock.now < end {}
            }
            swap(&frame.color, &output.picture)
        }
    }

    private func source(_ count: Int, failing: Set<Int> = []) -> TestFrames {
        TestFrames(count) { index, frame in
            if failing.contains(index) { throw Failure() }
            frame.color.overwrite(width: 8, height: 8, fill: .black) { pixels in
                let gray = UInt8(index % 256)
                for place in pixels.indices { pixels[place] = RGB(red: gray, green: gray, blue: gray) }
            }
        }
    }

    @Test("All frames are written once, in their order")
    func order() throws {
        let sink = TestSink()
        let report = try FramePipeline().run(source(100), GrayView(), sink)
        #expect(sink.indices == Array(0..<100))
        #expect(sink.pictures.enumerated().allSatisfy { Int($1[0].red) == $0 })
        #expect((report.written, report.dropped, report.failed) == (100, 0, 0))
        #expect(report.rendering.count == 100)
    }

    @Test("Frames between two times are used, and of those every third")
    func range() throws {
        var pipeline = FramePipeline()
        (pipeline.selection.start, pipeline.selection.end, pipeline.selection.step) = (1, 2, 3)
        let (frames, sink) = (source(100), TestSink())
        _ = try pipeline.run(frames, GrayView(), sink)
        #expect(sink.indices == Array(stride(from: 30, to: 60, by: 3)))
        #expect(frames.decoded == 10)
    }

    @Test("A frame that cannot be decoded costs itself only")
    func failures() throws {
        let failed = Mutex<Int>(0)
        var pipeline = FramePipeline()
        pipeline.reportFailure = { _, _ in failed.withLock { $0 += 1 } }
        let sink = TestSink()
        let report = try pipeline.run(source(20, failing: [3, 4, 19]), GrayView(), sink)
        #expect(sink.indices == Array(0..<20).filter { ![3, 4, 19].contains($0) })
        #expect(report.failed == 3)
        #expect(failed.withLock(\.self) == 3)
    }

    @Test("After the tenth frame no memory is allocated for frames")
    func reuse() throws {
        let (view, sink) = (GrayView(), TestSink())
        sink.keeps = false
        _ = try FramePipeline().run(source(400), view, sink)
        let known = Set(view.addresses.prefix(10))
        let isReused = view.addresses.dropFirst(10).allSatisfy(known.contains)
        #expect(isReused)
        #expect(known.count <= 8)
    }

    @Test("In real time, frames come at their times, and those that it is too late for are left out")
    func realTime() throws {
        var pipeline = FramePipeline()
        pipeline.isRealTime = true
        let start = ContinuousClock.now
        let prompt = try pipeline.run(source(10), GrayView(), TestSink())
        #expect(ContinuousClock.now - start >= .milliseconds(295))
        #expect(prompt.written + prompt.dropped == 10)
        let slow = GrayView()
        slow.delay = .milliseconds(100)
        let late = try pipeline.run(source(30), slow, TestSink())
        #expect(late.dropped > 5)
        #expect(late.written + late.dropped == 30)
    }

    @Test("What is asked to stop ends as if the source had ended")
    func stopping() throws {
        let count = Mutex(0)
        var pipeline = FramePipeline()
        pipeline.shouldStop = {
            count.withLock { count in
                count += 1
                return count > 12
            }
        }
        let report = try pipeline.run(source(1000), GrayView(), TestSink())
        #expect(report.written == 12)
    }

    @Test("An error of the sink ends the run")
    func sinkError() throws {
        final class Full: FrameSink {
            func write(_ frame: inout RenderedFrame) throws { throw Failure() }
        }
        #expect(throws: Failure.self) { _ = try FramePipeline().run(source(1000), GrayView(), Full()) }
    }

    @Test("Percentiles of times are within two percent")
    func percentiles() throws {
        var times = StageTimes()
        for milliseconds in 1...1000 { times.add(.milliseconds(milliseconds)) }
        for percentile in [50.0, 95, 99] {
            let value = try #require(times.milliseconds(percentile: percentile))
            #expect(abs(value - percentile * 10) < percentile * 0.2)
        }
    }
}
