import DepthTypes
import Testing

@Suite("SampleMapping")
struct SampleMappingTests {
    @Test("Samples map linearly from low to high", arguments: [(0, 1.5), (51, 2.0), (255, 4.0)])
    func line(code: Int, value: Float) {
        let mapping = SampleMapping(.disparity, codes: 0...255, low: 1.5, high: 4)
        #expect(mapping.value(ofCode: code) == value)
        #expect(mapping.unit == "1/m")
    }

    @Test(
        "The mapping may cover part of the samples and extends beyond it",
        arguments: [(16, 1.0), (235, 3.0), (235 + 219, 5.0)])
    func partialRange(code: Int, value: Float) {
        let mapping = SampleMapping(.depth, codes: 16...235, low: 1, high: 3)
        #expect(mapping.value(ofCode: code) == value)
        #expect(mapping.unit == "m")
    }

    @Test("Values may decrease as samples increase")
    func reversed() {
        let mapping = SampleMapping(.disparity, codes: 0...4, low: 2, high: 1)
        #expect((0...4).map(mapping.value) == [2, 1.75, 1.5, 1.25, 1])
    }

    @Test("Equal ends give a constant plane")
    func constant() {
        let mapping = SampleMapping(.depth, codes: 0...255, low: 2, high: 2)
        #expect(Set((0...255).map(mapping.value)) == [2])
        #expect(SampleMapping(.depth, codes: 7...7, low: 2, high: 9).value(ofCode: 7) == 2)
    }

    /// An iPhone XR: codes are 0.01 1/m apart from -0.5 on, so code 50 is 0.
    @Test("Disparity below 0 is infinitely far, and codes are no longer a line")
    func negative() {
        let mapping = SampleMapping(.disparity, codes: 0...250, low: -0.5, high: 2)
        #expect(mapping.exceedsDistances && !mapping.isLine)
        #expect(
            [0, 49, 50].allSatisfy { mapping.value(ofCode: $0) == 0 && mapping.kind(ofCode: $0) == .infinite }
        )
        #expect(mapping.value(ofCode: 250) == 2)
        #expect(mapping.range == (0, 2))
        let depth = SampleMapping(.depth, codes: 0...250, low: 0, high: 2.5)
        #expect(depth.value(ofCode: 0).isNaN && depth.value(ofCode: 1) == 0.01)
        #expect(!SampleMapping(.disparity, codes: 0...255, low: 0, high: 2).exceedsDistances)
    }

    @Test("Without a declared range, samples map to 0…1 without a unit", arguments: [8, 10, 16])
    func undeclared(bitDepth: Int) {
        let mapping = SampleMapping(undeclared: .disparity, bitDepth: bitDepth)
        #expect(mapping.value(ofCode: 0) == 0)
        #expect(mapping.value(ofCode: 1 << bitDepth - 1) == 1)
        #expect(mapping.unit == nil)
        #expect(!mapping.isDeclared)
    }
}
