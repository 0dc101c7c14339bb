import Bytes
import DepthMaps
import DepthTypes
import Foundation
import Geometry
import Reconstruction
import RecordingWriting
import Recordings
import Scenes
import TestSupport
import Testing

/// Cameras whose rays are bent, and depth cameras beside the camera of the pictures: all surfaces are known exactly.
@Suite("Lenses and cameras of depth")
struct LensTests {
    private let folder = TemporaryFolder()

    /// The numbers of an Azure Kinect, and a lens with strong barrel distortion.
    private static let lenses: [(model: String, lens: [Double])] = [
        ("rational_polynomial", [0.5, -2.6, 0.0006, -0.0003, 1.5, 0.38, -2.4, 1.4]),
        ("plumb_bob", [-0.25, 0.06, 0.002, -0.003, 0]),
    ]

    /// 40 mm to the right of the pictures' camera and turned by 6° to the left.
    private static let depthPose: CameraPose = {
        let (sine, cosine) = (0.10452846326765347, 0.9945218953682733)
        return CameraPose(
            right: SIMD3(cosine, 0, sine), down: SIMD3(0, 1, 0), forward: SIMD3(-sine, 0, cosine),
            position: SIMD3(0.04, 0.01, 0))
    }()

    private static func recording(_ rig: RigBag, _ count: Int, in folder: borrowing TemporaryFolder) throws
        -> Recording
    {
        try Recording(contentsOf: folder.write(rig.bag(frameCount: count).mcap(.none), to: "rig.mcap"))
    }

    private static func cloud(_ recording: Recording) throws -> PointCloud {
        var export = CloudExport()
        (export.axes, export.options.keepsEdges) = (.opencv, true)
        return try recording.scene(at: 0).cloud(export).points()
    }

    private static func distance(_ point: SIMD3<Float>, _ pose: CameraPose) -> Double {
        RoomScene.distance(pose.world(SIMD3<Double>(point)))
    }

    @Test("A lens bends the rays of a cloud", arguments: lenses)
    func lens(model: String, lens: [Double]) throws {
        var rig = RigBag()
        (rig.model, rig.lens) = (model, lens)
        let points = try Self.cloud(Self.recording(rig, 1, in: folder)).positions
        #expect(points.count == 80 * 60)
        let pose = RoomScene().pose(0)
        #expect(points.allSatisfy { Self.distance($0, pose) < 0.001 })
    }

    @Test("Fusion corrects the lens", arguments: lenses)
    func fusion(model: String, lens: [Double]) throws {
        var rig = RigBag()
        (rig.model, rig.lens) = (model, lens)
        let fused = try Self.recording(rig, 12, in: folder).fused(voxel: 0.04).points()
        let squares = fused.positions.map { position in
            let distance = RoomScene.distance(SIMD3<Double>(position))
            return distance * distance
        }
        // A seventh of a voxel.
        #expect((squares.reduce(0, +) / Double(squares.count)).squareRoot() < 0.006)
        #expect(fused.positions.count > 3000)
    }

    @Test("Samples of a depth camera beside the pictures' camera stay, in the colors that the picture shows")
    func beside() throws {
        var rig = RigBag()
        rig.depthPose = Self.depthPose
        let recording = try Self.recording(rig, 1, in: folder)
        let cloud = try Self.cloud(recording)
        #expect(cloud.positions.count == 80 * 60)
        let pose = RoomScene().pose(0)
        #expect(cloud.positions.allSatisfy { Self.distance($0, pose) < 0.001 })
        var (seen, right) = (0, 0)
        for (point, color) in zip(cloud.positions, cloud.colors) where color != .unseen {
            let world = pose.world(SIMD3<Double>(point))
            let ray = world - pose.position
            let hit = RoomScene.hit(from: pose.position, along: ray)
            seen += 1
            // Others are at edges, or behind the ball.
            if RoomScene.colors[hit.surface] == color { right += 1 }
        }
        #expect(seen > 3800 && Double(right) > 0.95 * Double(seen), "\(right) of \(seen)")
        // In the view of the picture, samples are three of its pixels wide.
        #expect(try recording.scene(at: 0).depth().width == 54)
    }

    @Test("A mesh of a depth camera beside the pictures' camera is where its points are")
    func mesh() throws {
        var rig = RigBag()
        rig.depthPose = Self.depthPose
        var export = CloudExport()
        (export.axes, export.isMesh) = (.opencv, true)
        let scene = try Self.recording(rig, 1, in: folder).scene(at: 0)
        let mesh = try #require(try scene.cloud(export).mesh())
        let pose = RoomScene().pose(0)
        let distances = mesh.vertices.positions.map { Self.distance($0, pose) }.sorted()
        #expect(distances[distances.count * 9 / 10] < 0.005 && mesh.triangles.count > 100)
    }

    @Test("Fusion uses the depth camera's own rays, and colors only what pictures show")
    func fusionBeside() throws {
        var rig = RigBag()
        rig.depthPose = Self.depthPose
        let fused = try Self.recording(rig, 12, in: folder).fused(voxel: 0.04).points()
        let squares = fused.positions.map { position in
            let distance = RoomScene.distance(SIMD3<Double>(position))
            return distance * distance
        }
        #expect((squares.reduce(0, +) / Double(squares.count)).squareRoot() < 0.006)
        let known = Set(RoomScene.colors.map { [$0.red, $0.green, $0.blue] } + [[128, 128, 128]])
        let exact = fused.colors.count { known.contains([$0.red, $0.green, $0.blue]) }
        #expect(Double(exact) > 0.8 * Double(fused.colors.count), "\(exact) of \(fused.colors.count)")
    }

    @Test("Data sets hold the lens")
    func dataSets() throws {
        var rig = RigBag()
        (rig.model, rig.lens) = Self.lenses[0]
        let recording = try Self.recording(rig, 3, in: folder)
        let path = folder.path
        func write(_ form: DataSetForm) throws {
            let output = try OutputFolder(path: path + "/" + form.rawValue)
            _ = try DataSet(recording, as: form, DataSetOptions(), sourceName: "rig", to: output)
            try output.publish()
        }
        try write(.colmap)
        var cameras = SparseFile(try folder.bytes(of: "colmap/sparse/0/cameras.bin"))
        let words = try #require(cameras.cameras().first)
        #expect(words[1] == "FULL_OPENCV" && words[8...].compactMap(Double.init) == rig.lens)
        try write(.nerfstudio)
        let json = try folder.object(in: "nerfstudio/transforms.json")
        #expect(json["camera_model"] as? String == "OPENCV")
        func number(_ name: String) throws -> Double { try #require(json[name] as? Double) }
        // The corner of the picture is at a radius of 0.7.
        let (k, p) = (rig.lens, SIMD2(try number("p1"), try number("p2")))
        #expect(p == SIMD2(0.0006, -0.0003))
        for radius in [0.2, 0.4, 0.6, 0.7] {
            let s = radius * radius
            let quotient =
                (1 + s * (k[0] + s * (k[1] + s * k[4]))) / (1 + s * (k[5] + s * (k[6] + s * k[7])))
            let polynomial = try 1 + s * (number("k1") + s * (number("k2") + s * number("k3")))
            #expect(abs(quotient - polynomial) * radius * RigBag.focalLength < 0.02)
        }
    }

    @Test("A fisheye of transforms.json is corrected")
    func fisheye() throws {
        // θ = r, so that a pixel r from the middle has a ray at the angle r / f.
        let (width, height, focal) = (81, 61, 40.0)
        var scene = RoomScene()
        (scene.width, scene.height) = (width, height)
        let pose = scene.pose(0)
        var meters: [Double] = []
        for index in 0..<width * height {
            let seen = SIMD2(Double(index % width) - 40, Double(index / width) - 30) / focal
            let angle = (seen * seen).sum().squareRoot()
            let ray = angle > 0 ? seen * (tan(angle) / angle) : seen
            let hit = RoomScene.hit(
                from: pose.position, along: pose.right * ray.x + pose.down * ray.y + pose.forward)
            meters.append(hit.distance)
        }
        try folder.write(try scene.depthPNG(meters, unitsPerMeter: 1000), to: "images/0.png")
        let rows = RoomScene.openGLRows(pose).map { "[" + $0.map { "\($0)" }.joined(separator: ",") + "]" }
        try folder.write(
            text: """
                {"camera_model": "OPENCV_FISHEYE", "k1": 0, "k2": 0, "k3": 0, "k4": 0, "frames": [{"fl_x": 40,
                "fl_y": 40, "cx": 40.5, "cy": 30.5, "w": 81, "h": 61, "depth_file_path": "images/0.png",
                "transform_matrix": [\(rows.joined(separator: ","))]}]}
                """, to: "transforms.json")
        let points = try Self.cloud(Recording(contentsOf: folder.path)).positions
        #expect(points.count == width * height)
        // Depth is stored in millimeters.
        let farthest = points.map { Self.distance($0, pose) }.max() ?? 1
        #expect(farthest < 0.0025, "\(farthest)")
    }
}
