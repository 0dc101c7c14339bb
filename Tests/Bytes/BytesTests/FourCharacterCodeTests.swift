internal import Bytes
internal import Testing

@Suite("FourCharacterCode")
struct FourCharacterCodeTests {
    /// Decimal numbers as Apple's XMP writes them.
    @Test(
        "Four-character codes match the decimal numbers in Apple's XMP",
        arguments: [("hdis", 1_751_411_059), ("L008", 1_278_226_488)])
    func decimal(text: String, number: UInt32) {
        #expect(FourCharacterCode(rawValue: number).description == text)
    }

    @Test("Short codes are padded with spaces and shown without them")
    func padding() {
        #expect(("url" as FourCharacterCode).rawValue == 0x7572_6C20)
        #expect(("url" as FourCharacterCode).description == "url")
    }

    @Test("Control characters in a code are shown as numbers")
    func escapes() {
        #expect(FourCharacterCode(rawValue: 0x1B5B_324A).description == "\\x1b[2J")
    }

    @Test("A structure path keeps its eight innermost names")
    func path() {
        var path = StructurePath()
        for _ in 0..<9 { path = path.appending("meta") }
        #expect(path.appending("auxC").description == "meta/meta/meta/meta/meta/meta/meta/auxC")
    }
}
