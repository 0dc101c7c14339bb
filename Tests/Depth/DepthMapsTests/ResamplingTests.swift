internal import DepthMaps
internal import Testing

@Suite("Resampling")
struct ResamplingTests {
    @Test("Nearest resampling repeats samples and picks the middle one when reducing")
    func nearest() {
        let map = disparities([[1, 2], [3, .nan]])
        let larger = map.resampled(toWidth: 4, height: 2, by: .nearest)
        #expect(same(larger.samples, [1, 1, 2, 2, 3, 3, .nan, .nan]))
        let row = disparities([[1, 2, 3, 4, 5, 6]])
        #expect(row.resampled(toWidth: 2, height: 1, by: .nearest).samples == [2, 5])
    }

    // Centers of the new samples lie at −1/4, 1/4, 3/4 and 5/4 of the old ones.
    @Test("Bilinear resampling is linear between centers and constant beyond them")
    func bilinear() {
        let map = disparities([[0, 8], [16, 24]])
        let expected: [Float] = [0, 2, 6, 8, 4, 6, 10, 12, 12, 14, 18, 20, 16, 18, 22, 24]
        #expect(map.resampled(toWidth: 4, height: 4, by: .bilinear).samples == expected)
    }

    @Test("Bilinear resampling takes the nearest sample where one is unknown or infinite")
    func bilinearUnknown() {
        let row = disparities([[4, .nan, .infinity, 2]])
        let samples = row.resampled(toWidth: 8, height: 1, by: .bilinear).samples
        #expect(same(samples, [4, 4, .nan, .nan, .infinity, .infinity, 2, 2]))
    }

    @Test("Bilinear resampling preserves a linear ramp")
    func plane() {
        let map = disparities(8, 6) { x, y in 1 + 0.5 * Float(x) + 0.25 * Float(y) }
        let larger = map.resampled(toWidth: 24, height: 18, by: .bilinear)
        for y in 2..<16 {
            for x in 2..<22 {
                let expected = 1 + 0.5 * ((Float(x) + 0.5) / 3 - 0.5) + 0.25 * ((Float(y) + 0.5) / 3 - 0.5)
                // Tolerance: a few roundings of numbers below 8.
                #expect(abs(larger.samples[y * 24 + x] - expected) < 4e-6)
            }
        }
    }

    // 3 → 2: each new sample covers one and a half old ones: (1·1 + ½·4) / 1.5 = 2, (½·4 + 1·7) / 1.5 = 6.
    @Test("Area resampling weights samples by overlap")
    func area() {
        #expect(disparities([[1, 4, 7]]).resampled(toWidth: 2, height: 1, by: .area).samples == [2, 6])
    }

    @Test("Area resampling takes the majority of finite, infinite and unknown samples")
    func areaUnknown() {
        let map = disparities([
            [1, 3, .nan, 5, .nan, .nan, .infinity, .infinity],
            [.nan, 2, 7, .nan, .nan, 1, .infinity, 1],
        ])
        #expect(same(map.resampled(toWidth: 4, height: 1, by: .area).samples, [2, 6, .nan, .infinity]))
    }

    @Test("Resampling to the same size changes nothing", arguments: ResamplingMethod.allCases)
    func unchanged(method: ResamplingMethod) {
        let map = disparities([[1, .nan], [.infinity, -2]])
        #expect(same(map.resampled(toWidth: 2, height: 2, by: method).samples, map.samples))
    }

    @Test("Mattes can be resampled")
    func matte() {
        let matte = Matte(width: 2, height: 1, coverage: [0, 200])
        #expect(matte.resampled(toWidth: 4, height: 1, by: .bilinear).coverage == [0, 50, 150, 200])
        #expect(matte.resampled(toWidth: 1, height: 1, by: .area).coverage == [100])
    }
}
