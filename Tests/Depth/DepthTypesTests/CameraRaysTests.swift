import DepthTypes
import Testing

@Suite("Camera rays")
struct CameraRaysTests {
    private static let camera = CameraCalibration(
        focalLengthX: 4, focalLengthY: 2, principalPointX: 3.5, principalPointY: 2.5, width: 8, height: 6)

    @Test("Rays of a map of half the size lead through the middles of its samples")
    func rays() {
        // Centers are at 2 · (i + ½) − ½ in the frame: columns 0.5, 2.5, 4.5 and 6.5, rows 0.5, 2.5 and 4.5.
        let rays = CameraRays(Self.camera, width: 4, height: 3)
        #expect(rays.columns == [-0.75, -0.25, 0.25, 0.75])
        #expect(rays.rows == [-1, 0, 1])
        var (x, y) = ([Float](repeating: 0, count: 4), [Float](repeating: 0, count: 4))
        rays.load(row: 2, x: &x, y: &y)
        #expect(x == rays.columns && y == [1, 1, 1, 1])
    }

    @Test("A pixel and a distance are a point, which is seen at that pixel")
    func point() {
        // (5.5 − 3.5) / 4 · 2 = 1, (0.5 − 2.5) / 2 · 2 = −2.
        let point = Self.camera.point(at: SIMD2(5.5, 0.5), distance: 2)
        #expect(point == SIMD3(1, -2, 2))
        #expect(Self.camera.pixel(of: point) == SIMD2(5.5, 0.5))
    }
}
