import Bytes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Item property associations (ipma)")
struct ItemPropertyTableTests {
    private static let container = box("ipco", box("aaaa"), box("bbbb", [1]), box("cccc"))

    private func types(ofItem id: Int, _ boxes: [UInt8]...) throws -> [String] {
        let payload = Self.container + boxes.flatMap(\.self)
        var cursor = ByteCursor(payload.span, base: 0)
        let table = try ItemPropertyTable(parsing: &cursor, limits: DecodingLimits())
        return try table.properties(ofItem: id, limits: DecodingLimits(), in: StructurePath())
            .map { $0.entry.type.description + ($0.isEssential ? "!" : "") }
    }

    @Test("8-bit entries hold seven bits of index")
    func narrow() throws {
        let found = try types(ofItem: 2, box("ipma", hex("00000000 00000002 0001 01 01 0002 02 83 02")))
        #expect(found == ["cccc!", "bbbb"])
    }

    @Test("16-bit entries hold fifteen bits of index, and version 1 has 32-bit items")
    func wide() throws {
        let found = try types(ofItem: 70000, box("ipma", hex("01000001 00000001 00011170 02 8002 0001")))
        #expect(found == ["bbbb!", "aaaa"])
    }

    @Test("Several ipma boxes add up in file order")
    func several() throws {
        let found = try types(
            ofItem: 1, box("ipma", hex("00000000 00000001 0001 01 03")),
            box("ipma", hex("00000001 00000002 0001 01 8001 0002 00")))
        #expect(found == ["cccc", "aaaa!"])
    }

    @Test("Index 0 means no property, and an item may have no associations")
    func none() throws {
        #expect(try types(ofItem: 1, box("ipma", hex("00000000 00000001 0001 02 80 01"))) == ["aaaa"])
        #expect(try types(ofItem: 9, box("ipma", hex("00000000 00000001 0001 01 01"))) == [])
    }

    @Test("A property that an item names twice is listed once")
    func repeated() throws {
        let found = try types(
            ofItem: 1, box("ipma", hex("00000000 00000002 0001 03 01 02 01 0001 02 82 03")))
        #expect(found == ["aaaa", "bbbb", "cccc"])
    }

    @Test("More associations of an item than the limit allows are an error")
    func tooMany() {
        let owner = hex("0001 ff") + [UInt8](repeating: 1, count: 255)
        let error = #expect(throws: ContainerError.self) {
            try types(
                ofItem: 1,
                box(
                    "ipma",
                    hex("00000000 00000028") + [[UInt8]](repeating: owner, count: 40).flatMap(\.self)))
        }
        #expect(
            error?.message == "10200 properties exceed the limit of 10000")
    }

    @Test("An index beyond the properties is an error")
    func missing() {
        let error = #expect(throws: ContainerError.self) {
            try types(ofItem: 1, box("ipma", hex("00000000 00000001 0001 01 04")))
        }
        #expect(error?.message == "item 1 uses property 4; there are 3")
    }
}
