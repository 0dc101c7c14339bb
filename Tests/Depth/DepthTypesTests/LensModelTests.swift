import Testing

@testable import DepthTypes

@Suite("Lenses by the radius in millimeters")
struct LensModelTests {
    /// 6 × 8 pixels of 0.2 mm around their middle: the corners are 5 pixels away, which is 1 mm.
    private func lens(_ coefficients: [Double]) throws -> LensModel {
        let camera = CameraCalibration(
            focalLengthX: 5, focalLengthY: 5, principalPointX: 2.5, principalPointY: 3.5, width: 6, height: 8,
            distortion: LensDistortion(
                coefficients: [], inverseCoefficients: coefficients, centerX: 2.5, centerY: 3.5),
            pixelSize: 0.2)
        return try #require(LensModel(camera))
    }

    @Test("Eight coefficients are those of powers of the radius, in percent")
    func elongation() throws {
        let lens = try lens([1, 2, 3, 4, 5, 6, 7, 8])
        #expect(lens.radius == 5 && abs(lens.elongation(1) - 0.36) < 1e-6)
        // 1 + 2 / 2 + 3 / 4 + 4 / 8 + 5 / 16 + 6 / 32 + 7 / 64 + 8 / 128
        #expect(abs(lens.elongation(0.5) - 0.0392_1875) < 1e-7)
    }

    @Test("Radii fold where the picture turns back")
    func fold() throws {
        // t · (1 − t) rises up to 0.5.
        #expect(try lens([0, -100]).fold == 0.5)
        #expect(try lens([0, 100]).fold == .infinity)
    }
}
