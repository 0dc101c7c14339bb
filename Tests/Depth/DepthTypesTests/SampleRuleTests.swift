import DepthTypes
import Testing

/// Which stored samples are unknown, by the paragraph "Scale" of the design.
@Suite struct SampleRuleTests {
    private func kinds(_ samples: [Float], _ rule: SampleRule) -> [SampleKind?] {
        let rule = rule.settled(for: samples)
        return samples.map(rule.reason)
    }

    @Test("0, negative and not finite samples of depth are unknown")
    func depth() {
        let samples: [Float] = [0, -1, .infinity, -.infinity, .nan, 3]
        for bits in [nil, 8, 16, 32] as [Int?] {
            #expect(
                kinds(samples, SampleRule(.depth, bits: bits)) == [
                    .zero, .negative, .notFinite, .notFinite, .notFinite, nil,
                ])
        }
    }

    @Test("A disparity of 0 is infinitely far in floating point, and unknown in integers")
    func disparity() {
        #expect(kinds([0, 2], SampleRule(.disparity, bits: nil)) == [nil, nil])
        #expect(kinds([0, 2], SampleRule(.disparity, bits: 16)) == [.zero, nil])
        // A disparity that large is near.
        #expect(kinds([1, 65535], SampleRule(.disparity, bits: 16)) == [nil, nil])
    }

    @Test(
        "Nothing was hit where depth is the greatest value of its type, or 1e9, and twice the next greatest",
        arguments: [
            ([1, 32767, 65535], 16, true), ([1, 32768, 65535], 16, false), ([1, 100, 65534], 16, false),
            ([1, 100, 255], 8, false), ([1, 32752, 65504], nil, true), ([1, 32753, 65504], nil, false),
            ([1, 5e8, 1e9], nil, true), ([1, 5.1e8, 1e9], nil, false), ([4, 8, 1e10], nil, true),
            ([4, 8, 3.4e38], nil, true), ([4, 8, 9e8], nil, false), ([4, 1000, 0x1p32], 32, true),
        ] as [([Float], Int?, Bool)])
    func misses(samples: [Float], bits: Int?, isMiss: Bool) {
        #expect(kinds(samples, SampleRule(.depth, bits: bits)) == [nil, nil, isMiss ? .nothingHit : nil])
    }

    @Test("A declared value is unknown, and no neighbor of samples that were not hit")
    func declared() {
        var rule = SampleRule(.depth, bits: 16)
        rule.noData = 60000
        #expect(kinds([1, 60000, 65535], rule) == [nil, .noData, .nothingHit])
    }

    @Test("Samples of a frame are divided by the unit, and counted by their kind")
    func frame() {
        var samples: [Float] = [0, 1000, 65535, 2500, -1, -.infinity]
        var span = samples.mutableSpan
        let counts = SampleRule(.depth, bits: 16).convert(&span, dividingBy: 1000)
        #expect(samples[1] == 1 && samples[3] == 2.5 && samples.count(where: \.isNaN) == 4)
        #expect(counts.total == 6 && counts.unknown == 4)
        for kind in [SampleKind.zero, .nothingHit, .negative, .notFinite] { #expect(counts[kind] == 1) }
    }
}
