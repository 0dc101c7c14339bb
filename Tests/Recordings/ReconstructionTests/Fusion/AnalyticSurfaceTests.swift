import DepthMaps
import DepthTypes
import Geometry
import Scenes
import TestFrames
import Testing

@testable import Reconstruction

/// Surfaces that formulas give, seen by a camera whose poses are exact.
@Suite("Fusion of analytic surfaces")
struct AnalyticSurfaceTests {
    private static let (width, height, focal) = (160, 120, 150.0)

    /// A frame of the camera at `position`, turned about y by `angle`, that sees `distance` along each ray of unit z: `nil` for nothing.
    private static func frame(
        at position: SIMD3<Double>, angle: Double, confidence: UInt8? = nil,
        _ distance: (_ origin: SIMD3<Double>, _ ray: SIMD3<Double>) -> Double?
    ) -> TestFrame {
        let pose = CameraPose(
            right: SIMD3(cosine(angle), 0, -sine(angle)), down: SIMD3(0, 1, 0),
            forward: SIMD3(sine(angle), 0, cosine(angle)), position: position)
        let (cx, cy) = (Double(width - 1) / 2, Double(height - 1) / 2)
        var meters: [Float] = []
        for row in 0..<height {
            for column in 0..<width {
                let seen = SIMD3((Double(column) - cx) / focal, (Double(row) - cy) / focal, 1)
                let ray = pose.world(seen) - position
                meters.append(distance(position, ray).map { Float($0) } ?? .nan)
            }
        }
        var frame = TestFrame()
        frame.depth = FramePlane(width: width, height: height, samples: meters)
        if let confidence {
            frame.confidence = FramePlane(
                width: width, height: height, samples: [UInt8](repeating: confidence, count: meters.count))
        }
        frame.scale = .absolute
        frame.pose = pose
        frame.calibration = CameraCalibration(
            focalLengthX: focal, focalLengthY: focal, principalPointX: cx, principalPointY: cy, width: width,
            height: height)
        return frame
    }

    /// By their series, so that no second library of numbers is needed; angles are below a quarter.
    private static func sine(_ x: Double) -> Double {
        x - x * x * x / 6 + x * x * x * x * x / 120 - x * x * x * x * x * x * x / 5040
    }
    private static func cosine(_ x: Double) -> Double { (1 - sine(x) * sine(x)).squareRoot() }

    /// Normally distributed noise of 1/z with this standard deviation, the same in each run: the sum of twelve uniform numbers.
    private static func addNoise(_ deviation: Float, to frame: inout TestFrame, seed: UInt32) {
        var state = seed
        for index in frame.depth.samples.indices {
            var sum: Float = -6
            for _ in 0..<12 {
                state = state &* 1_664_525 &+ 1_013_904_223
                sum += Float(state >> 8) / Float(1 << 24)
            }
            frame.depth.samples[index] = 1 / (1 / frame.depth.samples[index] + sum * deviation)
        }
    }

    /// Eight views from positions on a line, each turned a little.
    private static func fused(
        voxel: Float, noise: Float = 0,
        _ distance: (_ origin: SIMD3<Double>, _ ray: SIMD3<Double>) -> Double?
    ) throws -> PointCloud {
        var options = FusionOptions(voxelSize: voxel)
        options.hasNormals = true
        var fusion = SurfaceFusion(options, hasConfidence: false)
        for index in 0..<8 {
            let offset = Double(index) - 3.5
            var frame = frame(
                at: SIMD3(0.05 * offset, 0.02 * offset, 0.01 * offset), angle: 0.02 * offset, distance)
            if noise > 0 { addNoise(noise, to: &frame, seed: UInt32(index)) }
            try fusion.add(frame.scene)
        }
        return fusion.cloud(tool: "test", comments: []).collected()
    }

    /// The plane n · p = 2 with n = (2, −1, 6) / √41, which no axis of the voxels is along. 1/z is linear over its pixels and the
    /// distance is linear over its voxels, so that both are exact but for Float and steps of 1/8192 of a voxel.
    @Test("Points of a plane are in the plane, with its normal")
    func plane() throws {
        let normal = SIMD3(2.0, -1, 6) / 41.0.squareRoot()
        let voxel: Float = 0.02
        let cloud = try Self.fused(voxel: voxel) { origin, ray in
            (2 - (normal * origin).sum()) / (normal * ray).sum()
        }
        #expect(cloud.positions.count > 4_000)
        let errors = cloud.positions.map { abs((SIMD3<Double>($0) * normal).sum() - 2) }
        #expect(errors.max() ?? 1 < Double(voxel) / 50)
        #expect(errors.reduce(0, +) / Double(errors.count) < Double(voxel) / 500)
        // Towards the camera; at the rim, neighbors along some axes are unknown.
        let exact = cloud.normals.count { (SIMD3<Double>($0) * normal).sum() < -0.999 }
        #expect(exact * 100 > cloud.normals.count * 96)
    }

    /// Noise of 1/z of 0.002 is 8 mm at 2 m. A mean over 25 samples and 8 frames leaves 0.6 mm, and less where frames see a voxel by
    /// different samples.
    @Test("Noise is averaged over smooth surfaces and frames")
    func noise() throws {
        let cloud = try Self.fused(voxel: 0.02, noise: 0.002) { origin, ray in (2 - origin.z) / ray.z }
        let errors = cloud.positions.map { Double($0.z) - 2 }.filter { abs($0) < 0.1 }
        #expect(errors.count > 4_000 && errors.count * 100 > cloud.positions.count * 99)
        let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        #expect(deviation < 0.0015)
        #expect(abs(errors.reduce(0, +) / Double(errors.count)) < 0.0003)
    }

    /// A ball of 0.5 m, 1.5 m away. Four corners of a cell, each half of a voxel's diagonal from its middle, are nearer to the camera on
    /// the sphere by h² / 4R = 0.2 mm on average, and samples that are 1 cm apart by as much again.
    @Test("Points of a ball are at its radius")
    func ball() throws {
        let (center, radius) = (SIMD3(0.0, 0, 1.5), 0.5)
        let cloud = try Self.fused(voxel: 0.02) { origin, ray in
            let offset = origin - center
            let (a, b) = ((ray * ray).sum(), (ray * offset).sum())
            let root = b * b - a * ((offset * offset).sum() - radius * radius)
            return root > 0 ? (-b - root.squareRoot()) / a : nil
        }
        #expect(cloud.positions.count > 1_200)
        let errors = cloud.positions.map { point -> Double in
            let offset = SIMD3<Double>(point) - center
            return (offset * offset).sum().squareRoot() - radius
        }.sorted()
        #expect(abs(errors[errors.count / 2]) < 0.0005)
        // Near the rim, a sample sees the ball at an angle of less than 20°.
        #expect(errors[errors.count / 50] > -0.006 && errors[errors.count * 49 / 50] < 0.006)
    }

    /// Weights stop growing after about 256 frames.
    @Test(
        "After hundreds of frames, confidence is the mean and positions are the surface's",
        arguments: [1, 2] as [UInt8])
    func manyFrames(level: UInt8) throws {
        var fusion = SurfaceFusion(FusionOptions(voxelSize: 0.05), hasConfidence: true)
        let frame = Self.frame(at: .zero, angle: 0, confidence: level) { _, _ in 0.2 }
        for _ in 0..<400 { try fusion.add(frame.scene) }
        let cloud = fusion.cloud(tool: "test", comments: []).collected()
        #expect(cloud.positions.count > 10)
        // Levels 0, 1 and 2 are 0, ½ and 1.
        #expect(cloud.confidences.allSatisfy { abs($0 - Float(level) / 2) < 0.001 })
        #expect(cloud.confidences.allSatisfy { (0...1).contains($0) })
        #expect(cloud.positions.allSatisfy { abs($0.z - 0.2) < 0.05 / 50 })
    }
}
