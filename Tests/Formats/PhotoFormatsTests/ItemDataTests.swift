import Bytes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Item data")
struct ItemDataTests {
    private func data(ofItem id: Int, in file: [UInt8]) throws -> [UInt8] {
        let file = try HEIFFile(MemorySource(file), start: file, limits: DecodingLimits())
        return try file.data(ofItem: id, limit: .metadataBytes).bytes
    }

    @Test("Method 0 counts from the start of the file and joins extents")
    func file() throws {
        let made = heif(
            items: 1,
            box("iloc", hex("00000000 4400 0001 0001 0000 0002 00000004 00000004 00000008 00000002")))
        #expect(try data(ofItem: 1, in: made) == Array("ftyphe".utf8))
    }

    @Test("Method 1 counts from the payload of idat, and a length of 0 means the rest")
    func itemData() throws {
        let made = heif(
            items: 1, box("iloc", hex("01000000 4400 0001 0001 0001 0000 0001 00000002 00000000")),
            box("idat", hex("A0A1A2A3A4")))
        #expect(try data(ofItem: 1, in: made) == [0xA2, 0xA3, 0xA4])
    }

    @Test("Method 2 counts in another item's data, across its extents", arguments: ["4400", "4402"])
    func item(widths: String) throws {
        // Item 1 is bytes 1…4 of item 2, which is bytes 0…2 and 4…6 of idat.
        let index = widths == "4402" ? "0001" : ""
        let none = widths == "4402" ? "0000" : ""
        let made = heif(
            items: 2,
            box(
                "iloc",
                hex("01000000 \(widths) 0002"),
                hex("0001 0002 0000 0001 \(index) 00000001 00000004"),
                hex("0002 0001 0000 0002 \(none) 00000000 00000003 \(none) 00000004 00000003")),
            box("iref", hex("00000000"), box("iloc", hex("0001 0001 0002"))),
            box("idat", hex("A0A1A2A3A4A5A6")))
        #expect(try data(ofItem: 1, in: made) == [0xA1, 0xA2, 0xA4, 0xA5])
    }

    @Test("Items constructed from each other are an error, not a loop")
    func cycle() {
        let made = heif(
            items: 2,
            box(
                "iloc", hex("01000000 4400 0002"), hex("0001 0002 0000 0001 00000000 00000000"),
                hex("0002 0002 0000 0001 00000000 00000000")),
            box(
                "iref", hex("00000000"), box("iloc", hex("0001 0001 0002")),
                box("iloc", hex("0002 0001 0001"))))
        let error = #expect(throws: ContainerError.self) { try data(ofItem: 1, in: made) }
        #expect(error?.message.contains("circular") == true)
    }

    @Test(
        "Data past the end is an error that says so",
        arguments: [
            "00000000 4400 0001 0001 0000 0001 00000004 7fffffff",  // past the file
            "01000000 4400 0001 0001 0001 0000 0001 00000004 00000002",  // past idat
            "01000000 4400 0001 0001 0001 0000 0001 00000006 00000000",  // starts past idat
        ])
    func pastEnd(dump: String) {
        let made = heif(items: 1, box("iloc", hex(dump)), box("idat", hex("A0A1A2A3A4")))
        let error = #expect(throws: ContainerError.self) { try data(ofItem: 1, in: made) }
        #expect(error?.message.contains("past the end") == true)
        #expect(error?.path.description == "meta/iloc")
    }

    @Test(
        "Missing item data is an error that names what is missing",
        arguments: [
            ("00000000 4400 0000", "no location"), ("00000000 4400 0001 0001 0001 0000", "another file"),
            ("01000000 4400 0001 0001 0001 0000 0001 00000000 00000001", "idat"),
            ("01000000 4400 0001 0001 0002 0000 0001 00000000 00000001", "uses reference"),
        ])
    func missing(dump: String, word: String) {
        let made = heif(items: 1, box("iloc", hex(dump)))
        let error = #expect(throws: ContainerError.self) { try data(ofItem: 1, in: made) }
        #expect(error?.message.contains(word) == true)
    }
}
