import Testing

@testable import PhotoBuilders
@testable import PhotoWriting

@Suite("Payload layout")
struct PayloadLayoutTests {
    private static let fourGiB = 1 << 32

    @Test("A file below 4 GiB has 32-bit fields")
    func narrow() {
        var layout = PayloadLayout()
        layout.place(ItemID(rawValue: 1), method: .fileOffset, byteCount: Self.fourGiB - 1000)
        #expect(layout.mediaDataHeader == bytes("fffffc20 6d646174"))
        #expect(layout.fieldSize(mediaDataStart: 999) == 4)
        #expect(layout.fieldSize(mediaDataStart: 1000) == 8)
    }

    @Test("A file above 4 GiB has a 64-bit mdat size")
    func wide() throws {
        var layout = PayloadLayout()
        layout.place(ItemID(rawValue: 1), method: .fileOffset, byteCount: Self.fourGiB)
        layout.place(ItemID(rawValue: 2), method: .fileOffset, byteCount: 5)
        #expect(layout.mediaDataHeader == bytes("00000001 6d646174 0000000100000015"))
        var writer = ByteWriter()
        try layout.append(to: &writer, mediaDataStart: 256, fieldSize: 8, wideIDs: false)
        let expected = """
            0000003c 696c6f63 00000000 8800 0002
            0001 0000 0001 0000000000000100 0000000100000000
            0002 0000 0001 0000000100000100 0000000000000005
            """
        #expect(writer.bytes == bytes(expected))
    }
}
