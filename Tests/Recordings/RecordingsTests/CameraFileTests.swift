import Bytes
import DepthTypes
import Embedded
import Foundation
import RecordingWriting
import Scenes
import TestSupport
import Testing

@testable import Recordings

@Suite("Camera files beside recordings")
struct CameraFileTests {
    private let folder = TemporaryFolder()
    private static let scene = RoomScene()

    /// Depth and pictures in `depth/` and `rgb/`, called by `names`.
    private func write(_ folder: TemporaryFolder, names: [String] = ["0", "1"]) throws {
        for (index, name) in names.enumerated() {
            let view = Self.scene.view(Self.scene.pose(index))
            try folder.write(
                try Self.scene.depthPNG(view.meters, unitsPerMeter: 1000), to: "depth/\(name).png")
            try folder.write(try Self.scene.colorPNG(view.colors), to: "rgb/\(name).png")
        }
    }

    @Test(
        "A camera is found in each of its forms",
        arguments: [
            (
                "camera_intrinsic.json",
                #"{"K": [[616.5, 0, 324.5], [0, 617.5, 238.5], [0, 0, 1]], "resolution": [480, 640]}"#
            ),
            (
                "camera_intrinsic.json",
                #"{"width": 640, "height": 480, "intrinsic_matrix": [616.5, 0, 0, 0, 617.5, 0, 324.5, 238.5, 1]}"#
            ),
            (
                "camera.json",
                #"{"fx": 616.5, "fy": 617.5, "cx": 324.5, "cy": 238.5, "width": 640, "height": 480}"#
            ),
            (
                "cam_params.json",
                #"{"camera": {"w": 640, "h": 480, "fx": 616.5, "fy": 617.5, "cx": 324.5, "cy": 238.5}}"#
            ),
        ])
    func forms(name: String, text: String) throws {
        try write(folder)
        try folder.write(text: text, to: name)
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.layout == .open3D && recording.cameraOrigin == .file)
        #expect(recording.intrinsics == Intrinsics(fx: 616.5, fy: 617.5, cx: 324.5, cy: 238.5))
        #expect(recording.cameraFrame == PixelSize(width: 640, height: 480))
        #expect(!recording.diagnostics.contains { $0.code == .assumedCamera })
    }

    @Test(
        "A camera in text is for the pictures' size",
        arguments: [
            ("calibration.txt", "616.5 617.5 324.5 238.5"),
            ("calibration.txt", "616.5 617.5 324.5 238.5 0.1 -0.2 0 0"),
            ("cam_K.txt", "616.5 0 324.5\n0 617.5 238.5\n0 0 1\n"),
            ("intrinsics.txt", "616.5 0 324.5 0\n0 617.5 238.5 0\n0 0 1 0\n0 0 0 1\n"),
        ])
    func text(name: String, text: String) throws {
        try write(folder)
        try folder.write(text: text, to: name)
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.intrinsics == Intrinsics(fx: 616.5, fy: 617.5, cx: 324.5, cy: 238.5))
        #expect(recording.cameraFrame == recording.colorSize && recording.cameraOrigin == .file)
    }

    @Test("A scale beside the camera is the unit of the depth, and none is assumed")
    func scale() throws {
        for (text, units) in [
            (#"{"fx": 1, "fy": 1, "cx": 1, "cy": 1, "depth_scale": 0.1}"#, 10000.0),
            (#"{"fx": 1, "fy": 1, "cx": 1, "cy": 1, "depth_scale": 0.001}"#, 1000),
            (#"{"fx": 1, "fy": 1, "cx": 1, "cy": 1, "depth_scale": 5000}"#, 5000),
            (#"{"camera": {"fx": 1, "fy": 1, "cx": 1, "cy": 1, "scale": 6553.5}}"#, 6553.5),
        ] {
            let folder = TemporaryFolder()
            try write(folder)
            try folder.write(text: text, to: "camera.json")
            let recording = try Recording(contentsOf: folder.path)
            #expect(recording.unitsPerMeter == units && recording.scale == .absolute)
        }
    }

    @Test("Files that are called by times are TUM's without its lists: 5,000 units a meter, assumed")
    func stamped() throws {
        try write(folder, names: ["1305031102.175304", "1305031102.211214"])
        // Pictures come 15 ms later.
        for name in ["175304", "211214"] {
            let later = name == "175304" ? "190304" : "226214"
            try FileManager.default.moveItem(
                atPath: folder.file("rgb/1305031102.\(name).png"),
                toPath: folder.file("rgb/1305031102.\(later).png"))
        }
        try folder.write(text: "1305031102.1753 1 2 3 0 0 0 1\n", to: "groundtruth.txt")
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.layout == .tum && recording.frames.count == 2 && recording.colorCount == 2)
        #expect(recording.unitsPerMeter == 5000 && recording.scale == .unknown)
        #expect(recording.frames.first?.pose?.position == SIMD3(1, 2, 3))
        #expect(abs((recording.frames.last?.time ?? 0) - 0.03591) < 1e-6)
        var reading = ReadingOptions()
        reading.scale = 1000
        #expect(try Recording(contentsOf: folder.path, reading: reading).scale == .absolute)
    }

    @Test("ETH3D's associations and calibration.txt are read as TUM's lists with a camera")
    func eth3D() throws {
        try write(folder, names: ["1.000", "1.040"])
        try folder.write(
            text: "1.000 rgb/1.000.png 1.000 depth/1.000.png\n1.040 rgb/1.040.png 1.040 depth/1.040.png\n",
            to: "associated.txt")
        try folder.write(text: "726.25 726.5 354.5 186.25\n", to: "calibration.txt")
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.layout == .tum && recording.frames.count == 2 && recording.unitsPerMeter == 5000)
        #expect(recording.intrinsics == Intrinsics(fx: 726.25, fy: 726.5, cx: 354.5, cy: 186.25))
        #expect(recording.cameraOrigin == .file)
    }

    @Test("BOP's scale may not change from frame to frame without a remark")
    func mixedScales() throws {
        try write(folder, names: ["000000", "000001"])
        let camera = #""cam_K": [600, 0, 320, 0, 600, 240, 0, 0, 1], "depth_scale""#
        try folder.write(
            text: "{\"0\": {\(camera): 0.1}, \"1\": {\(camera): 1}}", to: "scene_camera.json")
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.layout == .bop && recording.unitsPerMeter == 10000 && recording.scale == .unknown)
        #expect(recording.diagnostics.contains { $0.message.contains("differs from frame to frame") })
    }

    @Test("TartanAir's flights count x forward, y right and z down")
    func tartanAir() throws {
        for index in 0..<2 {
            let view = Self.scene.view(Self.scene.pose(index))
            try folder.write(try Self.scene.colorPNG(view.colors), to: "image_left/00000\(index)_left.png")
            let depth = npy(littleEndian([Float](repeating: 3, count: 16 * 12)), type: "<f4", shape: "12, 16")
            try folder.write(depth, to: "depth_left/00000\(index)_left_depth.npy")
        }
        // Ahead along x; then turned by 90° about z, which points down: to the right.
        try folder.write(
            text: "1 2 3 0 0 0 1\n1 2 3 0 0 0.70710678118 0.70710678118\n", to: "pose_left.txt")
        let recording = try Recording(contentsOf: folder.path)
        #expect(recording.layout == .tartanAir && recording.frames.map(\.number) == [0, 1])
        #expect(recording.colorCount == 2 && recording.scale == .unknown)
        let poses = recording.frames.compactMap(\.pose)
        try #require(poses.count == 2)
        for pose in poses { #expect(pose.position == SIMD3(2, 3, 1)) }
        #expect(poses[0].forward == SIMD3(0, 0, 1) && poses[0].right == SIMD3(1, 0, 0))
        #expect((poses[1].forward * SIMD3(1, 0, 0)).sum() > 1 - 1e-9)
        #expect((poses[1].right * SIMD3(0, 0, -1)).sum() > 1 - 1e-9)
    }

    @Test(
        "Cameras of real data sets are used",
        .needsRecordings)
    func samples() throws {
        let bop = try Recording(contentsOf: SampleFolder.recordings.path("bop"))
        // cam_K and depth_scale of frame 10, as the file has them.
        #expect(bop.layout == .bop && bop.frames.map(\.number) == [10] && bop.unitsPerMeter == 1000)
        #expect(bop.frames.first?.intrinsics?.fx == 542.0634155273438 && bop.scale == .absolute)
        let pair = try Recording(contentsOf: SampleFolder.recordings.path("rgbd-camera-json"))
        #expect(pair.intrinsics?.fx == 616.741455078125 && pair.intrinsics?.cy == 238.0455780029297)
        #expect(pair.frames.count == 10 && pair.scale == .unknown)
        let flight = try Recording(contentsOf: SampleFolder.recordings.path("tartanair"))
        #expect(flight.layout == .tartanAir && flight.frames.count == 3 && flight.poseCount == 3)
        let check = try #require(ReprojectionCheck(flight))
        #expect(try #require(check.error) < 0.02)
    }
}
