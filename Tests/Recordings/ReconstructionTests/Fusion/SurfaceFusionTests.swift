import Bytes
import DepthMaps
import DepthTypes
import Geometry
import Scenes
import TestFrames
import Testing

@testable import Reconstruction

@Suite("Fusion of frames into a surface")
struct SurfaceFusionTests {
    /// A wall at z = 2 m in front of a camera that slides to the right, with a box of 0.4 m at z = 1.2 m that is there in some
    /// frames. Wall and box have different colors.
    private static func frame(_ index: Int, hasBox: Bool = false, confidence: UInt8? = nil) -> TestFrame {
        let (width, height, focal) = (120, 90, 100.0)
        let position = SIMD3(0.02 * Double(index), 0, 0)
        var meters: [Float] = []
        var colors: [RGB<UInt8>] = []
        for row in 0..<height {
            for column in 0..<width {
                let x = (Double(column) - 59.5) / focal
                let y = (Double(row) - 44.5) / focal
                let isBox = hasBox && abs(x * 1.2 + position.x) < 0.2 && abs(y * 1.2) < 0.2
                meters.append(isBox ? 1.2 : 2)
                colors.append(
                    isBox ? RGB(red: 250, green: 10, blue: 10) : RGB(red: 20, green: 120, blue: 220))
            }
        }
        var frame = TestFrame()
        frame.depth = FramePlane(width: width, height: height, samples: meters)
        frame.color = FramePlane(width: width, height: height, samples: colors)
        if let confidence {
            let levels = (0..<width * height).map { $0 < width * height / 2 ? confidence : 2 }
            frame.confidence = FramePlane(width: width, height: height, samples: levels)
        }
        frame.scale = .absolute
        frame.pose = CameraPose(
            right: SIMD3(1, 0, 0), down: SIMD3(0, 1, 0), forward: SIMD3(0, 0, 1), position: position)
        frame.calibration = CameraCalibration(
            focalLengthX: focal, focalLengthY: focal, principalPointX: 59.5, principalPointY: 44.5,
            width: width, height: height)
        return frame
    }

    private static func fused(
        _ frames: [TestFrame], _ change: (inout FusionOptions) -> Void = { _ in }
    ) throws -> FusedCloud {
        var options = FusionOptions(voxelSize: 0.025)
        change(&options)
        var fusion = SurfaceFusion(options, hasConfidence: frames.contains { !$0.confidence.isEmpty })
        for frame in frames { try fusion.add(frame.scene) }
        return fusion.cloud(tool: "test", comments: [])
    }

    @Test("Points lie on the surface, a voxel apart, with its color and its normal")
    func wall() throws {
        let cloud = try Self.fused((0..<10).map { Self.frame($0) }) { $0.hasNormals = true }.collected()
        // Samples span 2.38 m plus the movement of the camera, by 1.78 m, in squares of 2.5 cm: 102 by 71.
        #expect((6_600...7_600).contains(cloud.positions.count))
        // Distances are stored in steps of 1/8192 of a voxel.
        #expect(cloud.positions.allSatisfy { abs($0.z - 2) < 2e-5 })
        #expect(cloud.colors.allSatisfy { $0 == RGB(red: 20, green: 120, blue: 220) })
        // At the rim, neighbors along some axes are unknown.
        #expect(cloud.normals.count { $0.z < -0.999 } * 100 > cloud.normals.count * 96)
        // Points are in the middle of the squares between voxels, except at the rim.
        let squares = Set(
            cloud.positions.map { point in
                let square = (point / 0.025).rounded(.down)
                return SIMD2(square.x, square.y)
            })
        #expect(squares.count * 100 > cloud.positions.count * 96)
    }

    @Test("What was there in few frames goes, unless no frame saw through it")
    func ghosts() throws {
        let frames = (0..<30).map { Self.frame($0, hasBox: (4..<10).contains($0)) }
        func boxes(_ cloud: FusedCloud) -> Int { cloud.collected().positions.count { $0.z < 1.5 } }
        #expect(boxes(try Self.fused(frames)) == 0)
        // It stays where it was to the end: no frame saw through it.
        let resting = (0..<30).map { Self.frame($0, hasBox: $0 >= 15) }
        #expect(boxes(try Self.fused(resting)) > 200)
    }

    @Test("Rare voxels and unsure samples are left out")
    func thresholds() throws {
        let frames = (0..<10).map { Self.frame($0) }
        // From 8 frames on, two must see a voxel. The last one sees 0.5 m of the wall that no other does.
        let last = Self.frame(25)
        #expect(try Self.fused(frames.prefix(6) + [last]).rareCount == 0)
        let points = try Self.fused(frames).header.pointCount
        let rare = try Self.fused(frames + [last]).rareCount
        #expect(rare * 10 > points && rare * 4 < points)
        let unsure = (0..<10).map { Self.frame($0, confidence: 0) }
        let half = try Self.fused(unsure)
        #expect(half.collected().positions.allSatisfy { $0.y > -0.01 })
        #expect(half.collected().confidences.allSatisfy { $0 == 1 })
        #expect(
            try Self.fused(unsure) { $0.minimumConfidence = 0 }.header.pointCount > half.header.pointCount)
        #expect(try Self.fused(frames) { $0.far = 1.9 }.header.pointCount == 0)
    }

    @Test("A frame without confidence has its full weight after one with low confidence")
    func weights() throws {
        func frame(red: UInt8, confidence: UInt8?) -> TestFrame {
            var frame = Self.frame(0, confidence: confidence)
            let color = RGB(red: red, green: 0, blue: 0)
            let colors = [RGB<UInt8>](repeating: color, count: frame.depth.samples.count)
            frame.color = FramePlane(width: frame.depth.width, height: frame.depth.height, samples: colors)
            return frame
        }
        let cloud = try Self.fused([frame(red: 0, confidence: 1), frame(red: 150, confidence: nil)])
            .collected()
        // Level 1 weighs one half: two thirds of the light of 150, 0.305, are that of 124. It is in the upper half of the picture.
        let upper = zip(cloud.positions, cloud.colors).filter { $0.0.y < -0.05 }
        #expect(upper.count > 2_000)
        #expect(upper.allSatisfy { abs(Int($0.1.red) - 124) <= 1 })
    }

    @Test("Confidence stays within 0…1 however many frames see a voxel, and is the mean of what they say")
    func confidence() throws {
        var frames: [TestFrame] = []
        for index in 0..<60 {
            var frame = TestFrame()
            let level: UInt8 = index.isMultiple(of: 2) ? 2 : 1
            frame.depth = FramePlane(
                width: 256, height: 192, samples: [Float](repeating: 0.2, count: 256 * 192))
            frame.confidence = FramePlane(
                width: 256, height: 192, samples: [UInt8](repeating: level, count: 256 * 192))
            frame.scale = .absolute
            frame.pose = CameraPose(
                right: SIMD3(1, 0, 0), down: SIMD3(0, 1, 0), forward: SIMD3(0, 0, 1), position: .zero)
            frame.calibration = CameraCalibration(
                focalLengthX: 210, focalLengthY: 210, principalPointX: 127.5, principalPointY: 95.5,
                width: 256, height: 192)
            frames.append(frame)
        }
        let cloud = try Self.fused(frames) { $0.voxelSize = 0.05 }.collected()
        #expect(!cloud.confidences.isEmpty)
        // Level 1 is ½ and weighs ½, level 2 is 1 and weighs 1: (½ · ½ + 1 · 1) / 1½ = 0.833.
        #expect(cloud.confidences.allSatisfy { (0...1).contains($0) && abs($0 - 0.8333) < 0.05 })
    }

    @Test("The result is the same on one core and on many")
    func determinism() throws {
        let frames = (0..<6).map { Self.frame($0, hasBox: true) }
        let many = try Self.fused(frames).collected()
        let one = try withThreadLimit(1) { try Self.fused(frames).collected() }
        #expect(one.positions == many.positions)
        #expect(one.colors == many.colors)
    }

    @Test("Blocks of voxels grow with space and not with frames")
    func memory() throws {
        var fusion = SurfaceFusion(FusionOptions(voxelSize: 0.025), hasConfidence: false)
        try fusion.add(Self.frame(0).scene)
        let count = fusion.blockCount
        for _ in 0..<50 { try fusion.add(Self.frame(0).scene) }
        #expect(fusion.blockCount == count)
        #expect(fusion.frameCount == 51)
    }

    @Test("Voxels that need more than the limit of memory are an error that names the limit")
    func memoryLimit() throws {
        var limits = DecodingLimits()
        limits[.memoryBytes] = 20_000_000
        // The wall is 119 × 89 blocks of 2 cm, two or more thick, of 804 bytes each: 17 MB.
        var fusion = SurfaceFusion(FusionOptions(voxelSize: 0.005), hasConfidence: false, limits: limits)
        let error = #expect(throws: FusionError.self) { try fusion.add(Self.frame(0).scene) }
        #expect(error == .exceedsMemory(voxelSize: 0.005, limit: 20_000_000))
        #expect(error?.description.contains("the limit memory-bytes of 20000000") == true)
        var coarse = SurfaceFusion(FusionOptions(voxelSize: 0.025), hasConfidence: false, limits: limits)
        for index in 0..<8 { try coarse.add(Self.frame(index).scene) }
        #expect(coarse.blockCount > 500)
    }

    @Test("A mesh that needs more than the limit of memory is an error")
    func meshMemoryLimit() throws {
        var limits = DecodingLimits()
        limits[.memoryBytes] = 3_600_000
        var fusion = SurfaceFusion(FusionOptions(voxelSize: 0.025), hasConfidence: false, limits: limits)
        try fusion.add(Self.frame(0).scene)
        let cloud = fusion.cloud(tool: "test", comments: [])
        #expect(cloud.header.pointCount > 6000)
        // 6,600 points or more with 450 bytes each, beside voxels of 0.8 MB or more.
        #expect(throws: FusionError.exceedsMemory(voxelSize: 0.025, limit: 3_600_000)) {
            try cloud.mesh(maximumError: nil, maximumTriangles: 1000)
        }
    }

    @Test("A frame without pose, camera or four columns of depth is counted, and changes nothing")
    func incomplete() throws {
        var fusion = SurfaceFusion(FusionOptions(voxelSize: 0.025), hasConfidence: false)
        var frames = [Self.frame(0), Self.frame(0), Self.frame(0), Self.frame(0), Self.frame(0)]
        frames[0].pose = nil
        frames[1].calibration = nil
        frames[2].depth.clear()
        frames[3].pose?.position = SIMD3(repeating: 1e9)
        frames[4].depth = FramePlane(width: 3, height: 4, samples: [Float](repeating: 1, count: 12))
        for frame in frames { try fusion.add(frame.scene) }
        #expect(fusion.omittedCount == 5)
        #expect(fusion.blockCount == 0)
    }

    @Test("Places far from the origin are as exact as near ones")
    func farAway() throws {
        let frames = (0..<4).map { index in
            var frame = Self.frame(index)
            frame.pose?.position += SIMD3(5000, -3000, 4000)
            return frame
        }
        let cloud = try Self.fused(frames).collected()
        // Float32 has half a millimeter at 4 km.
        #expect(cloud.positions.allSatisfy { abs($0.z - 4002) < 0.001 })
        #expect((6_300...7_200).contains(cloud.positions.count))
    }

    /// A plate at 1 m before a wall at 2 m, and a column of samples that a filter mixed of both.
    @Test("Flying samples become no points, unless edges are kept", arguments: [false, true])
    func flying(keepsEdges: Bool) throws {
        let (width, height) = (40, 30)
        let row = (0..<width).map { $0 < 20 ? Float(1) : $0 == 20 ? 1.5 : 2 }
        var frame = TestFrame()
        frame.depth = FramePlane(
            width: width, height: height, samples: (0..<height).flatMap { _ in row })
        (frame.scale, frame.pose) = (.absolute, .identity)
        frame.calibration = CameraCalibration(focalLength: 40, width: width, height: height)
        let cloud = try Self.fused([frame]) { $0.keepsEdges = keepsEdges }.collected()
        #expect(cloud.positions.contains { abs($0.z - 1) < 0.01 })
        #expect(cloud.positions.contains { abs($0.z - 2) < 0.01 })
        #expect(cloud.positions.contains { abs($0.z - 1.5) < 0.1 } == keepsEdges)
    }

    @Test("Every n-th sample gives the same wall", arguments: [2, 3])
    func stride(step: Int) throws {
        let frames = (0..<10).map { Self.frame($0) }
        let cloud = try Self.fused(frames) { $0.stride = step }.collected()
        #expect((5_800...7_600).contains(cloud.positions.count))
        #expect(cloud.positions.allSatisfy { abs($0.z - 2) < 2e-5 })
        let x = cloud.positions.map(\.x)
        // The wall is centered on the middle of the camera's path, 9 cm to the right.
        #expect(abs(((x.min() ?? 0) + (x.max() ?? 0)) / 2 - 0.09) < 0.04)
    }

    @Test(
        "Keys give back the places that they are made of", arguments: [-1_048_576, -1, 0, 1, 77, 1_048_575])
    func keys(place: Int) throws {
        let key = VoxelKey(x: place, y: -7, z: 1000)
        #expect((key.x, key.y, key.z) == (place, -7, 1000))
        let other = VoxelKey(x: 5, y: place, z: place)
        #expect((other.x, other.y, other.z) == (5, place, place))
    }
}
