import DepthCore
import DepthModel
import PointClouds
import Sequences
import Testing

@testable import Fusion

/// Surfaces that formulas give, seen by a camera whose poses are exact.
@Suite("Fusion of analytic surfaces")
struct AnalyticSurfaceTests {
    private static let (width, height, focal) = (160, 120, 150.0)

    /// A frame of the camera at `position`, turned about y by `angle`, that sees `distance` along each ray of unit z: `nil` for nothing.
    private static func frame(
        at position: SIMD3<Double>, angle: Double, confidence: UInt8? = nil,
        _ distance: (_ origin: SIMD3<Double>, _ ray: SIMD3<Double>) -> Double?
    ) -> SequenceFrame {
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
        var frame = SequenceFrame()
        frame.depth = FramePlane(width: width, height: height, samples: meters)
        if let confidence {
            frame.confidence = FramePlane(
                width: width, height: height, samples: [UInt8](repeating: confidence, count: meters.count))
        }
        frame.scale = .metric
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

    /// Eight views from positions on a line, each turned a little.
    private static func fused(
        voxel: Float, _ distance: (_ origin: SIMD3<Double>, _ ray: SIMD3<Double>) -> Double?
    ) -> PointCloud {
        var fusion = VoxelFusion(FusionOptions(voxelSize: voxel), hasConfidence: false)
        for index in 0..<8 {
            let offset = Double(index) - 3.5
            fusion.add(
                frame(at: SIMD3(0.05 * offset, 0.02 * offset, 0.01 * offset), angle: 0.02 * offset, distance))
        }
        return fusion.cloud(tool: "test", comments: []).collected()
    }

    /// The plane n · p = 2 with n = (2, −1, 6) / √41, which no axis of the voxels is along. A mean of points of a plane is in it, however
    /// they are weighted; Float, sums of 1/256 of a voxel and poses in voxels leave a fiftieth of a voxel.
    @Test("Points of a plane are in the plane")
    func plane() {
        let normal = SIMD3(2.0, -1, 6) / 41.0.squareRoot()
        let voxel: Float = 0.02
        let cloud = Self.fused(voxel: voxel) { origin, ray in
            (2 - (normal * origin).sum()) / (normal * ray).sum()
        }
        #expect(cloud.positions.count > 5_000)
        let errors = cloud.positions.map { abs((SIMD3<Double>($0) * normal).sum() - 2) }
        #expect(errors.max() ?? 1 < Double(voxel) / 50)
        #expect(errors.reduce(0, +) / Double(errors.count) < Double(voxel) / 200)
    }

    /// A ball of 0.5 m, 1.5 m away. The mean of points in a voxel is inside the sphere by half of the square of their
    /// span, divided by the radius: at most (√3 · 0.02)² / (2 · 0.5) = 1.2 mm across a voxel's diagonal, on average a
    /// sixth of that.
    @Test("Points of a ball are at its radius, inside by what a chord is")
    func ball() {
        let (center, radius) = (SIMD3(0.0, 0, 1.5), 0.5)
        let cloud = Self.fused(voxel: 0.02) { origin, ray in
            let offset = origin - center
            let (a, b) = ((ray * ray).sum(), (ray * offset).sum())
            let root = b * b - a * ((offset * offset).sum() - radius * radius)
            return root > 0 ? (-b - root.squareRoot()) / a : nil
        }
        #expect(cloud.positions.count > 1_500)
        let errors = cloud.positions.map { point -> Double in
            let offset = SIMD3<Double>(point) - center
            return (offset * offset).sum().squareRoot() - radius
        }
        #expect(errors.max() ?? 1 < 0.0002)
        #expect(errors.min() ?? -1 > -0.0013)
        #expect(abs(errors.reduce(0, +) / Double(errors.count)) < 0.0003)
    }

    /// A wall at 0.2 m fills a voxel with dozens of samples that weigh 25 each: sums are halved many times in 400 frames.
    @Test(
        "After hundreds of frames, confidence is the mean and positions are the surface's",
        arguments: [1, 2] as [UInt8])
    func manyFrames(level: UInt8) {
        var fusion = VoxelFusion(FusionOptions(voxelSize: 0.05), hasConfidence: true)
        let frame = Self.frame(at: .zero, angle: 0, confidence: level) { _, _ in 0.2 }
        for _ in 0..<400 { fusion.add(frame) }
        let cloud = fusion.cloud(tool: "test", comments: []).collected()
        #expect(cloud.positions.count > 10)
        // Levels 0, 1 and 2 are 0, ½ and 1.
        #expect(cloud.confidences.allSatisfy { abs($0 - Float(level) / 2) < 0.001 })
        #expect(cloud.confidences.allSatisfy { (0...1).contains($0) })
        #expect(cloud.positions.allSatisfy { abs($0.z - 0.2) < 0.05 / 50 })
    }
}
