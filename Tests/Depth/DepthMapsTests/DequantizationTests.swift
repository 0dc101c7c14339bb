internal import DepthMaps
import TestSupport
internal import Testing

@Suite("Dequantization")
struct DequantizationTests {
    static func errors(_ map: DisparityMap, _ exact: (Int, Int) -> Float) -> [Float] {
        map.samples.indices.map { abs(map.samples[$0] - exact($0 % map.width, $0 / map.width)) }
    }

    @Test("Dequantization turns a staircase back into a slope", arguments: [6, 10, 20])
    func slope(tread: Int) {
        func value(_ x: Int, _ y: Int) -> Float { (Float(x) + 0.5) / Float(tread) }
        let stairs = disparities(400, 16) { x, y in value(x, y).rounded() }
        let slope = stairs.dequantized(step: 1, radius: 12)
        let (before, after) = (Self.errors(stairs, value), Self.errors(slope, value))
        // Treads of even length are centered on their values. A staircase is off by a quarter of a step on average; a
        // sixth of that remains, most of it at the ends.
        #expect(before.reduce(0, +) / 6400 > 0.23)
        #expect(after.reduce(0, +) / 6400 < 0.04)
        #expect(Set(slope.samples.prefix(400)).count > 300)
    }

    @Test("Disparity of 0 is infinitely far: it stays, and what is beside it is as without it")
    func infinite() {
        let steps = disparities(64, 8) { x, _ in x < 32 ? 0 : Float(x / 8) }
        let alone = disparities(64, 8) { x, _ in x < 32 ? .nan : Float(x / 8) }
        let (smooth, other) = (steps.dequantized(step: 4, radius: 6), alone.dequantized(step: 4, radius: 6))
        for index in smooth.samples.indices {
            #expect(smooth.samples[index] == (index % 64 < 32 ? 0 : other.samples[index]))
        }
    }

    @Test("Dequantization moves no sample by more than half a step", arguments: [0.1, 1, 3] as [Float])
    func bound(step: Float) {
        var noise = SplitMix(seed: 7)
        let map = disparities(96, 64) { x, y in
            (Float(x * y) / 300 + 6 * noise.fraction() * (x > 48 ? 1 : 0)).rounded() * step
        }
        let moved = zip(map.dequantized(step: step, radius: 8).samples, map.samples).map { abs($0 - $1) }
        #expect(moved.allSatisfy { $0 <= step / 2 })
        #expect(moved.contains { $0 > step / 10 })
    }

    @Test("Dequantization does not smooth jumps of two or more steps")
    func jump() {
        let map = disparities(40, 10) { x, _ in x < 20 ? 0 : 2 }
        #expect(map.dequantized(step: 1, radius: 6).samples == map.samples)
    }

    @Test("Unknown and infinite samples stay unchanged and have no influence on others")
    func unknown() {
        let map = disparities(20, 6) { x, y in x == 7 ? .nan : (x, y) == (12, 2) ? .infinity : 3 }
        #expect(same(map.dequantized(step: 1, radius: 6).samples, map.samples))
    }
}
