import Bytes
internal import DepthMaps
import DepthTypes
import Embedded
import Foundation
import Movies
import Scenes
import TestFrames
import TestSupport
import Testing

@testable import Recordings

@Suite("Azure Kinect's cameras")
struct KinectTests {
    private static func attachment(
        _ color: [Double], rotation: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1],
        translation: [Double] = [0, 0, 0]
    ) -> [UInt8] {
        func camera(_ purpose: String, _ parameters: [Double], _ rotation: [Double], _ place: [Double])
            -> String
        {
            """
            {"Intrinsics":{"ModelParameterCount":14,"ModelParameters":\(parameters)},
             "Purpose":"CALIBRATION_CameraPurpose\(purpose)","MetricRadius":0,
             "Rt":{"Rotation":\(rotation),"Translation":\(place)}}
            """
        }
        let pinhole = [0.5, 0.5, 0.5, 0.5] + [Double](repeating: 0, count: 10)
        let cameras = [
            camera("Depth", pinhole, [1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0]),
            camera("PhotoVideo", color, rotation, translation),
        ]
        return Array(#"{"CalibrationInformation":{"Cameras":[\#(cameras.joined(separator: ","))]}}"#.utf8)
    }

    private static let narrow = PixelSize(width: 640, height: 576)
    private static let hd = PixelSize(width: 1280, height: 720)

    private static func calibration(_ bytes: [UInt8]) throws -> KinectCalibration {
        try KinectCalibration(bytes, depth: narrow, color: hd, limits: DecodingLimits())
    }

    /// cx, cy, fx, fy, k1 to k6, two zeros, p2, p1.
    private static let lens = [
        0.5, 0.51, 0.48, 0.64, 0.33, -2.49, 1.45, 0.21, -2.3, 1.375, 0, 0, -0.0013, 0.0016,
    ]

    @Test(
        "Points are seen where OpenCV's rational model has them",
        arguments: [
            // cv2.projectPoints([[x, y, 1]], zeros, zeros, K, [k1, k2, p1, p2, k3, k4, k5, k6]), with
            // K = [[0.48 · 1280, 0, 0.5 · 1280 − 0.5], [0, 0.64 · 960, 0.51 · 960 − 120 − 0.5], [0, 0, 1]]: 720p is the middle of 4:3.
            (0.0, 0.0, 639.5, 369.1), (0.3, 0.2, 826.0242259056822, 493.64650153712154),
            (-0.6, 0.35, 258.18089243138525, 591.785656481692),
            (0.9, -0.4, 1201.0963430766592, 120.11083703259592),
            (-0.05, -0.25, 608.534002565159, 214.5934944257947),
        ])
    func projection(x: Double, y: Double, column: Double, row: Double) throws {
        let camera = try Self.calibration(Self.attachment(Self.lens)).cameras.color
        let seen = try #require(camera.project(x, y))
        #expect(abs(seen.x - column) < 1e-6 && abs(seen.y - row) < 1e-6, "\(seen)")
        let ray = try #require(camera.ray(column, row))
        #expect(abs(ray.x - x) < 1e-6 && abs(ray.y - y) < 1e-6, "\(ray)")
    }

    /// A pinhole with fx = 640 and its axis in the middle.
    private static let pinhole = [0.5, 0.5, 0.5, 2.0 / 3] + [Double](repeating: 0, count: 10)

    @Test(
        "A wall 1 m away is as far from the other camera, and where that camera sees it; what is nearer hides it"
    )
    func registration() throws {
        // The depth camera: f = 512, cx = 0.5 · 1024 − 192 − 0.5 = 319.5, cy = 331.5. The pictures': f = 640, cx = 639.5, 32 mm to
        // the right. 640 / 512 / 0.75 is 1.7, so that samples are 2 pixels wide.
        let calibration = try Self.calibration(Self.attachment(Self.pinhole, translation: [-0.032, 0, 0]))
        let registration = DepthRegistration(calibration.cameras, depth: Self.narrow, color: Self.hd)
        #expect(registration.grid.size == PixelSize(width: 640, height: 360))
        var samples = [Float](repeating: 1, count: 640 * 576)
        // A square of 100 samples, half as far away.
        for row in 280..<380 { for column in 270..<370 { samples[row * 640 + column] = 0.5 } }
        var output = FramePlane<Float>()
        registration.register(FramePlane(width: 640, height: 576, samples: samples), into: &output)
        #expect(output.width == 640)
        let row = Array(output.samples[180 * 640..<181 * 640])
        // Column c of the depth is at (c − 319.5) / 512 − 0.032, column 639.5 + 640 · that of the picture, half of which is ours:
        // the wall reaches from 109.8 to 509.1, the square from (270 − 319.5) / 512 · 0.5 m on: 268.6 to 331.0.
        #expect(row[..<109].allSatisfy(\.isNaN) && row[511...].allSatisfy(\.isNaN))
        #expect(
            row[111..<268].allSatisfy { $0 == 1 || $0.isNaN }
                && row[333..<509].allSatisfy { $0 == 1 || $0.isNaN })
        #expect(row[270..<330].allSatisfy { $0 == 0.5 })
        // To the left of the square, the color camera sees wall that the square hides from the depth camera: 20.48
        // samples of 2 pixels at 1 m, half of them from the shift of the square relative to the wall.
        #expect(row[..<268].count { $0 == 1 } >= 140 && row[341..<509].allSatisfy { $0 == 1 })
    }

    @Test("Pictures of 16:9 are the middle of a picture of 4:3 that is as wide")
    func pictureModes() {
        #expect(KinectMode.color.count == 6)
        for (size, mode) in KinectMode.color {
            let (width, height) = (Double(size.width), Double(size.height))
            #expect(mode.sensor.width == width && mode.sensor.height * 4 == width * 3)
            #expect(mode.top * 2 == mode.sensor.height - height)
        }
    }

    @Test("Coordinates are turned by the rotation, then moved")
    func turned() throws {
        // A quarter turn about the axis of view: x of the pictures is −y of the depth.
        let calibration = try Self.calibration(
            Self.attachment(Self.pinhole, rotation: [0, -1, 0, 1, 0, 0, 0, 0, 1], translation: [0, 0, 0.5]))
        let registration = DepthRegistration(calibration.cameras, depth: Self.narrow, color: Self.hd)
        var samples = [Float](repeating: .nan, count: 640 * 576)
        // (370 − 319.5) / 512 · 1 m = 98.63 mm to the right, (382 − 331.5) / 512 as much down.
        samples[382 * 640 + 370] = 1
        var output = FramePlane<Float>()
        registration.register(FramePlane(width: 640, height: 576, samples: samples), into: &output)
        // At (−98.63 mm, 98.63 mm, 1.5 m): column 639.5 − 42.08 = 597.4 and row 359.5 + 42.08 = 401.6, of 2 pixels each.
        let found = output.samples.indices.filter { output.samples[$0] > 0 }
        #expect(found == [201 * 640 + 298])
        #expect(output.samples[201 * 640 + 298] == 1.5)
    }

    @Test(
        "A calibration that cannot be used is an error that says why",
        arguments: [
            ("{}", "no usable camera 'Depth'"), ("[1", "JSON"),
            (
                #"{"CalibrationInformation":{"Cameras":[{"Purpose":"CALIBRATION_CameraPurposeDepth"}]}}"#,
                "no usable camera"
            ),
        ])
    func refusals(text: String, message: String) throws {
        let error = try #require(throws: ContainerError.self) { try Self.calibration(Array(text.utf8)) }
        #expect("\(error)".contains(message), "\(error)")
        #expect(throws: ContainerError.self) {
            try KinectCalibration(
                Self.attachment(Self.lens), depth: PixelSize(width: 7, height: 5), color: Self.hd,
                limits: DecodingLimits())
        }
    }

    @Test(
        "A recording's depth comes out in the view of its pictures",
        .needsRecordings)
    func sample() throws {
        let movie = try Recording(contentsOf: SampleFolder.recordings.path("azure-kinect/recording.mkv"))
        #expect(RecordingReader(movie).description.depth?.size == PixelSize(width: 640, height: 360))
        // 0.47797 · 1280, as in the attachment.
        let camera = try #require(RecordingReader(movie).description.calibration)
        #expect(abs(camera.focalLengthX - 0.4779651165 * 1280) < 1e-3)
        let frames = RecordingReader(movie)
        #expect(frames.diagnostics.contains { $0.code == "registered-depth" })
        #expect(!frames.diagnostics.contains { $0.code == "different-view" })
        _ = try frames.advance()
        var frame = TestFrame()
        try frames.read(.measured, into: &frame)
        #expect(frame.depth.size == PixelSize(width: 640, height: 360))
        // Column 300 and row 300 of the stored depth are 1.939 m, column 200 and row 200 are 1.264 m (ffmpeg). By
        // cv2.projectPoints with the depth camera's lens, inverted by iteration, with Rt, and with the other lens: 1.95184 m at
        // (589.197, 358.712), and 1.29695 m at (455.316, 229.287), of 2 pixels each. A neighbor may be a little nearer.
        #expect(abs(frame.depth.samples[179 * 640 + 294] - 1.9518) < 0.01)
        #expect(abs(frame.depth.samples[114 * 640 + 227] - 1.2969) < 0.01)
        let known = frame.depth.samples.count { $0 > 0 }
        #expect(known > 640 * 360 / 3)
    }
}
