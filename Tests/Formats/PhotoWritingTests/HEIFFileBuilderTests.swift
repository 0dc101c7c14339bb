import Testing

@testable import PhotoBuilders
@testable import PhotoWriting

@Suite("HEIF file builder")
struct HEIFFileBuilderTests {
    /// Offsets and sizes worked out by hand from the layouts of ISO/IEC 14496-12 §8.11.
    @Test("A file with an image and its plane has the standard's layout")
    func twoItems() throws {
        var file = HEIFFileBuilder(compatibleBrands: ["mif1", "heic"])
        let size = ItemProperty.imageSpatialExtents(width: 64, height: 48)
        let photo = file.add(
            .hevcImage(nalUnits: [0xA0, 0xA1, 0xA2], properties: [.hevcConfiguration([1]), size]))
        let plane = file.add(.hevcImage(nalUnits: [0xB0], isHidden: true, properties: [size]))
        file.addReference(.auxiliary, from: plane, to: [photo])
        file.primaryItem = photo

        let expected = [
            "00000018 66747970 68656963 00000000 6d696631 68656963",  // ftyp heic, 0, mif1 heic
            "000000ff 6d657461 00000000",  // meta
            "00000021 68646c72 00000000 00000000 70696374 00000000 00000000 00000000 00",  // hdlr pict
            "0000000e 7069746d 00000000 0001",  // pitm 1
            "00000038 69696e66 00000000 0002",  // iinf, two entries
            "00000015 696e6665 02000000 0001 0000 68766331 00",  // infe 1 hvc1
            "00000015 696e6665 02000001 0002 0000 68766331 00",  // infe 2 hvc1, hidden
            "0000001a 69726566 00000000",  // iref
            "0000000e 6175786c 0002 0001 0001",  // auxl 2 → 1
            "00000046 69707270",  // iprp
            "00000025 6970636f",  // ipco
            "00000009 68766343 01",  // 1: hvcC
            "00000014 69737065 00000000 00000040 00000030",  // 2: ispe
            "00000019 69706d61 00000000 00000002",  // ipma, two entries
            "0001 02 81 02",  // item 1: hvcC essential, ispe
            "0002 01 02",  // item 2: the same ispe
            "0000002c 696c6f63 00000000 44 00 0002",  // iloc version 0, 4-byte fields
            "0001 0000 0001 0000011f 00000003",  // item 1
            "0002 0000 0001 00000122 00000001",  // item 2
            "0000000c 6d646174 a0a1a2 b0",  // mdat
        ]
        .joined()
        #expect(try file.serialized() == bytes(expected))
    }

    @Test("Small payloads go into idat, with iloc version 1")
    func itemData() throws {
        var file = HEIFFileBuilder()
        let tile = file.add(.hevcImage(nalUnits: [7], isHidden: true, properties: []))
        let grid = file.add(
            try .grid(ImageGrid(rows: 1, columns: 1, width: 2, height: 3), properties: []))
        file.addReference(.derivedImage, from: grid, to: [tile])
        file.primaryItem = grid
        let written = try file.serialized()
        #expect(written.firstOffset(of: bytes("00000010 69646174 00 00 00 00 0002 0003")) != nil)
        let location = try #require(written.firstOffset(of: ascii("iloc")))
        #expect(written[location + 4] == 1)
        // Item 2: method 1, this file, one extent, from byte 0 of idat, 8 bytes.
        #expect(written.firstOffset(of: bytes("0002 0001 0000 0001 00000000 00000008")) != nil)
    }

    @Test("An item without bytes has no location")
    func identity() throws {
        var file = HEIFFileBuilder()
        let image = file.add(.hevcImage(nalUnits: [7], properties: []))
        let derived = file.add(HEIFItem(type: "iden"))
        file.addReference(.derivedImage, from: derived, to: [image])
        file.primaryItem = derived
        let written = try file.serialized()
        #expect(written.firstOffset(of: ascii("iloc") + bytes("00000000 4400 0001 0001")) != nil)
    }

    @Test("One large identifier makes all boxes use 32-bit identifiers")
    func wideIdentifiers() throws {
        var file = HEIFFileBuilder()
        let photo = ItemID(rawValue: 70000)
        file.add(
            .hevcImage(nalUnits: [7], properties: [.imageSpatialExtents(width: 1, height: 1)]), id: photo)
        let description = file.add(.xmp(ascii("<x/>")))
        #expect(description.rawValue == 70001)
        file.addReference(.contentDescription, from: description, to: [photo])
        file.primaryItem = photo
        let written = try file.serialized()
        for (box, versionAndFlags, content) in [
            ("pitm", "01000000", "00011170"), ("infe", "03000000", "00011170 0000"),
            ("iref", "01000000", "00000012 63647363 00011171 0001 00011170"),
            ("ipma", "01000000", "00000001 00011170 01 01"),
            ("iloc", "02000000", "4400 00000002 00011170 0000 0000 0001"),
        ] {
            #expect(
                written.firstOffset(of: ascii(box) + bytes(versionAndFlags + content)) != nil, "\(box)")
        }
    }

    @Test("More than 127 properties make ipma use 16-bit indices")
    func wideIndices() throws {
        var file = HEIFFileBuilder()
        for width in 1...128 as ClosedRange<UInt32> {
            let size = ItemProperty.imageSpatialExtents(width: width, height: 1)
            file.primaryItem = file.add(.hevcImage(nalUnits: [7], properties: [size]))
        }
        let written = try file.serialized()
        #expect(written.firstOffset(of: ascii("ipma") + bytes("00000001 00000080 0001 01 0001")) != nil)
        #expect(written.firstOffset(of: bytes("0080 01 0080")) != nil)
    }

    @Test("Equal properties are stored once, essential or not")
    func sharedProperties() throws {
        var file = HEIFFileBuilder()
        var rotation = try ItemProperty.rotation(counterclockwiseQuarterTurns: 3)
        file.primaryItem = file.add(.hevcImage(nalUnits: [7], properties: [rotation]))
        rotation.isEssential = false
        _ = file.add(.hevcImage(nalUnits: [8], properties: [rotation]))
        let written = try file.serialized()
        #expect(written.firstOffset(of: bytes("00000011 6970636f 00000009 69726f74 03")) != nil)
        #expect(written.firstOffset(of: bytes("0001 01 81 0002 01 01")) != nil)
    }

    @Test("Entity groups get numbers from the items' number space")
    func groups() throws {
        var file = HEIFFileBuilder()
        let left = file.add(.hevcImage(nalUnits: [7], properties: []))
        let right = file.add(.hevcImage(nalUnits: [8], properties: []))
        #expect(file.addGroup("ster", of: [left, right]) == 3)
        file.primaryItem = left
        let group = "00000024 6772706c 0000001c 73746572 00000000 00000003 00000002 00000001 00000002"
        #expect(try file.serialized().firstOffset(of: bytes(group)) != nil)
    }

    @Test("References of one type from one item share a box")
    func joinedReferences() throws {
        var file = HEIFFileBuilder()
        let photo = file.add(.hevcImage(nalUnits: [7], properties: []))
        let other = file.add(.hevcImage(nalUnits: [7], properties: []))
        let plane = file.add(.hevcImage(nalUnits: [7], properties: []))
        file.addReference(.auxiliary, from: plane, to: [photo])
        file.addReference(.auxiliary, from: plane, to: [other])
        file.primaryItem = photo
        let reference = bytes("00000010 6175786c 0003 0002 0001 0002")
        #expect(try file.serialized().firstOffset(of: reference) != nil)
    }

    @Test("A file that contradicts itself is refused")
    func contradictions() throws {
        var file = HEIFFileBuilder()
        #expect(throws: ContainerWritingError.missingPrimaryItem) { try file.serialized() }
        let photo = file.add(.hevcImage(nalUnits: [7], properties: []))
        file.primaryItem = ItemID(rawValue: 9)
        #expect(throws: ContainerWritingError.unknownItem(9, usedBy: "pitm")) { try file.serialized() }
        file.primaryItem = photo

        var dangling = file
        dangling.addReference(.thumbnail, from: ItemID(rawValue: 5), to: [photo])
        #expect(throws: ContainerWritingError.unknownItem(5, usedBy: "iref/thmb")) {
            try dangling.serialized()
        }

        var grouped = file
        grouped.addGroup("altr", of: [photo, ItemID(rawValue: 6)])
        #expect(throws: ContainerWritingError.unknownItem(6, usedBy: "grpl/altr")) {
            try grouped.serialized()
        }

        var twice = file
        twice.add(.xmp([]), id: photo)
        #expect(throws: ContainerWritingError.duplicateIdentifier(1)) { try twice.serialized() }
    }

    @Test("Values too large for their field are refused")
    func tooLarge() throws {
        var file = HEIFFileBuilder()
        let photo = file.add(.hevcImage(nalUnits: [7], properties: []))
        file.primaryItem = photo
        file.addReference("test", from: photo, to: Array(repeating: photo, count: 65536))
        let error = ContainerWritingError.tooLarge(field: "iref reference_count", limit: 65535, actual: 65536)
        #expect(throws: error) { try file.serialized() }
    }
}
