import TestSupport
import Testing

@testable import Networks

@Suite("Aligning disparity to meters")
struct AffineAlignmentTests {
    @Test("Scale and shift are found to 1e-3 with 30 % outliers", arguments: [1, 2, 3] as [UInt64])
    func outliers(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        func uniform() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
        let pairs = (0..<5000).map { index in
            let value = uniform() * 10 - 3
            // Wrong samples are far off, all in the same direction.
            return SIMD2(value, index % 10 < 3 ? 2 + 3 * uniform() : 0.05 * value + 0.3)
        }
        let line = try AffineAlignment(pairs)
        #expect(abs(line.factor - 0.05) < 0.05 * 1e-3)
        #expect(abs(line.offset - 0.3) < 0.3 * 1e-3)
        #expect(abs(line.inlierShare - 0.7) < 0.01)
    }

    @Test("Noise of 2 % is averaged away")
    func noise() throws {
        var random = SplitMix(seed: 5)
        func uniform() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
        let pairs = (0..<20000).map { index in
            let value = uniform()
            let exact = 0.8 * value + 0.1
            return SIMD2(value, index % 10 < 3 ? 5 * uniform() : exact + 0.02 * (uniform() - 0.5))
        }
        let line = try AffineAlignment(pairs)
        // The deviation of the mean of 14,000 values of ±0.01 is 5e-5; of the factor four times that.
        #expect(abs(line.factor - 0.8) < 1e-3)
        #expect(abs(line.offset - 0.1) < 1e-3)
        #expect(line.residual < 0.02)
    }

    @Test("What is constant, reversed or too little is refused")
    func refusals() {
        #expect(throws: NetworkError.self) { try AffineAlignment((0..<100).map { SIMD2(1, Double($0)) }) }
        #expect(throws: NetworkError.self) {
            try AffineAlignment((0..<100).map { SIMD2(Double($0), -Double($0)) })
        }
        #expect(throws: NetworkError.self) { try AffineAlignment([SIMD2(0, 0), SIMD2(1, 1)]) }
        #expect(throws: NetworkError.self) { try AffineAlignment(exactly: [SIMD2(1, 0.5), SIMD2(1, 0.25)]) }
        #expect(throws: NetworkError.self) { try AffineAlignment(exactly: [SIMD2(1, 0.5), SIMD2(2, 0.25)]) }
    }

    @Test("Two anchors give the line through both")
    func anchors() throws {
        // 1/2 m at 10 and 1/4 m at 5: 1/Z = 0.05 · value.
        let line = try AffineAlignment(exactly: [SIMD2(10, 0.5), SIMD2(5, 0.25)])
        #expect(abs(line.factor - 0.05) < 1e-12)
        #expect(abs(line.offset) < 1e-12)
    }
}
