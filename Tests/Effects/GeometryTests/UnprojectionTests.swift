import DepthMaps
import DepthTypes
import Geometry
import Testing

@Suite("Unprojection")
struct UnprojectionTests {
    private func points(
        _ map: DepthMap, _ camera: CameraCalibration, axes: CloudAxes = .opencv
    ) throws -> [SIMD3<Float>] {
        var options = CloudOptions()
        options.keepsEdges = true
        let unprojection = try Unprojection(camera, width: map.width, height: map.height, axes: axes)
        return GridCloud(map, unprojection, options: options).collected().positions
    }

    @Test("Unprojection follows the pinhole formula from the center of the first pixel")
    func pinhole() throws {
        let camera = CameraCalibration(
            focalLengthX: 2, focalLengthY: 4, principalPointX: 1, principalPointY: 0, width: 3, height: 2)
        let found = try points(.of([1, 1, 2, 4, 4, 8], width: 3), camera)
        // X = (u − 1) · Z / 2, Y = v · Z / 4
        #expect(
            found == [
                SIMD3(-0.5, 0, 1), SIMD3(0, 0, 1), SIMD3(1, 0, 2), SIMD3(-2, 1, 4), SIMD3(0, 1, 4),
                SIMD3(4, 2, 8),
            ])
    }

    @Test("Pixel coordinates are scaled to the reference frame in each direction")
    func scaled() throws {
        // The map's two columns have their centers at 1 and 3 − ½·2 = 2.5 … in a frame four wide and two high:
        // u_ref = (u + ½) · 4 / 2 − ½ = 0.5, 2.5; v_ref = (0 + ½) · 2 − ½ = 0.5.
        let camera = CameraCalibration(
            focalLengthX: 1, focalLengthY: 1, principalPointX: 0.5, principalPointY: 0, width: 4, height: 2)
        #expect(try points(.of([1, 1], width: 2), camera) == [SIMD3(0, 0.5, 1), SIMD3(2, 0.5, 1)])
    }

    @Test("OpenGL axes are OpenCV axes with y and z negated")
    func axes() throws {
        let map = Scene.map(width: 16, height: 12)
        let (down, up) = (try points(map, Scene.camera), try points(map, Scene.camera, axes: .opengl))
        #expect(down.map { $0 * SIMD3(1, -1, -1) } == up)
    }

    @Test("An invalid camera is an error", arguments: [0, -1, .nan, .infinity, 1e-9] as [Double])
    func singular(focalLength: Double) {
        let camera = CameraCalibration(focalLength: focalLength, width: 8, height: 8)
        #expect(throws: CloudError.self) { try Unprojection(camera, width: 8, height: 8) }
    }

    @Test("A principal point may lie outside the frame but must be a number")
    func principalPoint() throws {
        var camera = CameraCalibration(focalLength: 10, width: 8, height: 8)
        camera.principalPointX = -20
        #expect(try points(.of([2], width: 1), camera).first?.x == Float((3.5 + 20) * 2 / 10))
        camera.principalPointX = .nan
        #expect(throws: CloudError.self) { try Unprojection(camera, width: 8, height: 8) }
    }

    @Test("A ball stays round and a wall flat in every orientation", arguments: Orientation.allCases)
    func surfaces(orientation: Orientation) throws {
        let stored = Scene.map(width: 64, height: 48)
        let map = stored.oriented(by: orientation)
        let camera = try #require(map.calibration)
        let turn = orientation.inverse.matrix
        for point in try points(map, camera) {
            // Turned back into the axes of the scene.
            let x = Double(turn.a) * Double(point.x) + Double(turn.b) * Double(point.y)
            let y = Double(turn.c) * Double(point.x) + Double(turn.d) * Double(point.y)
            // Float32 at 2 m.
            #expect(Scene.distance(SIMD3(x, y, Double(point.z))) < 1e-6)
        }
    }
}
