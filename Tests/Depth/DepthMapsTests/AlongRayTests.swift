import DepthMaps
import DepthTypes
import Testing

@Suite("Depth along rays")
struct AlongRayTests {
    private let camera = CameraCalibration(
        focalLengthX: 2, focalLengthY: 2, principalPointX: 1, principalPointY: 1, width: 3, height: 3)

    /// x and y are −½, 0, ½: rays are √(¼ + ¼ + 1), √(¼ + 1) and 1 long.
    private let lengths: [Float] = [
        1.2247449, 1.118034, 1.2247449, 1.118034, 1, 1.118034, 1.2247449, 1.118034, 1.2247449,
    ]

    @Test("A wall measured along rays becomes flat along the axis")
    func wall() {
        let map = DepthMap(
            width: 3, height: 3, meters: lengths.map { 4 * $0 }, scale: .relative, calibration: camera)
        for meters in map.alongAxis().meters { #expect(abs(meters - 4) < 1e-6) }
        #expect(map.alongAxis().scale == .relative)
    }

    @Test("The camera's frame may differ in size from the map")
    func scaled() {
        let map = DepthMap(
            width: 3, height: 3, meters: lengths, scale: .relative,
            calibration: camera.scaled(toWidth: 300, height: 300))
        for meters in map.alongAxis().meters { #expect(abs(meters - 1) < 1e-6) }
    }

    @Test("Unknown and infinite depths, and maps without a camera, are unchanged")
    func special() {
        let values: [Float] = [.nan, .infinity, 1, 2, 3, 4, 5, 6, 7]
        let map = DepthMap(width: 3, height: 3, meters: values, scale: .unitless, calibration: camera)
        #expect(map.alongAxis().meters[0].isNaN)
        #expect(map.alongAxis().meters[1] == .infinity)
        let bare = DepthMap(width: 3, height: 3, meters: lengths, scale: .unitless)
        #expect(bare.alongAxis().meters == lengths)
    }

    // m(r) = −r²/3 for r in millimeters, 10 pixels each: nine pixels off the center, a ray meets 9 · (1 − 0.81 / 3) / 30 = 0.219 of
    // the distance. r · (1 + m) rises up to 1 mm; columns beyond that, 0…4 and 26…30, have no ray.
    @Test("the lens bends rays, and beyond its description nothing is known")
    func lens() {
        let lens = LensDistortion(
            coefficients: [], inverseCoefficients: [0, 0, -100.0 / 3], centerX: 15, centerY: 0)
        let camera = CameraCalibration(
            focalLengthX: 30, focalLengthY: 30, principalPointX: 15, principalPointY: 0, width: 31, height: 1,
            distortion: lens, pixelSize: 0.1)
        let lengths = (0..<31).map { column in
            let r = Double(column - 15) / 10
            let x = r * (1 - r * r / 3) / 3
            return Float(2 * (1 + x * x).squareRoot())
        }
        let map = DepthMap(width: 31, height: 1, meters: lengths, scale: .absolute, calibration: camera)
        #expect(abs(lengths[24] - 2.04740) < 1e-5)
        let found = map.alongAxis().meters
        for column in 6..<25 { #expect(abs(found[column] - 2) < 1e-6) }
        for column in Array(0..<5) + Array(26..<31) { #expect(found[column].isNaN) }
        // Without the lens, the ray would be 0.3 long, and the wall 1.9611 m away.
        var straight = camera
        straight.distortion = nil
        let bent = DepthMap(width: 31, height: 1, meters: lengths, scale: .absolute, calibration: straight)
        #expect(abs(bent.alongAxis().meters[24] - 1.96105) < 1e-5)
    }
}
