import DepthTypes
import Testing

@testable import Sequences

@Suite("Depth filters")
struct FilterTests {
    private static let (width, height) = (12, 8)

    /// The frames of the vectors in meters, with the camera that they were filtered with: f = 12 pixels, b = 50 mm.
    private static func frames() -> [SequenceFrame] {
        (0..<5).map { number in
            var frame = SequenceFrame()
            let codes = RealSenseVectors.frames[number * width * height..<(number + 1) * width * height]
            frame.depth = FramePlane(
                width: width, height: height, samples: codes.map { $0 > 0 ? $0 / 1000 : .nan })
            frame.scale = .metric
            frame.calibration = .init(
                focalLengthX: 12, focalLengthY: 12, principalPointX: 5.5, principalPointY: 3.5, width: width,
                height: height)
            return frame
        }
    }

    private static func filters(_ text: String) throws -> [any DepthFilter] {
        FilterSetting.filters(try text.split(separator: ",").map { try #require(FilterSetting($0)) })
    }

    /// Compares with millimeters; librealsense rounds to integers.
    private static func expect(_ depth: [Float], _ millimeters: ArraySlice<Float>) {
        #expect(depth.count == millimeters.count)
        for (value, code) in zip(depth, millimeters) {
            #expect(value > 0 ? abs(value * 1000 - code) <= 0.51 : code == 0, "\(value) m, \(code) mm")
        }
    }

    @Test("The spatial filter gives what librealsense gives, in disparity")
    func spatial() throws {
        var frame = Self.frames()[0]
        for filter in try Self.filters("disparity,spatial") { filter.apply(to: &frame) }
        Self.expect(frame.depth.samples, RealSenseVectors.spatial[...])
    }

    @Test(
        "The temporal filter gives what librealsense gives, in disparity",
        arguments: [
            ("temporal", RealSenseVectors.temporal), ("temporal:persistence=7", RealSenseVectors.persistent),
        ])
    func temporal(setting: String, expected: [Float]) throws {
        let filters = try Self.filters("disparity," + setting)
        let count = Self.width * Self.height
        for (number, frame) in Self.frames().enumerated() {
            var frame = frame
            for filter in filters { filter.apply(to: &frame) }
            Self.expect(frame.depth.samples, expected[number * count..<(number + 1) * count])
        }
    }

    @Test(
        "Holes are filled as librealsense does",
        arguments: [
            ("holes", RealSenseVectors.farthest), ("holes:mode=2", RealSenseVectors.nearest),
            ("holes:mode=0", RealSenseVectors.fromLeft),
        ])
    func holes(setting: String, expected: [Float]) throws {
        var frame = Self.frames()[0]
        for filter in try Self.filters(setting) { filter.apply(to: &frame) }
        Self.expect(frame.depth.samples, expected[...])
    }

    @Test("Decimation takes the medians that librealsense takes, without its padding")
    func decimation() throws {
        var frame = Self.frames()[0]
        for filter in try Self.filters("decimation") { filter.apply(to: &frame) }
        #expect((frame.depth.width, frame.depth.height) == (6, 4))
        let rows = (0..<4).flatMap { RealSenseVectors.decimated[$0 * 8..<$0 * 8 + 6] }
        Self.expect(frame.depth.samples, rows[...])
    }

    @Test("Samples of low confidence become unknown")
    func confidence() throws {
        var frame = SequenceFrame()
        frame.depth = FramePlane(width: 3, height: 1, samples: [1, 2, 3])
        frame.confidence = FramePlane(width: 3, height: 1, samples: [0, 1, 2])
        for filter in try Self.filters("confidence:least=2") { filter.apply(to: &frame) }
        #expect(frame.depth.samples[0].isNaN && frame.depth.samples[1].isNaN && frame.depth.samples[2] == 3)
    }

    @Test(
        "Filters and settings that do not exist are refused",
        arguments: [
            "", "median", "temporal:alpha", "temporal:alpha=2", "spatial:mode=1", "temporal:", "holes:mode=x",
        ])
    func refused(text: String) { #expect(FilterSetting(text) == nil) }
}
