import Bytes
import DepthTypes
import Foundation
import RecordingWriting
import Testing

@testable import Recordings

@Suite("Poses of bags")
struct BagPoseTests {
    private static func images(frame: String) -> [RecordedMessage] {
        (0..<4).map { index in
            .image(
                "/depth/image", "16UC1", KnownBag.size, [UInt8](repeating: 4, count: 48),
                time: 10 + Double(index) / 10,
                frame: frame)
        }
    }

    /// The camera looks along the body's x axis, and is 20 cm in front of it.
    private static let mount = CameraPose(
        right: SIMD3(0, -1, 0), down: SIMD3(0, 0, -1), forward: SIMD3(1, 0, 0), position: SIMD3(0.2, 0, 0.3))

    /// The pose of a body that moves along x and turns to the left.
    private static func body(_ time: Double) -> CameraPose {
        let angle = 0.5 * (time - 10)
        let (sine, cosine) = (sin(angle), cos(angle))
        return CameraPose(
            right: SIMD3(cosine, sine, 0), down: SIMD3(-sine, cosine, 0), forward: SIMD3(0, 0, 1),
            position: SIMD3(time - 10, 0.5, 0))
    }

    private static func expectPoses(_ recording: Recording, _ expected: (Double) -> CameraPose) {
        #expect(recording.poseCount == 4)
        for (index, frame) in recording.frames.enumerated() {
            let wanted = expected(10 + Double(index) / 10)
            guard let pose = frame.pose else { continue }
            for point in [SIMD3<Double>.zero, SIMD3(1, 2, 3)] {
                let offset = pose.world(point) - wanted.world(point)
                #expect((offset * offset).sum() < 1e-12, "\(index): \(offset)")
            }
        }
    }

    @Test("The frames of /tf from the world to the camera are multiplied, and slow ones interpolated")
    func transforms() throws {
        var messages = Self.images(frame: "camera_optical")
        messages.append(.transform("/tf_static", Self.mount, of: "camera_optical", in: "base_link", time: 0))
        var map = CameraPose.identity
        map.position.x = 5
        for (time, x) in [(9.5, 4.9), (10.7, 5.1)] {
            map.position.x = x
            messages.append(.transform("/tf", map, of: "odom", in: "map", time: time))
        }
        for index in -1..<6 {
            let time = 10 + Double(index) / 10
            messages.append(.transform("/tf", Self.body(time), of: "base_link", in: "odom", time: time))
        }
        let recording = try openedBag(BagWriter(messages).mcap())
        Self.expectPoses(recording) { time in
            var pose = Self.body(time).appending(Self.mount)
            pose.position.x += 4.9 + 0.2 * (time - 9.5) / 1.2
            return pose
        }
        #expect(recording.topics?.first { $0.name == "/tf" }?.role == .poses)
    }

    @Test("Odometry of a body is moved to the camera by a fixed transform")
    func odometry() throws {
        var messages = Self.images(frame: "camera")
        messages.append(.transform("/tf_static", Self.mount, of: "camera", in: "base", time: 0))
        for index in 0..<4 {
            let time = 10 + Double(index) / 10
            messages.append(.body("/odom", Self.body(time), of: "base", time: time))
        }
        for bytes in [try BagWriter(messages).mcap(), try BagWriter(messages).rosBag()] {
            let recording = try openedBag(bytes)
            Self.expectPoses(recording) { Self.body($0).appending(Self.mount) }
            #expect(!recording.diagnostics.contains { $0.code == .assumedPoses })
        }
    }

    /// By REP 103, a body's axes are x forward, y left and z up: the camera's right is −y, its down −z, its forward x.
    @Test(
        "A body without a transform to the camera is taken as a camera that looks ahead, and this is reported",
        arguments: ["base_link", "/base_footprint", "imu_link"])
    func bodies(child: String) throws {
        let bodies = (0..<4).map { index in
            let time = 10 + Double(index) / 10
            return RecordedMessage.body("/odom", Self.body(time), of: child, time: time)
        }
        let recording = try openedBag(BagWriter(Self.images(frame: "camera") + bodies).mcap())
        Self.expectPoses(recording) { time in
            let body = Self.body(time)
            return CameraPose(
                right: -body.down, down: -body.forward, forward: body.right, position: body.position)
        }
        #expect(recording.convention == .rosBody)
        #expect(recording.diagnostics.contains { $0.code == .assumedPoses && $0.message.contains("REP 103") })
    }

    @Test(
        "Pictures that name the body itself look along its x axis", arguments: ["base_link", "/camera_link"])
    func pictureOnBody(frame: String) throws {
        var messages = Self.images(frame: frame)
        for index in 0..<4 {
            let time = 10 + Double(index) / 10
            messages.append(.transform("/tf", Self.body(time), of: frame, in: "odom", time: time))
        }
        Self.expectPoses(try openedBag(BagWriter(messages).mcap())) { time in
            let body = Self.body(time)
            return CameraPose(
                right: -body.down, down: -body.forward, forward: body.right, position: body.position)
        }
    }

    @Test(
        "Poses without a frame, and those of an optical frame, are treated as the camera's, and this is reported",
        arguments: [nil, "camera_optical_frame"])
    func poses(child: String?) throws {
        let bodies = (0..<4).map { index in
            RecordedMessage.body(
                "/vio", Self.body(10 + Double(index) / 10), of: child, time: 10 + Double(index) / 10)
        }
        let recording = try openedBag(BagWriter(Self.images(frame: "camera") + bodies).mcap())
        Self.expectPoses(recording, Self.body)
        #expect(recording.diagnostics.contains { $0.code == .assumedPoses })
    }

    @Test("Frames that are each other's parents end in no poses")
    func cycle() throws {
        let messages =
            Self.images(frame: "a")
            + (0..<4).flatMap { index in
                let time = 10 + Double(index) / 10
                return [
                    RecordedMessage.transform("/tf", Self.body(time), of: "a", in: "b", time: time),
                    .transform("/tf", Self.body(time), of: "b", in: "a", time: time),
                ]
            }
        _ = try openedBag(BagWriter(messages).mcap())
    }
}
