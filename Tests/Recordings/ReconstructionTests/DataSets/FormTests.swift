import Bytes
import Codecs
import DepthTypes
import Foundation
import Reconstruction
import RecordingWriting
import Recordings
import TestSupport
import Testing

@Suite("Forms of data sets")
struct FormTests {
    private static let scene = RoomScene()

    @Test("transforms.json has intrinsics from the corner, OpenGL's axes, and a cloud of the room")
    func nerfstudio() throws {
        let written = try WrittenSet(.nerfstudio)
        let json = try written.json()
        // Brush reads no PINHOLE.
        #expect(json["camera_model"] as? String == "OPENCV")
        #expect(json["fl_x"] as? Double == 140 && json["fl_y"] as? Double == 140)
        #expect(json["cx"] as? Double == Self.scene.center.x + 0.5)
        #expect(json["cy"] as? Double == Self.scene.center.y + 0.5)
        #expect(json["w"] as? Int == 160 && json["h"] as? Int == 120)
        let frames = try #require(json["frames"] as? [[String: Any]])
        #expect(frames.count == 6)
        for (index, frame) in frames.enumerated() {
            #expect(frame["file_path"] as? String == "images/00000\(index).png")
            #expect(frame["depth_file_path"] as? String == "depths/00000\(index).png")
            let matrix = try #require(frame["transform_matrix"] as? [[Double]]).flatMap(\.self)
            let expected = RoomScene.openGLRows(Self.scene.pose(index)).flatMap(\.self)
            #expect(zip(matrix, expected).allSatisfy { abs($0 - $1) < 1e-6 })
        }
        #expect(json["ply_file_path"] as? String == "sparse_pc.ply")
        let header = String(decoding: try written.bytes("sparse_pc.ply").prefix(900), as: UTF8.self)
        #expect(header.contains("element vertex \(written.set.pointCount ?? 0)\n"))
    }

    @Test("Frames with cameras of their own keep them")
    func cameras() throws {
        let written = try WrittenSet(.nerfstudio, of: .arkitScenes) { folder in
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.file("lowres_wide_intrinsics")
            ).sorted()
            try folder.write(text: "160 120 150 150 80 60\n", to: "lowres_wide_intrinsics/" + names[2])
        }
        let json = try written.json()
        #expect(json["fl_x"] == nil && json["w"] == nil)
        let frames = try #require(json["frames"] as? [[String: Any]])
        #expect(frames.map { $0["fl_x"] as? Double } == [140, 140, 150, 140, 140, 140])
        let model = try WrittenSet(.tum, of: .arkitScenes) { _ in }
        #expect(try model.lines("calibration.txt")[0].count == 4)
    }

    @Test("A sparse model has world-to-camera poses, and points on the walls")
    func colmap() throws {
        let written = try WrittenSet(.colmap)
        var (cameras, images) = (try written.sparse("cameras"), try written.sparse("images"))
        #expect(
            cameras.cameras() == [["1", "PINHOLE", "160", "120", "140.0", "140.0", "83.0", "58.0"]])
        let lines = images.images()
        for index in 0..<6 {
            let words = lines[2 * index]
            #expect(words.count == 10 && words[8] == "1" && words[9] == "00000\(index).png")
            #expect(!lines[2 * index + 1].isEmpty)
            let q = words[1...4].compactMap(Double.init)
            let t = words[5...7].compactMap(Double.init)
            let expected = RoomScene.inverseRows(Self.scene.pose(index))
            // The rotation of a quaternion w, x, y, z: its first row, and the first number of the others.
            let rotation = [
                1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[1] * q[2] + q[0] * q[3]),
                2 * (q[1] * q[3] - q[0] * q[2]),
            ]
            let wanted = [expected[0][0], expected[0][1], expected[0][2], expected[1][0], expected[2][0]]
            #expect(zip(rotation, wanted).allSatisfy { abs($0 - $1) < 1e-6 })
            #expect(zip(t, expected.map { $0[3] }).allSatisfy { abs($0 - $1) < 1e-6 })
        }
        var file = try written.sparse("points3D")
        let points = file.points()
        #expect(points.count == written.set.pointCount && points.count > 5000)
        let distances = points.map { words in
            let numbers = words[1...3].compactMap(Double.init)
            return RoomScene.distance(SIMD3(numbers[0], numbers[1], numbers[2]))
        }.sorted()
        #expect(distances[distances.count / 2] < 0.002)
        #expect(points.allSatisfy { $0.count >= 12 && $0[7] == "0.0" })
    }

    @Test("A dense map of COLMAP holds meters as Float32, and 0 where unknown")
    func denseMap() throws {
        let written = try WrittenSet(.colmap) { folder in
            var codes = [UInt16](repeating: 1500, count: 160 * 120)
            codes[1] = 0
            try folder.write(try Self.scene.png(.gray16(codes)), to: "frame-000000.depth.png")
        }
        let bytes = try written.bytes("stereo/depth_maps/000000.png.geometric.bin")
        let opening = Array("160&120&1&".utf8)
        #expect(bytes.prefix(opening.count) == opening[...])
        #expect(bytes.count == opening.count + 4 * 160 * 120)
        // 1.5 is 0x3FC00000.
        #expect(bytes[opening.count...].prefix(12) == [0, 0, 0xC0, 0x3F, 0, 0, 0, 0, 0, 0, 0xC0, 0x3F])
    }

    @Test("TUM's lists have the recording's times, and a camera from the center of a pixel")
    func tum() throws {
        let written = try WrittenSet(.tum, of: .tum)
        let depths = try written.lines("depth.txt")
        #expect(depths[1] == ["1000.050000", "depth/000001.png"])
        #expect(try written.lines("rgb.txt")[1] == ["1000.050000", "rgb/000001.png"])
        #expect(
            try written.lines("associated.txt")[1]
                == ["1000.050000", "rgb/000001.png", "1000.050000", "depth/000001.png"])
        let pose = try written.lines("groundtruth.txt")[1].compactMap(Double.init)
        let expected =
            Self.scene.pose(1).translation + RoomScene.quaternion(RoomScene.rows(Self.scene.pose(1)))
        let sign = pose[7] * expected[6] < 0 ? -1.0 : 1
        #expect(zip(pose[1...3], expected[..<3]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(zip(pose[4...7], expected[3...]).allSatisfy { abs(sign * $0 - $1) < 1e-6 })
        let camera = try WrittenSet(.tum).lines("calibration.txt")[0].compactMap(Double.init)
        #expect(camera == [140, 140, Self.scene.center.x, Self.scene.center.y])
    }

    @Test("The lens of a recording is in the cameras of forms that have one")
    func lens() throws {
        func bend(_ folder: borrowing TemporaryFolder) throws {
            let text = String(decoding: try folder.bytes(of: "transforms.json"), as: UTF8.self)
            let lens = "{\"k1\": 0.1, \"k2\": -0.02, \"p1\": 0.001, \"p2\": 0.002, "
            try folder.write(text: lens + text.dropFirst(), to: "transforms.json")
        }
        let model = try WrittenSet(.colmap, of: .nerfstudio, changing: bend)
        var cameras = try model.sparse("cameras")
        let words = try #require(cameras.cameras().first)
        #expect(words[1] == "OPENCV" && words[8...] == ["0.1", "-0.02", "0.001", "0.002"])
        let json = try WrittenSet(.nerfstudio, of: .nerfstudio, changing: bend).json()
        #expect(json["camera_model"] as? String == "OPENCV")
        #expect(json["k1"] as? Double == 0.1 && json["p2"] as? Double == 0.002)
        let tum = try WrittenSet(.tum, of: .nerfstudio, changing: bend)
        #expect(tum.set.diagnostics.contains { $0.message.contains("distortion of the lens") })
    }
}
