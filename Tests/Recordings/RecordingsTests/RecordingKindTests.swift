import Bytes
import DepthMaps
import DepthTypes
import Foundation
import Movies
import RecordingWriting
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

@Suite("Every kind of recording is read alike")
struct RecordingKindTests {
    private let folder = TemporaryFolder()

    /// A recording, and the true depth of its frames in meters; `nan` where unknown.
    private struct Opened {
        var recording: Recording
        var meters: (Int) -> [Float]
        /// The file with the depth of a frame; `nil` if depth is inside another file.
        var file: (Int) -> String?
    }

    private static let writer = RecordingWriter()

    private static func open(_ kind: String, _ folder: TemporaryFolder) throws -> Opened {
        let scene = writer.scene
        func meters(_ index: Int) -> [Float] { scene.view(scene.pose(index)).meters.map { Float($0) } }
        switch kind {
        case "bag":
            return Opened(recording: try openedBag(KnownBag.bag.rosBag()), meters: KnownBag.meters) { _ in nil
            }
        case "archive":
            let path = try folder.write(
                Record3DArchiveTests.archive(frames: 4).finished, to: "capture.r3d")
            return Opened(recording: try Recording(contentsOf: path)) { index in
                [Float](repeating: Float(index + 1), count: 192 * 256)
            } file: {
                _ in
                nil
            }
        case "pattern":
            _ = try writer.write(.open3D, into: folder)
            var reading = ReadingOptions()
            reading.scale = 1000
            let recording = try Recording(contentsOf: folder.file("depth/%05d.png"), reading: reading)
            return Opened(recording: recording, meters: meters) { recording.frames[$0].depth?.path }
        default:
            let recording = try Recording(contentsOf: writer.write(.nerfstudio, into: folder))
            return Opened(recording: recording, meters: meters) { recording.frames[$0].depth?.path }
        }
    }

    /// The greatest difference in meters; infinite where only one is known.
    private static func difference(_ found: [Float], _ truth: [Float]) -> Float {
        guard found.count == truth.count else { return .infinity }
        return zip(found, truth).reduce(0) { worst, pair in
            if pair.0.isNaN && pair.1.isNaN { return worst }
            return pair.0.isNaN || pair.1.isNaN ? .infinity : max(worst, abs(pair.0 - pair.1))
        }
    }

    @Test(
        "A frame is read twice, after later ones, and without the rest",
        arguments: ["folder", "archive", "bag", "pattern"])
    func order(kind: String) throws {
        let opened = try Self.open(kind, folder)
        let recording = opened.recording
        // Stored depth is rounded to millimeters.
        for index in [2, 2, 0, 3, 1] {
            let depth = try recording.scene(at: index).depth().meters
            #expect(Self.difference(depth, opened.meters(index)) < 0.001, "frame \(index)")
        }
        let source = RecordingReader(recording)
        var frame = TestFrame()
        for index in 0..<2 {
            #expect(try source.advance() == recording.times[index])
            for _ in 0..<2 {
                try source.read(.measured, into: &frame)
                #expect(Self.difference(frame.depth.samples, opened.meters(index)) < 0.001)
            }
        }
        var seen: [Int] = []
        try SceneLoop().forEach(RecordingReader(recording, indices: [1, 3]), [.depth]) { frame in
            try frame.result.get()
            let meters = try frame.scene.depth().meters
            #expect(Self.difference(meters, opened.meters(frame.index)) < 0.001)
            seen.append(frame.index)
        }
        #expect(seen == [1, 3])
    }

    @Test("A frame that is damaged has an error, and others have none", arguments: ["folder", "pattern"])
    func damaged(kind: String) throws {
        let opened = try Self.open(kind, folder)
        let recording = opened.recording
        try Data("no picture".utf8).write(to: URL(filePath: #require(opened.file(2))))
        #expect(throws: (any Error).self) { try recording.scene(at: 2).depth() }
        #expect(Self.difference(try recording.scene(at: 3).depth().meters, opened.meters(3)) < 0.001)
        var failed: [Int] = []
        try SceneLoop().forEach(RecordingReader(recording), [.depth]) { frame in
            if case .failure = frame.result { failed.append(frame.index) }
        }
        #expect(failed == [2])
    }

    @Test("A pipe gives a frame once, and ends with an error of its own")
    func pipe() throws {
        let header = Array("YUV4MPEG2 W4 H2 F25:1 C420jpeg XCOLORRANGE=LIMITED\n".utf8)
        // The luma of black, and of white.
        let frames = [16, 235].map { luma in
            Array("FRAME\n".utf8) + [UInt8](repeating: luma, count: 8) + [128, 128, 128, 128]
        }
        let path = try folder.write(header + frames.joined(), to: "a.y4m")
        func source(_ file: FileHandle) throws -> PipeSource {
            try PipeSource(StreamReader(descriptor: file.fileDescriptor), limits: DecodingLimits())
        }
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        let scene = try source(file).scene(at: 1)
        #expect(scene.description.index == 1 && scene.description.time == 0.04)
        #expect(try scene.color().eightBitPixels.allSatisfy { $0.green >= 254 })
        try file.seek(toOffset: 0)
        #expect(throws: RecordingError.noFrame(2, count: 2)) {
            try source(file).scene(at: 2)
        }
    }
}
