internal import DepthCore
internal import DepthModel
internal import Testing

@Suite("Hole filling")
struct HoleFillingTests {
    @Test("known and infinite samples stay, none is left unknown", arguments: HoleFilling.allCases)
    func known(method: HoleFilling) {
        let map = disparities([[1, .nan, 3], [.nan, .nan, .infinity], [2, .nan, 0]])
        let filled = map.filled(by: method).samples
        for (before, after) in zip(map.samples, filled) {
            #expect(before.isNaN ? after.isFinite && (0...3).contains(after) : after == before)
        }
    }

    @Test("holes in a flat surface are flat", arguments: HoleFilling.allCases)
    func flat(method: HoleFilling) {
        let map = disparities(37, 23) { x, y in (x * 7 + y * 13) % 5 < 3 || (9..<20).contains(x) ? .nan : 0.3
        }
        #expect(map.filled(by: method).samples.allSatisfy { $0 == 0.3 })
    }

    @Test("a hole in a slope is a slope")
    func slope() {
        func value(_ x: Int, _ y: Int) -> Float { 1 + 0.01 * Float(x) + 0.02 * Float(y) }
        let map = disparities(64, 48) { x, y in
            (20..<36).contains(x) && (16..<28).contains(y) ? .nan : value(x, y)
        }
        let filled = map.filled().samples
        let error = (0..<filled.count).map { abs(filled[$0] - value($0 % 64, $0 / 64)) }.max() ?? 1
        // The values around the hole differ by 0.38; the sweeps stop a few hundredths short of the membrane.
        #expect(error < 0.03)
    }

    // The shadow between a near figure (2) and the wall (0.5) belongs to the wall.
    @Test("the farthest fills a shadow with what is behind")
    func farthest() {
        let map = disparities(12, 4) { x, _ in x < 4 ? 2 : x < 7 ? .nan : 0.5 }
        let filled = map.filled(by: .farthest)
        // From both rims three columns are closed in two rings; the one that touches only the figure takes its value.
        #expect(filled.samples[6] == 0.5 && filled.samples[5] == 0.5)
        #expect(map.filled().samples[5] > 0.5 && map.filled().samples[5] < 2)
    }

    @Test("depth is filled in disparity: between 1 m and infinity lies 2 m")
    func depth() {
        let map = DepthMap(width: 3, height: 1, meters: [1, .nan, .infinity], scale: .metric)
        let filled = map.filled().meters
        #expect(filled[0] == 1 && filled[2] == .infinity)
        // The membrane between 1 and 0 1/m, free at the long sides.
        #expect(abs(filled[1] - 2) < 0.05)
    }

    @Test("a negative depth stays and does not count")
    func negative() {
        let map = DepthMap(width: 3, height: 1, meters: [-4, .nan, 2], scale: .metric)
        #expect(map.filled().meters == [-4, 2, 2])
    }

    @Test("all unknown stays unknown", arguments: HoleFilling.allCases)
    func unknown(method: HoleFilling) {
        #expect(same(disparities([[.nan, .nan]]).filled(by: method).samples, [.nan, .nan]))
        #expect(disparities([]).filled(by: method).samples == [])
    }
}
