import Bytes
import DepthMaps
import DepthTypes
import Foundation
import MovieWriting
import TestFrames
import TestSupport
import Testing

@testable import Movies
@testable import Scenes

@Suite("Movies", .needsFFmpeg)
struct MovieTests {
    private let folder = TemporaryFolder()

    private func frames(_ path: String, _ planes: Set<PlaneID> = .measured) throws -> [TestFrame] {
        let source = try MovieSource(contentsOf: path, limits: DecodingLimits())
        var frames: [TestFrame] = []
        while try source.advance() != nil {
            var frame = TestFrame()
            try source.read(planes, into: &frame)
            frames.append(frame)
        }
        return frames
    }

    private static func noise(_ seed: Int) -> [Float] {
        (0..<4096).map { (index: Int) -> Float in
            let code = (index * 7919 + seed * 31) % 5000 + 300
            return Float(code) / 1000
        }
    }

    private static func picture(_ index: Int) -> RenderedFrame {
        var frame = RenderedFrame()
        let (width, height) = (96, 64)
        frame.picture = FramePlane(
            width: width, height: height,
            samples: (0..<width * height).map { place in
                let (x, y) = (place % width, place / width)
                return RGB(red: UInt8(30 + x * 2), green: UInt8(20 + y * 3), blue: UInt8(60 + index * 10))
            })
        return frame
    }

    @Test("Distances are kept to the millimeter by FFV1, with their unit and times")
    func depth() throws {
        let samples = (0..<64 * 48).map { (index: Int) -> Float in
            index % 17 == 0 ? .nan : Float(index % 3000 + 400) / 1000
        }
        let times = [0, 0.033, 0.1, 0.2]
        let written = times.map { time in
            var frame = RenderedFrame()
            frame.depth = FramePlane(width: 64, height: 48, samples: samples)
            frame.time = 5 + time
            return frame
        }
        let found = try frames(folder.writeMovie(written, to: "depth.mkv"))
        #expect(found.count == 4)
        for (frame, time) in zip(found, times) {
            #expect(abs(frame.time - time) < 0.0011)
            #expect(frame.scale == .absolute)
            #expect(
                zip(frame.depth.samples, samples).allSatisfy { $0.isNaN ? $1.isNaN : abs($0 - $1) < 1e-6 })
        }
    }

    @Test(
        "Pictures come back from H.264 and HEVC as they were, but for what the codec takes",
        arguments: [MovieCodec.h264, .hevc])
    func color(codec: MovieCodec) throws {
        let written = (0..<10).map { index in
            var frame = Self.picture(index)
            frame.time = Double(index) / 25
            return frame
        }
        let path = try folder.writeMovie(written, to: "color.mp4", codec: codec, rate: 25)
        let found = try frames(path, [.picture])
        #expect(found.count == 10)
        for (index, frame) in found.enumerated() {
            #expect(abs(frame.time - Double(index) / 25) < 1e-4)
            var sum = 0.0
            for (a, b) in zip(frame.color.samples, Self.picture(index).picture.samples) {
                sum +=
                    pow(Double(a.red) - Double(b.red), 2) + pow(Double(a.green) - Double(b.green), 2)
                    + pow(Double(a.blue) - Double(b.blue), 2)
            }
            let peak = 10 * log10(255 * 255 / (sum / Double(96 * 64 * 3)))
            #expect(peak > 30, "frame \(index): \(peak) dB")
        }
    }

    @Test("A movie of an odd size loses a row and a column")
    func oddSize() throws {
        var frame = RenderedFrame()
        frame.picture = FramePlane(width: 65, height: 33, samples: Array(repeating: .white, count: 65 * 33))
        let found = try frames(folder.writeMovie([frame], to: "odd.mp4"), [.picture])
        #expect(found.first?.color.size == PixelSize(width: 64, height: 32))
    }

    @Test("A movie that is cut off gives the frames before the cut")
    func cutOff() throws {
        let written = (0..<20).map { index in
            var frame = RenderedFrame()
            frame.time = Double(index) / 30
            frame.depth = FramePlane(width: 64, height: 64, samples: Self.noise(index))
            return frame
        }
        try folder.writeMovie(written, to: "cut.mkv", codec: .ffv1)
        let whole = try folder.bytes(of: "cut.mkv")
        let count = try frames(folder.write(whole.prefix(whole.count / 2), to: "cut.mkv")).count
        #expect(count > 3 && count < 20)
    }

    @Test(
        "What is not a movie is one error", arguments: ["", "not a movie", "#EXTM3U\nfile:///etc/passwd\n"])
    func foreign(text: String) throws {
        let path = try folder.write(text: text, to: "foreign.mp4")
        #expect(throws: MovieError.self) { try MovieSource(contentsOf: path, limits: DecodingLimits()) }
    }

    @Test("Quarter turns bring a picture upright")
    func turning() {
        let plane = FramePlane<UInt8>(width: 3, height: 2, samples: [1, 2, 3, 4, 5, 6])
        var turned = FramePlane<UInt8>()
        plane.turned(quarters: 1, into: &turned)
        #expect(turned.samples == [4, 1, 5, 2, 6, 3] && turned.width == 2)
        plane.turned(quarters: 2, into: &turned)
        #expect(turned.samples == [6, 5, 4, 3, 2, 1] && turned.width == 3)
        plane.turned(quarters: 3, into: &turned)
        #expect(turned.samples == [3, 6, 2, 5, 1, 4] && turned.width == 2)
    }

    @Test(
        "An Azure Kinect recording has color, and depth in millimeters of its own size",
        .needsRecordings)
    func azureKinect() throws {
        let source = try MovieSource(
            contentsOf: SampleFolder.recordings.path("azure-kinect/recording.mkv"), limits: DecodingLimits())
        #expect(source.description.colorSize == PixelSize(width: 1280, height: 720))
        #expect(source.description.depth?.size == PixelSize(width: 640, height: 576))
        #expect(source.description.depth?.unitsPerMeter == 1000)
        #expect(try source.advance() == 0)
        var frame = TestFrame()
        try source.read(.measured, into: &frame)
        // ffmpeg -i recording.mkv -map 0:1 -frames:v 1 -f rawvideo -pix_fmt gray16le - | od …: 1939 and 1264 mm, 0 is unknown.
        let depth = frame.depth.samples
        #expect(depth[300 * 640 + 300] == 1.939 && depth[200 * 640 + 200] == 1.264)
        #expect(depth[500 * 640 + 320].isNaN)
        #expect(frame.color.samples.count == 1280 * 720)
    }
}
