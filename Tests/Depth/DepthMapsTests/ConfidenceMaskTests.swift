internal import DepthMaps
internal import Testing

@Suite("Confidence mask")
struct ConfidenceMaskTests {
    @Test("Samples below the confidence threshold become unknown")
    func mask() {
        let confidence = SamplePlane(width: 2, height: 2, bitDepth: 8, codes: .uint8([0, 1, 2, 255]))
        let map = disparities([[1, 2], [3, 4]])
        #expect(same(map.masked(byConfidence: confidence, below: 2).samples, [.nan, .nan, 3, 4]))
        #expect(map.masked(byConfidence: confidence, below: 0).samples == [1, 2, 3, 4])
    }

    @Test("A smaller confidence plane applies to the samples that it covers")
    func smaller() {
        let confidence = SamplePlane(width: 2, height: 1, bitDepth: 16, codes: .uint16([0, 900]))
        let map = disparities([[1, 2, 3, 4], [5, 6, 7, 8]])
        let masked = map.masked(byConfidence: confidence, below: 900)
        #expect(same(masked.samples, [.nan, .nan, 3, 4, .nan, .nan, 7, 8]))
    }
}
