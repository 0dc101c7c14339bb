import Testing

@testable import DepthTypes

@Suite("LensCoefficients")
struct LensCoefficientsTests {
    private static let focal = SIMD2(500.0, 510.0)
    private static let center = SIMD2(319.5, 239.5)

    /// cv2.projectPoints and cv2.fisheye.projectPoints of OpenCV 5.0, of (0.4, -0.3, 1) and (-0.62, 0.45, 1), with K = [[500, 0,
    /// 319.5], [0, 510, 239.5], [0, 0, 1]].
    private static let projected: [(lens: [Double], isFisheye: Bool, pixels: [SIMD2<Double>])] = [
        (
            [0.1, -0.2, 0.01, -0.02, 0.3], false,
            [SIMD2(516.0375, 88.5113125), SIMD2(-22.48565462153698, 491.32793914723464)]
        ),
        (
            [0.5, -2.6, 0.0006, -0.0003, 1.5, 0.38, -2.4, 1.4], false,
            [SIMD2(523.2856157078216, 83.65181648351648), SIMD2(-0.7971502639990149, 476.7376299583476)]
        ),
        (
            [0.05, -0.01, 0.003, -0.0005], true,
            [SIMD2(506.8720671024777, 96.16036866660463), SIMD2(49.74459282834641, 439.20601918030485)]
        ),
    ]

    @Test("Points are where OpenCV projects them, and pixels have their rays", arguments: projected)
    func projection(numbers: [Double], isFisheye: Bool, pixels: [SIMD2<Double>]) throws {
        let lens = try #require(LensCoefficients(numbers, isFisheye: isFisheye))
        for (point, pixel) in zip([SIMD2(0.4, -0.3), SIMD2(-0.62, 0.45)], pixels) {
            let seen = try #require(lens.distorted(point.x, point.y)) * Self.focal + Self.center
            #expect(abs(seen.x - pixel.x) < 1e-6 && abs(seen.y - pixel.y) < 1e-6, "\(seen)")
            let ray = try #require(lens.ray(pixel, focal: Self.focal, center: Self.center))
            #expect(abs(ray.x - point.x) < 1e-6 && abs(ray.y - point.y) < 1e-6, "\(ray)")
        }
    }

    @Test("A turned camera shows turned points", arguments: Orientation.allCases)
    func oriented(orientation: Orientation) throws {
        let lens = try #require(LensCoefficients([0.1, -0.2, 0.01, -0.02, 0.3]))
        let turn = orientation.matrix
        func turned(_ point: SIMD2<Double>) -> SIMD2<Double> {
            SIMD2(
                Double(turn.a) * point.x + Double(turn.b) * point.y,
                Double(turn.c) * point.x + Double(turn.d) * point.y)
        }
        let (point, expected) = (turned(SIMD2(0.4, -0.3)), turned(try #require(lens.distorted(0.4, -0.3))))
        let seen = try #require(lens.oriented(by: orientation).distorted(point.x, point.y))
        #expect(abs(seen.x - expected.x) < 1e-12 && abs(seen.y - expected.y) < 1e-12)
    }

    /// numpy.linalg.lstsq of r³, r⁵, r⁷ for radii up to 0.8: the largest error is 0.06 px for a focal length of 607.
    @Test("The polynomial that replaces a quotient fits it")
    func polynomial() throws {
        let lens = try #require(LensCoefficients([0.5, -2.6, 0.0006, -0.0003, 1.5, 0.38, -2.4, 1.4]))
        let fitted = lens.polynomial(upTo: 0.8)
        #expect(fitted.model == "FULL_OPENCV" && fitted.radialBelow == .zero)
        #expect(fitted.tangential == SIMD2(0.0006, -0.0003))
        for step in 0...20 {
            let radius = 0.04 * Double(step)
            let difference =
                try #require(lens.distorted(radius, 0)) - #require(fitted.distorted(radius, 0))
            #expect(abs(difference.x) * 607 < 0.08, "\(radius): \(difference)")
        }
    }

    @Test("Zeros are no lens, but those of a fisheye are one; other numbers are refused")
    func limits() {
        #expect(LensCoefficients([0, 0, 0, 0, 0]) == nil)
        #expect(LensCoefficients([0, 0, 0, 0], isFisheye: true)?.model == "OPENCV_FISHEYE")
        #expect(LensCoefficients([.nan, 0, 0, 0]) == nil && LensCoefficients([1e9]) == nil)
        #expect(LensCoefficients([Double](repeating: 0.1, count: 9)) == nil)
        for place in 0..<8 {
            let lens = LensCoefficients((0..<8).map { $0 == place ? 0.1 : 0 })
            #expect(lens?.isNone == false)
        }
        // r · (1 − 0.3 r²) rises up to √(1 / 0.9).
        #expect(abs((LensCoefficients([-0.3])?.greatestRadius ?? 0) - 1.05) < 0.011)
    }
}
