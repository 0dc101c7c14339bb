import DepthMaps
import DepthTypes
import Geometry
import Testing

@Suite("Normals")
struct GridNormalsTests {
    private func cloud(_ map: DepthMap, axes: CloudAxes = .opencv) throws -> PointCloud {
        var options = CloudOptions()
        options.hasNormals = true
        return try map.cloud(axes: axes, options: options)
    }

    @Test("Normals match the ball and the wall and point to the camera")
    func scene() throws {
        let cloud = try cloud(Scene.map(width: 80, height: 60))
        #expect(cloud.normals.count == cloud.positions.count)
        let wall = SIMD3<Float>(Scene.wall / -(Scene.wall * Scene.wall).sum().squareRoot())
        var (worstOnWall, worstOnBall) = (Float(1), Float(1))
        for (point, normal) in zip(cloud.positions, cloud.normals) {
            #expect(abs((normal * normal).sum() - 1) < 1e-5)
            #expect((normal * point).sum() < 0)
            let offset = SIMD3<Double>(point) - Scene.center
            let distance = (offset * offset).sum().squareRoot()
            if abs(distance - Scene.radius) > 1e-4 {
                worstOnWall = min(worstOnWall, (normal * wall).sum())
            } else if (offset * SIMD3<Double>(point)).sum() < -0.7 * distance
                * Double((point * point).sum().squareRoot())
            {
                // Less than 45° off the line of sight; five samples of a ball are not flat.
                worstOnBall = min(worstOnBall, (normal * SIMD3<Float>(offset / distance)).sum())
            }
        }
        // Float32 allows 0.1°; a ball with a radius of 18 samples turns by 3° per sample.
        #expect(worstOnWall > 0.999998)
        #expect(worstOnBall > 0.996)
    }

    @Test(
        "Normals of a single sample, row or column point to the camera", arguments: [(1, 1), (9, 1), (1, 9)])
    func degenerate(width: Int, height: Int) throws {
        let map = DepthMap(
            width: width, height: height, meters: [Float](repeating: 2, count: width * height),
            scale: .absolute)
        let cloud = try cloud(map, axes: .opengl)
        #expect(cloud.normals.count == width * height)
        for (point, normal) in zip(cloud.positions, cloud.normals) {
            let length = (point * point).sum().squareRoot()
            #expect(abs((point * normal).sum() + length) < 1e-5)
        }
    }
}
