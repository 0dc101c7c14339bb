internal import DepthMaps
internal import Testing

@Suite("SampleStatistics")
struct SampleStatisticsTests {
    static let samples: [Float] = [3, 1, 4, 1, 5, 9, 2, 6, -5.5, 0]

    @Test("Statistics count finite samples and give their range")
    func counts() {
        let statistics = SampleStatistics(Self.samples + [.nan, .infinity, .nan, -.infinity, .nan, .nan])
        #expect(statistics.count == 16 && statistics.unknownCount == 4 && statistics.infiniteCount == 2)
        #expect(statistics.range == -5.5...9)
        #expect(statistics.mean == 2.55)
    }

    @Test("Samples without a finite value have no range", arguments: [[], [Float.nan], [.infinity, .nan]])
    func empty(samples: [Float]) {
        #expect(SampleStatistics(samples).range == nil)
        #expect(disparities([samples]).percentiles([0.5]) == nil)
    }

    // numpy.percentile(samples.astype('f4'), [0, 2, 25, 50, 90, 98, 100]), numpy 2.4; rounded to Float.
    @Test("Percentiles equal NumPy's")
    func percentiles() {
        let map = disparities([Self.samples + [.nan, .infinity]])
        let result = map.percentiles([0, 0.02, 0.25, 0.5, 0.9, 0.98, 1])
        let expected: [Float] = [-5.5, -4.51, 1, 2.5, 6.3, 8.46, 9]
        // One unit in the last place: numpy computes in doubles of another order.
        #expect(zip(result ?? [], expected).allSatisfy { abs($0 - $1) <= $1.magnitude.ulp })
        #expect(result?.count == 7)
    }

    @Test("Percentiles distinguish values that differ in the last bit")
    func neighbors() {
        let values: [Float] = [1, Float(1).nextUp, Float(1).nextUp.nextUp]
        #expect(disparities([values.reversed()]).percentiles([0, 0.5, 1]) == values)
    }
}
