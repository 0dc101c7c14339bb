internal import DepthCore
internal import DepthModel
internal import Testing

@Suite("Hole filling")
struct HoleFillingTests {
    @Test("Filling keeps known and infinite samples and leaves none unknown", arguments: HoleFilling.allCases)
    func known(method: HoleFilling) {
        let map = disparities([[1, .nan, 3], [.nan, .nan, .infinity], [2, .nan, 0]])
        let filled = map.filled(by: method).samples
        for (before, after) in zip(map.samples, filled) {
            #expect(before.isNaN ? after.isFinite && (0...3).contains(after) : after == before)
        }
    }

    @Test("A hole in a flat surface is filled flat", arguments: HoleFilling.allCases)
    func flat(method: HoleFilling) {
        let map = disparities(37, 23) { x, y in (x * 7 + y * 13) % 5 < 3 || (9..<20).contains(x) ? .nan : 0.3
        }
        #expect(map.filled(by: method).samples.allSatisfy { $0 == 0.3 })
    }

    @Test("A hole in a slope is filled with the slope")
    func slope() {
        func value(_ x: Int, _ y: Int) -> Float { 1 + 0.01 * Float(x) + 0.02 * Float(y) }
        let map = disparities(64, 48) { x, y in
            (20..<36).contains(x) && (16..<28).contains(y) ? .nan : value(x, y)
        }
        let filled = map.filled().samples
        let error = (0..<filled.count).map { abs(filled[$0] - value($0 % 64, $0 / 64)) }.max() ?? 1
        // The values around the hole differ by 0.38; the iteration stops a few hundredths before it converges.
        #expect(error < 0.03)
    }

    // The shadow between a near figure (2) and the wall (0.5) is part of the wall.
    @Test("Filling with the farthest value extends the background into a shadow")
    func farthest() {
        let map = disparities(12, 4) { x, _ in x < 4 ? 2 : x < 7 ? .nan : 0.5 }
        let filled = map.filled(by: .farthest)
        // Three columns are filled from both sides in two steps; the one that touches only the figure takes its value.
        #expect(filled.samples[6] == 0.5 && filled.samples[5] == 0.5)
        #expect(map.filled().samples[5] > 0.5 && map.filled().samples[5] < 2)
    }

    @Test("Depth is filled in disparity: a hole between 1 m and infinity becomes 2 m")
    func depth() {
        let map = DepthMap(width: 3, height: 1, meters: [1, .nan, .infinity], scale: .metric)
        let filled = map.filled().meters
        #expect(filled[0] == 1 && filled[2] == .infinity)
        // Interpolated between 1 and 0 1/m.
        #expect(abs(filled[1] - 2) < 0.05)
    }

    @Test("A negative depth is kept and does not spread")
    func negative() {
        let map = DepthMap(width: 3, height: 1, meters: [-4, .nan, 2], scale: .metric)
        #expect(map.filled().meters == [-4, 2, 2])
    }

    @Test("An entirely unknown map stays unknown", arguments: HoleFilling.allCases)
    func unknown(method: HoleFilling) {
        #expect(same(disparities([[.nan, .nan]]).filled(by: method).samples, [.nan, .nan]))
        #expect(disparities([]).filled(by: method).samples == [])
    }
}
