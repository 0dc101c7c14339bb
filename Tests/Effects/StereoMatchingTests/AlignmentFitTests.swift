import Testing

@testable import StereoMatching

@Suite("AlignmentFit")
struct AlignmentFitTests {
    /// Points of a picture of 640 × 480 pixels, with uniform errors of their rows.
    private static func points(
        error: Double, _ rise: (SIMD2<Double>) -> Double = { _ in 0 }
    ) -> [PointMatches.Match] {
        var generator = SplitMix(state: 3)
        return (0..<100).map { _ in
            let at = SIMD2(generator.unit() * 640, generator.unit() * 480)
            return .init(at: at, rise: rise(at) + error * (2 * generator.unit() - 1))
        }
    }

    @Test("A model that follows the errors of exact rows is not significant", arguments: [0.05, 0.3, 0.8])
    func noise(error: Double) throws {
        let fit = try #require(AlignmentFit(Self.points(error: error), size: [640, 480], unit: 1))
        #expect(!fit.isSignificant)
        // The standard deviation of uniform errors in ±e is e / √3, and the median of their sizes e / 2.
        #expect(abs(fit.noise - 1.4826 * error / 2) <= 0.2 * error)
    }

    @Test("Rows that are off by more than the errors are significant, and measured")
    func offset() throws {
        let points = Self.points(error: 0.1) { 0.4 + 0.5 * ($0.x - 319.5) / 320 }
        let fit = try #require(AlignmentFit(points, size: [640, 480], unit: 1))
        #expect(fit.isSignificant)
        #expect(abs(fit.model[0] - 0.4) <= 0.05 && abs(fit.model[1] - 0.5) <= 0.05)
    }

    @Test("One in five points may be a wrong match")
    func outliers() throws {
        var points = Self.points(error: 0.1) { _ in 2 }
        for index in points.indices where index % 5 == 0 { points[index].rise = -9 + Double(index % 7) }
        let fit = try #require(AlignmentFit(points, size: [640, 480], unit: 1))
        #expect(abs(fit.model[0] - 2) <= 0.05)
    }

    @Test("Fewer than 40 points do not determine an alignment")
    func fewPoints() {
        let points = Array(Self.points(error: 0) { _ in 2 }.prefix(39))
        #expect(AlignmentFit(points, size: [640, 480], unit: 1) == nil)
    }
}
