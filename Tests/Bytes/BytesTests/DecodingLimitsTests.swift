internal import Bytes
internal import Testing

@Suite("DecodingLimits")
struct DecodingLimitsTests {
    @Test("All default limits are finite and positive", arguments: DecodingLimits.Name.allCases)
    func defaults(name: DecodingLimits.Name) {
        #expect(DecodingLimits()[name] == name.defaultValue)
        #expect((1...(1 << 40)).contains(name.defaultValue))
    }

    @Test("A limit error names the limit, the requested value and the flag")
    func message() {
        var limits = DecodingLimits()
        limits[.items] = 10
        let error = #expect(throws: ContainerError.self) {
            try limits.check(.items, 11, at: 42, in: StructurePath("meta").appending("iinf"))
        }
        #expect(
            error?.description
                == "11 items exceed the limit of 10 (meta/iinf at byte 42)")
    }

    @Test(
        "Image sizes are checked without overflow",
        arguments: [(0, 5), (5, -1), (Int.max, 2), (30_000, 30_000)])
    func sizes(width: Int, height: Int) {
        #expect(throws: ContainerError.self) {
            try DecodingLimits().pixelCount(width: width, height: height, at: 0)
        }
    }

    @Test("A 200-megapixel photo needs less than half of every limit")
    func largePhoto() throws {
        let count = try DecodingLimits().pixelCount(width: 16_320, height: 12_240, at: 0)
        #expect(count * 2 <= DecodingLimits.Name.pixels.defaultValue)
    }
}
