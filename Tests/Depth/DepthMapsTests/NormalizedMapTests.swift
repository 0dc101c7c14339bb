internal import DepthMaps
internal import Testing

@Suite("NormalizedMap")
struct NormalizedMapTests {
    @Test("Min–max normalization maps the range to 0…1, infinity to 1, and keeps unknown samples")
    func minimumMaximum() {
        let shares = disparities([[2, 4, 3, .nan, .infinity]]).normalized().shares
        #expect(same(shares, [0, 1, 0.5, .nan, 1]))
    }

    @Test("A constant map normalizes to 0")
    func constant() {
        #expect(disparities([[7, 7]]).normalized().shares == [0, 0])
    }

    @Test("A map without finite values stays unknown")
    func unknown() {
        let map = disparities([[.nan, .nan]])
        #expect(same(map.normalized().shares, [.nan, .nan]))
        #expect(same(map.normalized(percentiles: 0.1...0.9).shares, [.nan, .nan]))
    }

    // 0…10 in 101 steps: the percentiles 10 and 90 are 1 and 9.
    @Test("Percentile normalization clamps outliers")
    func percentiles() {
        let map = disparities([(0...100).map { Float($0) / 10 }])
        let shares = map.normalized(percentiles: 0.1...0.9).shares
        #expect(shares[0] == 0 && shares[100] == 1)
        // Divisions of decimal fractions: 1e-6 is a few units in the last place.
        #expect(abs(shares[50] - 0.5) < 1e-6 && abs(shares[30] - 0.25) < 1e-6)
    }

    @Test("Samples are rounded, and unknown samples get their own value")
    func codes() {
        let map = NormalizedMap(width: 4, height: 1, shares: [0, 0.5, 1, .nan])
        #expect(map.codes(bitDepth: 8).codes == .uint8([0, 128, 255, 0]))
        #expect(map.codes(bitDepth: 16, unknown: 7).codes == .uint16([0, 32768, 65535, 7]))
        #expect(same(map.inverted.shares, [1, 0.5, 0, .nan]))
    }
}
