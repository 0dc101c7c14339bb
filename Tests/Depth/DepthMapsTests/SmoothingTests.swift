internal import DepthMaps
internal import DepthTypes
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
        let map = DepthMap(width: 8, height: 1, meters: meters, scale: .absolute)
        #expect(same(map.smoothed(radius: 2, tolerance: 0.1).meters, meters))
    }

    @Test(
        "Smoothing is the recursive filter, for maps of any shape",
        arguments: [(1, 1), (1, 40), (40, 1), (17, 33), (33, 17), (70, 130), (130, 70), (64, 64)])
    func reference(width: Int, height: Int) {
        var random = SplitMix(seed: 3)
        let map = disparities(width, height) { _, _ in 1 + Float(random.fraction()) }
        let smoothed = map.smoothed(radius: 6, tolerance: 0.8).samples
        let expected = recursivelySmoothed(
            map.samples.map(Double.init), width, height, radius: 6, tolerance: 0.8)
        // Float32 rounds each of some 12 recursions.
        #expect(zip(smoothed, expected).allSatisfy { abs(Double($0) - $1) < 1e-5 })
    }

    /// Gastal and Oliveira's recursive filter, three passes, as `EdgeAwareSmoother` documents it, sample by sample.
    private func recursivelySmoothed(
        _ samples: [Double], _ width: Int, _ height: Int, radius: Double, tolerance: Double
    ) -> [Double] {
        func share(_ a: Int, _ b: Int) -> Double {
            let ratio = abs(samples[a] - samples[b]) / tolerance
            return ratio < 1 ? (1 - ratio * ratio) * (1 - ratio * ratio) : 0
        }
        var result = samples
        func smooth(_ places: [Int], _ a: Double) {
            for (before, place) in zip(places, places.dropFirst()) {
                result[place] += a * share(before, place) * (result[before] - result[place])
            }
            for (after, place) in zip(places.reversed(), places.reversed().dropFirst()) {
                result[place] += a * share(after, place) * (result[after] - result[place])
            }
        }
        for pass in 1...3 {
            let r = radius * 3.0.squareRoot() * Double(1 << (3 - pass)) / 63.0.squareRoot()
            let half = 1 + 1 / (r * r)
            let a = half - (half * half - 1).squareRoot()
            for row in 0..<height { smooth((0..<width).map { row * width + $0 }, a) }
            for column in 0..<width { smooth((0..<height).map { $0 * width + column }, a) }
        }
        return result
    }
}
