import DepthMaps
import DepthTypes
import Geometry
import Testing

@testable import Pages

@Suite("Pictures on a surface")
struct SurfacePicturesTests {
    /// A wall at z = 2 m of 20 × 20 squares of 10 cm around the axis, two triangles each, counter-clockwise seen from the origin.
    private let wall: TriangleMesh = {
        var positions: [SIMD3<Float>] = []
        for row in -10...10 {
            for column in -10...10 {
                let (x, y): (Float, Float) = (Float(column) * 0.1, Float(row) * 0.1)
                positions.append(SIMD3<Float>(x, y, 2))
            }
        }
        var triangles: [Triangle] = []
        for index in 0..<420 where index % 21 < 20 {
            let first = UInt32(index)
            triangles.append(Triangle(first, first + 21, first + 22))
            triangles.append(Triangle(first, first + 22, first + 1))
        }
        return TriangleMesh(vertices: PointCloud(positions: positions), triangles: triangles)
    }()

    /// A camera at a place that looks along z, with a field of 53° in 100 × 100 samples of this depth.
    private func view(x: Double, z: Double, depth: (_ column: Int) -> Float) -> PictureView {
        let camera = CameraCalibration(
            focalLengthX: 100, focalLengthY: 100, principalPointX: 49.5, principalPointY: 49.5, width: 100,
            height: 100)
        let pose = CameraPose(
            right: SIMD3(1, 0, 0), down: SIMD3(0, 1, 0), forward: SIMD3(0, 0, 1), position: SIMD3(x, 0, z))
        let map = DepthMap(
            width: 100, height: 100, meters: (0..<10_000).map { depth($0 % 100) }, scale: .absolute)
        return PictureView(pose, camera, map)
    }

    private func middles(_ triangles: [Triangle]) -> [Float] {
        triangles.map { triangle in
            var sum: Float = 0
            for corner in triangle.corners { sum += wall.vertices.positions[corner].x }
            return sum / 3
        }
    }

    @Test("A triangle has the picture that shows it from nearby; what no picture shows completely has none")
    func nearest() {
        // From 2 m, the first sees the wall from −1 to 1 m; from 1 m, the second sees it from −0.1 to 0.9 m.
        let far = view(x: 0, z: 0) { _ in 2 }
        let near = view(x: 0.4, z: 1) { _ in 1 }
        let pictures = SurfacePictures(wall, [far, nil, near], tolerance: 0.02)
        #expect(pictures.seen.count == 3 && pictures.seen[1].isEmpty)
        #expect(middles(pictures.seen[2]).allSatisfy { $0 > -0.15 && $0 < 0.9 })
        // 10 × 10 squares without those at the edges.
        #expect(pictures.seen[2].count >= 128 && pictures.seen[2].count <= 200)
        #expect(pictures.seen[0].count + pictures.seen[2].count + pictures.unseen.count == 800)
        // At the picture's edges are the corners of the outermost squares.
        #expect(pictures.unseen.count >= 100 && pictures.unseen.count < 200)
    }

    @Test("What stands before the wall hides it, and a picture does not show what is seen from behind")
    func hidden() {
        // A post covers the columns 40 to 59: −0.2 to 0.2 m.
        let camera = view(x: 0, z: 0) { (40..<60).contains($0) ? 1 : 2 }
        let pictures = SurfacePictures(wall, [camera], tolerance: 0.02)
        #expect(middles(pictures.seen[0]).allSatisfy { abs($0) > 0.2 } && !pictures.seen[0].isEmpty)
        let turned = wall.triangles.map { Triangle($0.first, $0.third, $0.second) }
        let back = SurfacePictures(
            TriangleMesh(vertices: wall.vertices, triangles: turned), [camera], tolerance: 0.02)
        #expect(back.seen[0].isEmpty && back.unseen.count == 800)
    }
}
