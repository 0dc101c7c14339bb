internal import DepthCore
internal import DepthModel
import TestSupport
internal import Testing

@Suite("Edge-preserving smoothing")
struct SmoothingTests {
    @Test("Smoothing removes noise on two surfaces and keeps the step between them")
    func step() {
        var noise = SplitMix(seed: 1)
        let clean = disparities(64, 48) { x, _ in x < 30 ? 0.5 : 1.5 }
        let noisy = clean.replacing(
            reciprocalMeters: clean.samples.map { $0 + 0.04 * (noise.fraction() - 0.5) })
        let smoothed = noisy.smoothed(radius: 4, tolerance: 0.1).samples
        func error(_ samples: [Float]) -> Float {
            zip(samples, clean.samples).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(samples.count)
        }
        // The noise is uniform in ±0.02, 0.01 on average; a mean over about 4π·4² samples leaves a fourteenth of it.
        #expect(error(noisy.samples) > 0.009)
        #expect(error(smoothed) < 0.002)
        // No sample moved toward the other side by more than its noise.
        #expect(zip(smoothed, clean.samples).allSatisfy { abs($0 - $1) < 0.021 })
    }

    @Test("Unknown and infinite samples stay unchanged when smoothing, and have no influence")
    func unknown() {
        let map = disparities(16, 8) { x, y in x == 5 ? .nan : (x, y) == (9, 3) ? .infinity : 0.25 }
        #expect(same(map.smoothed(radius: 5, tolerance: 1).samples, map.samples))
    }

    @Test("Smoothing depth keeps unknown, zero, negative and infinite values")
    func depth() {
        let meters: [Float] = [2, 2, .nan, 0, -1, .infinity, .infinity, 2]
        let map = DepthMap(width: 8, height: 1, meters: meters, scale: .metric)
        #expect(same(map.smoothed(radius: 2, tolerance: 0.1).meters, meters))
    }
}
