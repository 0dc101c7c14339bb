import Bytes
import Testing

@Suite("File names as text")
struct FileNameTests {
    /// The bytes and the text that Python's `os.fsdecode` returns, with U+10FF00 instead of U+DC00.
    @Test(
        "Bytes that are not UTF-8 become private-use characters",
        arguments: [
            ([0x61, 0x2E, 0x6A], "a.j"), ([0xC3, 0xA9], "é"), ([0xE9], "\u{10FFE9}"),
            ([0x61, 0xFF, 0x62], "a\u{10FFFF}b"), ([0xC3], "\u{10FFC3}"),
            ([0xE2, 0x82], "\u{10FFE2}\u{10FF82}"),
            ([0xE2, 0x82, 0xAC, 0x80], "€\u{10FF80}"),
            ([0xED, 0xA0, 0x80], "\u{10FFED}\u{10FFA0}\u{10FF80}"),
            ([0xC0, 0xAF], "\u{10FFC0}\u{10FFAF}"), ([0xF0, 0x9F, 0x98, 0x80], "😀"),
            // U+10FFE9 itself is escaped byte by byte.
            ([0xF4, 0x8F, 0xBF, 0xA9], "\u{10FFF4}\u{10FF8F}\u{10FFBF}\u{10FFA9}"),
        ] as [([UInt8], String)])
    func text(bytes: [UInt8], text: String) {
        #expect(String(fileNameBytes: bytes) == text)
        #expect(text.fileNameBytes == bytes)
    }

    @Test("Every file name converts to text and back without loss")
    func roundTrip() {
        var state: UInt32 = 1
        for _ in 0..<20_000 {
            let bytes = (0..<Int(state % 9)).map { _ -> UInt8 in
                state = state &* 1_664_525 &+ 1_013_904_223
                return max(1, UInt8(truncatingIfNeeded: state >> 24))
            }
            state = state &* 1_664_525 &+ 1_013_904_223
            #expect(String(fileNameBytes: bytes).fileNameBytes == bytes)
        }
    }
}
