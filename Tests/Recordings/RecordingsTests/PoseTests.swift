import DepthTypes
import Testing

@testable import Recordings

@Suite("Poses of recordings")
struct PoseTests {
    /// A quarter turn about z, by hand: x → y, y → −x. Position (1, 2, 3).
    private static let turned = CameraPose(
        right: SIMD3(0, 1, 0), down: SIMD3(-1, 0, 0), forward: SIMD3(0, 0, 1), position: SIMD3(1, 2, 3))

    @Test("A quaternion, a rotation vector and matrices of one pose agree")
    func forms() throws {
        let half = (0.5).squareRoot()
        let forms = [
            CameraPose(
                quaternion: SIMD4(0, 0, half, half), translation: SIMD3(1, 2, 3), .cameraToWorldOpenCV),
            CameraPose(
                rotationVector: SIMD3(0, 0, .pi / 2), translation: SIMD3(1, 2, 3), .cameraToWorldOpenCV),
            CameraPose(rows: [0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3], .cameraToWorldOpenCV),
            CameraPose(
                columnMajor: [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1], .cameraToWorldOpenCV),
        ]
        for form in forms {
            let pose = try #require(form)
            #expect(abs((pose.right - Self.turned.right).min()) < 1e-12)
            #expect(abs((pose.down - Self.turned.down).min()) < 1e-12)
            #expect(pose.position == Self.turned.position)
        }
    }

    @Test("World-to-camera is inverted, and OpenGL's y and z axes are turned")
    func conventions() throws {
        // The world's origin seen from the turned camera: −Rᵀ·t = (−2, 1, −3).
        let inverse = try #require(
            CameraPose(rows: [0, 1, 0, -2, -1, 0, 0, 1, 0, 0, 1, -3], .worldToCameraOpenCV))
        #expect(inverse == Self.turned)
        let openGL = try #require(
            CameraPose(rows: [0, 1, 0, 1, 1, 0, 0, 2, 0, 0, -1, 3], .cameraToWorldOpenGL))
        #expect(openGL == Self.turned)
        // A body that looks along the world's x: x forward, y left and z up are the world's own axes (REP 103).
        let body = try #require(CameraPose(rows: [1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3], .rosBody))
        #expect(body.position == SIMD3(1, 2, 3) && body.forward == SIMD3(1, 0, 0))
        #expect(body.right == SIMD3(0, -1, 0) && body.down == SIMD3(0, 0, -1))
        for convention in PoseConvention.allCases {
            #expect(Self.turned.stored(in: convention).converted(from: convention) == Self.turned)
        }
    }

    @Test("A matrix that is not a rotation is no pose")
    func invalid() {
        let infinite = [Double](repeating: -.infinity, count: 16)
        #expect(CameraPose(rows: infinite, .cameraToWorldOpenCV) == nil)
        #expect(CameraPose(rows: [Double](repeating: 0, count: 16), .cameraToWorldOpenCV) == nil)
        // A reflection.
        #expect(CameraPose(rows: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0], .cameraToWorldOpenCV) == nil)
        #expect(CameraPose(quaternion: .zero, translation: .zero, .cameraToWorldOpenCV) == nil)
        #expect(
            CameraPose(rotationVector: SIMD3(.infinity, 0, 0), translation: .zero, .worldToCameraOpenCV)
                == nil)
    }

    @Test("A pose between two others is half of both, and none is made up across a gap")
    func trajectory() throws {
        var second = Self.turned
        second.position = SIMD3(2, 2, 3)
        let trajectory = Trajectory([(10.02, second), (10, Self.turned), (11, second)])
        #expect(trajectory.pose(at: 10.01, within: 0.02)?.position.x == 1.5)
        #expect(trajectory.pose(at: 10.03, within: 0.02)?.position.x == 2)
        #expect(trajectory.pose(at: 9.99, within: 0.02)?.position.x == 1)
        #expect(trajectory.pose(at: 10.5, within: 0.02) == nil)
    }

    @Test("Items are paired with the nearest in time, each once, within the tolerance")
    func matching() {
        // By hand: 0.012 is nearest to 0.010, so the only remaining partner of 0.000 within 20 ms is −0.015.
        let partners = matchedByTime([0, 0.010, 1, 2], [0.012, 1.019, 2.021, -0.015], within: 0.02)
        #expect(partners == [3, 0, 1, nil])
        #expect(matchedByTime([5, 5, 5], [5], within: 0.02) == [0, nil, nil])
    }
}
