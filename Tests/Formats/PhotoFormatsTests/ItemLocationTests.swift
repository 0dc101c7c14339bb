import Bytes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Item locations (iloc)")
struct ItemLocationTests {
    /// A location with extents.
    @dynamicMemberLookup
    private struct Located {
        var location: ItemLocation
        var extents: [ItemLocation.Extent]

        subscript<Value>(dynamicMember member: KeyPath<ItemLocation, Value>) -> Value {
            location[keyPath: member]
        }
    }

    private func locations(_ dump: String, limits: DecodingLimits = DecodingLimits()) throws -> [Located] {
        let box = hex(dump)
        var cursor = ByteCursor(box.span, base: 100, path: StructurePath("iloc"))
        let found = try ItemLocationTable(parsing: &cursor, limits: limits)
        return found.locations.map { Located(location: $0, extents: Array(found.extents(of: $0))) }
    }

    @Test("Version 0 has 16-bit items and no construction method")
    func version0() throws {
        let found = try locations("00000000 4400 0002 0007 0000 0001 00000010 00000003 0002 0000 0000")
        #expect(found.map(\.location.itemID) == [2, 7])
        #expect(found[1].extents.map(\.offset) == [16])
        #expect(found[1].extents.map(\.length) == [3])
        #expect(found[1].construction == .file)
        #expect(found[1].isLocal)
        #expect(found[0].extents.isEmpty)
    }

    @Test("Version 1 adds the construction method and an optional index")
    func version1() throws {
        let found = try locations("01000000 4442 0001 0007 0002 0000 00000100 0001 0005 00000010 00000003")
        #expect(found[0].construction == .item)
        #expect(found[0].extents.map(\.index) == [5])
        // The base of 256 is added.
        #expect(found[0].extents.map(\.offset) == [272])
    }

    @Test("Version 2 has 32-bit items, 64-bit fields and several extents")
    func version2() throws {
        let found = try locations(
            """
            02000000 8400 00000001 00011170 0001 0000 0002
            0000000000000010 00000003 0000000000000020 00000004
            """)
        #expect(found[0].itemID == 70000)
        #expect(found[0].construction == .itemData)
        #expect(found[0].extents.map(\.offset) == [16, 32])
        #expect(found[0].extents.map(\.length) == [3, 4])
    }

    @Test("Items that are not in the order of their numbers keep their own extents")
    func order() throws {
        let found = try locations(
            """
            00000000 4400 0003 0009 0000 0002 00000010 00000001 00000020 00000002 0003 0000 0001
            00000030 00000003 0005 0000 0000
            """)
        #expect(found.map(\.location.itemID) == [3, 5, 9])
        #expect(found.map { $0.extents.map(\.offset) } == [[48], [], [16, 32]])
    }

    @Test("Offsets and lengths may have no width at all")
    func noWidths() throws {
        let found = try locations("00000000 0040 0001 0007 0000 00000100 0001")
        #expect(found[0].extents.map(\.offset) == [256])
        #expect(found[0].extents.map(\.length) == [0])
    }

    @Test("Extents without offset and length cannot be repeated, which would let a small file hold millions")
    func manyWithoutWidths() {
        let error = #expect(throws: ContainerError.self) {
            try locations("00000000 0040 0001 0007 0000 00000100 0002")
        }
        #expect(error?.message == "item 7 has 2 extents with neither offset nor length")
    }

    @Test("Data in another file is recognized")
    func foreign() throws {
        #expect(try !locations("00000000 4400 0001 0007 0001 0000")[0].isLocal)
    }

    @Test(
        "An iloc box that breaks a rule is refused",
        arguments: [
            ("03000000 4400 0000", "unsupported"),  // no such version
            ("01000000 4400 0001 0007 0003 0000 0000", "malformed"),  // no such method
            ("00000000 3300 0001 0007 0000 0001 000000 000000", "malformed"),  // widths of 3 bytes
            ("00000000 4400 0002 0007 0000 0000 0007 0000 0000", "malformed"),  // one item twice
            ("00000000 4400 0001 0007 0000 0002 00000010 00000003", "truncated"),
            ("00000000 8480 0001 0007 0000 7fffffffffffffff 0001 7fffffffffffffff 00000001", "overflow"),
            ("00000000 8400 0001 0007 0000 0001 ffffffffffffffff 00000001", "overflow"),
        ])
    func rules(dump: String, code: String) {
        let error = #expect(throws: ContainerError.self) { try locations(dump) }
        #expect(error?.code == code)
    }

    @Test("Extents and items are counted against the limits before they are read")
    func limits() {
        var limits = DecodingLimits()
        limits[.extents] = 1
        let error = #expect(throws: ContainerError.self) {
            try locations("00000000 4400 0001 0007 0000 ffff", limits: limits)
        }
        #expect(error?.reason == .limitExceeded(.extents, limit: 1, requested: 65535))
        let items = #expect(throws: ContainerError.self) { try locations("00000000 4400 ffff") }
        #expect(items?.reason == .limitExceeded(.items, limit: 10_000, requested: 65535))
    }
}
