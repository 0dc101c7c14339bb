import DepthMaps
import Synchronization
import TestFrames
import Testing

@testable import Scenes

@Suite("The loop over frames")
struct SceneLoopTests {
    private struct Failure: Error {}

    /// Copies a gray that encodes the frame's index, and records the addresses of frames.
    private final class GrayView {
        var addresses: [Int] = []
        var delay: Duration?

        var effect: FrameEffect {
            FrameEffect([.picture]) { [self] frame, output in
                let picture = FramePlane(try frame.color())
                addresses.append(
                    unsafe picture.samples.withUnsafeBytes { Int(bitPattern: $0.baseAddress) })
                if let delay {
                    let end = ContinuousClock.now + delay
                    while ContinuousClock.now < end {}
                }
                output.picture.overwrite(width: 8, height: 8, fill: .black) { pixels in
                    for place in pixels.indices { pixels[place] = picture.samples[place] }
                }
            }
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
        let report = try SceneLoop().run(source(100), GrayView().effect, sink)
        #expect(sink.indices == Array(0..<100))
        #expect(sink.pictures.enumerated().allSatisfy { Int($1[0].red) == $0 })
        #expect((report.written, report.dropped, report.failed) == (100, 0, 0))
        #expect(report.rendering.count == 100)
    }

    @Test("Frames between two times are used, and of those every third")
    func range() throws {
        var loop = SceneLoop()
        (loop.selection.start, loop.selection.end, loop.selection.step) = (1, 2, 3)
        let (frames, sink) = (source(100), TestSink())
        _ = try loop.run(frames, GrayView().effect, sink)
        #expect(sink.indices == Array(stride(from: 30, to: 60, by: 3)))
        #expect(frames.decoded == 10)
    }

    @Test("A frame that cannot be decoded costs itself only")
    func failures() throws {
        let failed = Mutex<Int>(0)
        var loop = SceneLoop()
        loop.reportFailure = { _, _ in failed.withLock { $0 += 1 } }
        let sink = TestSink()
        let report = try loop.run(source(20, failing: [3, 4, 19]), GrayView().effect, sink)
        #expect(sink.indices == Array(0..<20).filter { ![3, 4, 19].contains($0) })
        #expect(report.failed == 3)
        #expect(failed.withLock(\.self) == 3)
    }

    @Test("After the tenth frame no memory is allocated for frames")
    func reuse() throws {
        let (view, sink) = (GrayView(), TestSink())
        sink.keeps = false
        _ = try SceneLoop().run(source(400), view.effect, sink)
        let known = Set(view.addresses.prefix(10))
        let isReused = view.addresses.dropFirst(10).allSatisfy(known.contains)
        #expect(isReused)
        #expect(known.count <= 8)
    }

    @Test("In real time, frames come at their times, and those that it is too late for are left out")
    func realTime() throws {
        var loop = SceneLoop()
        loop.selection.isRealTime = true
        let start = ContinuousClock.now
        let prompt = try loop.run(source(10), GrayView().effect, TestSink())
        #expect(ContinuousClock.now - start >= .milliseconds(295))
        #expect(prompt.written + prompt.dropped == 10)
        let slow = GrayView()
        slow.delay = .milliseconds(100)
        let late = try loop.run(source(30), slow.effect, TestSink())
        #expect(late.dropped > 5)
        #expect(late.written + late.dropped == 30)
    }

    @Test("A scene that is kept stays as it was")
    func kept() throws {
        var scenes: [DepthScene] = []
        try SceneLoop().forEach(source(20), [.picture]) { scenes.append($0.scene) }
        let grays = try scenes.map { Int(try $0.color().eightBitPixels[0].red) }
        #expect(grays == Array(0..<20) && scenes.map(\.description.index) == Array(0..<20))
    }

    @Test("What is made of several frames at once comes in their order, and an error belongs to its frame")
    func processing() throws {
        var (results, failed): ([Int], [Int]) = ([], [])
        let frames = source(50, failing: [7])
        try SceneLoop().forEach(frames, [.picture]) { scene in
            guard scene.description.index != 9 else { throw Failure() }
            return Int(try scene.color().eightBitPixels[0].red)
        } _: { frame in
            switch frame.result {
            case .success(let gray): results.append(gray)
            case .failure: failed.append(frame.index)
            }
        }
        #expect(results == Array(0..<50).filter { $0 != 7 && $0 != 9 } && failed == [7, 9])
    }

    @Test("An error of the sink ends the run")
    func sinkError() throws {
        final class Full: FrameSink {
            func write(_ frame: inout RenderedFrame) throws { throw Failure() }
        }
        #expect(throws: Failure.self) { _ = try SceneLoop().run(source(1000), GrayView().effect, Full()) }
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
