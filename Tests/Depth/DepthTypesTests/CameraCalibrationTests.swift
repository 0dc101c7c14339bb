import DepthTypes
import Testing

@Suite("CameraCalibration")
struct CameraCalibrationTests {
    /// 100 × 60 pixels, with the principal point at (30, 20) and the lens at (10, 5) from the corner.
    private static let camera = CameraCalibration(
        focalLengthX: 50, focalLengthY: 40, principalPointX: 29.5, principalPointY: 19.5, width: 100,
        height: 60,
        distortion: LensDistortion(coefficients: [1], inverseCoefficients: [2], centerX: 9.5, centerY: 4.5),
        extrinsics: CameraCalibration.Extrinsics(
            rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [0.1, 0.2, 0.3]), pixelSize: 0.01)

    /// Exif number, then principal point and lens center from the corner, by hand.
    private static let turned: [(Int, point: SIMD2<Double>, lens: SIMD2<Double>)] = [
        (1, [30, 20], [10, 5]), (2, [70, 20], [90, 5]), (3, [70, 40], [90, 55]), (4, [30, 40], [10, 55]),
        (5, [20, 30], [5, 10]), (6, [40, 30], [55, 10]), (7, [40, 70], [55, 90]), (8, [20, 70], [5, 90]),
    ]

    @Test("Reorienting a camera turns its frame, focal lengths, principal point and lens", arguments: turned)
    func oriented(number: Int, point: SIMD2<Double>, lens: SIMD2<Double>) throws {
        let orientation = try #require(Orientation(rawValue: number))
        let result = Self.camera.oriented(by: orientation)
        let swaps = number >= 5
        #expect([result.width, result.height] == (swaps ? [60, 100] : [100, 60]))
        #expect([result.focalLengthX, result.focalLengthY] == (swaps ? [40, 50] : [50, 40]))
        #expect(SIMD2(result.principalPointX, result.principalPointY) == point - 0.5)
        let center = try #require(result.distortion)
        #expect(SIMD2(center.centerX, center.centerY) == lens - 0.5)
        #expect(center.coefficients == [1])
        #expect(result.pixelSize == 0.01)
        #expect(result.extrinsics?.translation == [0.1, 0.2, 0.3])
    }

    /// The value that an iPhone X wrote for a photo turned by 90° clockwise: columns (0, −1, 0), (1, 0, 0), (0, 0, 1).
    @Test("Reorienting a camera adds a rotation to its extrinsics")
    func extrinsics() {
        let result = Self.camera.oriented(by: .right)
        #expect(result.extrinsics?.rotation == [0, 1, 0, -1, 0, 0, 0, 0, 1])
    }

    @Test("Reorienting a camera keeps directions in the reference camera", arguments: Orientation.allCases)
    func directions(orientation: Orientation) throws {
        let rotation = try #require(Self.camera.oriented(by: orientation).extrinsics?.rotation)
        // A ray one to the right and two down, as the turned camera sees it.
        let turned = orientation.point(1, 2, width: 0, height: 0)
        let x = rotation[0] * turned.x + rotation[1] * turned.y
        let y = rotation[3] * turned.x + rotation[4] * turned.y
        #expect([x, y] == [1, 2])
    }

    @Test("Scaling a camera is relative to the corner of the first pixel")
    func scaled() {
        let result = Self.camera.scaled(toWidth: 50, height: 15)
        #expect([result.width, result.height] == [50, 15])
        #expect([result.focalLengthX, result.focalLengthY] == [25, 10])
        #expect([result.principalPointX, result.principalPointY] == [14.5, 4.5])
        #expect(result.distortion?.centerX == 4.5)
        #expect(result.distortion?.centerY == 0.75)
        #expect(result.pixelSize == 0.02)
    }

    @Test("Cropping a camera moves its origin")
    func cropped() {
        let result = Self.camera.cropped(left: 4, top: 3, width: 20, height: 10)
        #expect([result.width, result.height] == [20, 10])
        #expect([result.principalPointX, result.principalPointY] == [25.5, 16.5])
        #expect(result.distortion?.centerX == 5.5)
        #expect(result.distortion?.centerY == 1.5)
        #expect(result.focalLengthX == 50)
    }
}
