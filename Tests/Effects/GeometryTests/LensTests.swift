import DepthMaps
import DepthTypes
import Geometry
import Testing

@Suite("Lens correction")
struct LensTests {
    /// The coefficients of a wide phone camera (iPhone 13 Pro), whose forward and inverse polynomials the vendor fitted
    /// separately: the scene is distorted by the first, and the code corrects by the second.
    private static let camera = CameraCalibration(
        focalLengthX: 3032.594, focalLengthY: 3032.594, principalPointX: 1987.951, principalPointY: 1511.807,
        width: 4032, height: 3024,
        distortion: LensDistortion(
            coefficients: [
                0, -0.9431247115135193, 0.20781543850898743, -0.021483847871422768, 0.0009716254426166415,
                -7.900363016233314e-06, -6.611011258428334e-07, 1.427552032140511e-08,
            ],
            inverseCoefficients: [
                0, 0.9271238446235657, -0.19650104641914368, 0.019290488213300705, -0.0007934493478387594,
                1.9311880805616966e-06, 7.043756795610534e-07, -1.3319315428361733e-08,
            ], centerX: 1989.831, centerY: 1514.705),
        pixelSize: 0.0019)

    /// Where a point of the photo would be without the lens: inverts the forward polynomial by bisection.
    private static func rectified(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        guard let lens = camera.distortion else { return (x, y) }
        let (dx, dy) = (x - lens.centerX, y - lens.centerY)
        let radius = (dx * dx + dy * dy).squareRoot()
        guard radius > 0 else { return (x, y) }
        var (low, high) = (0.0, 2 * radius)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            var (share, power) = (0.0, 1.0)
            for coefficient in lens.coefficients {
                share += 0.01 * coefficient * power
                power *= middle * 0.0019
            }
            if middle * (1 + share) < radius { low = middle } else { high = middle }
        }
        return (lens.centerX + dx * low / radius, lens.centerY + dy * low / radius)
    }

    /// The greatest distance of a point from the scene, in reference pixels at its depth.
    private func worstError(_ map: DepthMap, correctsLens: Bool) throws -> Double {
        let camera = try #require(map.calibration)
        var options = CloudOptions()
        options.keepsEdges = true
        let unprojection = try Unprojection(
            camera, width: map.width, height: map.height, axes: .opencv, correctsLens: correctsLens)
        let points = GridCloud(map, unprojection, options: options).collected().positions
        #expect(points.count == map.meters.count)
        return points.map { Scene.distance(SIMD3<Double>($0)) / Double($0.z) * camera.focalLengthX }.max()
            ?? 0
    }

    @Test("Lens correction places points within half a pixel of the surface")
    func corrected() throws {
        let map = Scene.map(width: 64, height: 48, camera: Self.camera, rectified: Self.rectified)
        #expect(try worstError(map, correctsLens: true) < 0.5)
        #expect(try worstError(map, correctsLens: false) > 10)
    }

    @Test("The lens is turned with the map", arguments: [Orientation.right, .down, .leftMirrored])
    func turned(orientation: Orientation) throws {
        let map = Scene.map(width: 32, height: 24, camera: Self.camera, rectified: Self.rectified)
        let upright = map.oriented(by: orientation)
        let camera = try #require(upright.calibration)
        let points = GridCloud(
            upright, try Unprojection(camera, width: upright.width, height: upright.height, axes: .opencv)
        ).collected().positions
        let turn = orientation.inverse.matrix
        for point in points {
            let x = Double(turn.a) * Double(point.x) + Double(turn.b) * Double(point.y)
            let y = Double(turn.c) * Double(point.x) + Double(turn.d) * Double(point.y)
            #expect(Scene.distance(SIMD3(x, y, Double(point.z))) * 3032.594 / Double(point.z) < 0.5)
        }
    }

    @Test("Samples beyond the radius at which the lens folds back are dropped")
    func folding() throws {
        // m(r) = −r²/3 for r in millimeters: r · (1 + m) rises up to r = 1 mm, which is 10 pixels.
        let lens = LensDistortion(
            coefficients: [], inverseCoefficients: [0, 0, -100.0 / 3], centerX: 15, centerY: 0)
        let camera = CameraCalibration(
            focalLengthX: 30, focalLengthY: 30, principalPointX: 15, principalPointY: 0, width: 31, height: 1,
            distortion: lens, pixelSize: 0.1)
        let map = DepthMap(
            width: 31, height: 1, meters: [Float](repeating: 1, count: 31), scale: .absolute,
            calibration: camera)
        let cloud = try map.cloud()
        // Columns 6…24; 5 and 25 lie on the border.
        #expect(cloud.positions.count == 19)
        #expect(try Unprojection(camera, width: 31, height: 1).invalidSampleCount(of: map) == 12)
        let places = cloud.positions.map(\.x)
        #expect(places == places.sorted())
        // Nine pixels off the center: 9 · (1 − 0.81 / 3) / 30.
        #expect(abs((places.last ?? 0) - 0.219) < 1e-5)
    }

    @Test("An empty or invalid lens corrects nothing")
    func nothing() throws {
        for (coefficients, pixelSize) in [
            ([0, 0, 0, 0], 0.002), ([0, 1], nil), ([0, 1], 0), ([0, 1], Double.nan), ([], 0.002),
        ] as [([Double], Double?)] {
            var camera = CameraCalibration(focalLength: 10, width: 8, height: 8)
            camera.distortion = LensDistortion(
                coefficients: [], inverseCoefficients: coefficients, centerX: 4, centerY: 4)
            camera.pixelSize = pixelSize
            #expect(!(try Unprojection(camera, width: 8, height: 8)).correctsLens)
        }
        var camera = CameraCalibration(focalLength: 10, width: 8, height: 8)
        camera.distortion = LensDistortion(
            coefficients: [], inverseCoefficients: [0, .nan], centerX: 4, centerY: 4)
        camera.pixelSize = 0.002
        let unprojection = try Unprojection(camera, width: 8, height: 8)
        let map = DepthMap(width: 8, height: 8, meters: [Float](repeating: 1, count: 64), scale: .absolute)
        #expect(GridCloud(map, unprojection).header.pointCount == 0)
    }
}
