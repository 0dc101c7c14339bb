import TestSupport
import Testing

@testable import PhotoWriting

@Suite("Multi-picture JPEG")
struct MultiPictureJPEGTests {
    static let jfif = "ffe0 0010 4a46494600 0102 01 0048 0048 00 00"
    static let comment = "fffe 0004 6869"
    static let tables = "ffdb 0003 00"
    /// A scan with a stuffed `FF`, a restart marker and a fill byte before EOI.
    static let scan = "ffda 0003 00 11 ff00 22 ffd0 33 ffff d9"

    static let photo = hex("ffd8" + jfif + comment + tables + scan)
    static let plane = hex("ffd8" + tables + scan)

    @Test("The MPF index points from its header to the first byte of every image")
    func offsets() throws {
        var file = MultiPictureJPEG(
            primary: .init(jpeg: Self.photo, exif: ascii("MM"), iccProfile: [1, 2, 3]))
        file.auxiliaries = [.init(jpeg: Self.plane, xmp: ascii("<a/>")), .init(jpeg: Self.plane)]
        let written = try file.serialized()

        let header = try #require(written.firstOffset(of: ascii("MPF\0MM"))) + 4
        #expect(written.bigEndian(at: header + 4) == 8)
        #expect(written[(header + 8)...].prefix(2).elementsEqual([0, 3]))
        #expect(written.bigEndian(at: header + 10 + 12 + 8) == 3)
        let entries = (0..<3).map { header + 50 + 16 * $0 }
        #expect(entries.map { written.bigEndian(at: $0) } == [0x030000, 0, 0])
        #expect(written.bigEndian(at: entries[0] + 8) == 0)
        let second = header + written.bigEndian(at: entries[1] + 8)
        let third = header + written.bigEndian(at: entries[2] + 8)
        for start in [second, third] {
            #expect(written[start..<start + 3].elementsEqual([0xFF, 0xD8, 0xFF]))
        }
        #expect(written.bigEndian(at: entries[0] + 4) == second)
        #expect(second + written.bigEndian(at: entries[1] + 4) == third)
        #expect(third + written.bigEndian(at: entries[2] + 4) == written.count)
    }

    @Test("The photo's segments have Apple's order, and no segment is dropped")
    func segmentOrder() throws {
        let picture = MultiPictureJPEG.Picture(
            jpeg: Self.photo, exif: ascii("MM"), xmp: ascii("<p/>"), iccProfile: [7])
        let file = MultiPictureJPEG(primary: picture, auxiliaries: [.init(jpeg: Self.plane)])
        let written = try file.serialized()
        let start = [
            "ffd8", "ffe0 0014 4a46494600 0102 01 0048 0048 00 00 414d5046",  // JFIF, then AMPF
            "ffe1 000a 457869660000 4d4d",
            "ffe1 0023 687474703a2f2f6e732e61646f62652e636f6d2f7861702f312e302f00 3c702f3e",
            "ffe2 0058 4d504600",
        ]
        .joined()
        #expect(written.starts(with: hex(start)))
        let rest = "ffe2 0011 4943435f50524f46494c4500 01 01 07" + Self.comment + Self.tables + Self.scan
        #expect(written.firstOffset(of: hex(rest)) != nil)
    }

    @Test("An auxiliary image gets its XMP and the short MPF segment")
    func auxiliary() throws {
        let file = MultiPictureJPEG(
            primary: .init(jpeg: Self.photo), auxiliaries: [.init(jpeg: Self.plane, xmp: ascii("<a/>"))])
        let expected = [
            "ffd8",
            "ffe1 0023 687474703a2f2f6e732e61646f62652e636f6d2f7861702f312e302f00 3c612f3e",
            "ffe2 002c 4d504600 4d4d002a 00000008 0002 b000 0007 00000004 30313030",
            "b001 0004 00000001 00000002 00000000",
            Self.tables, Self.scan,
        ]
        .joined()
        #expect(try file.serialized().suffix(hex(expected).count).elementsEqual(hex(expected)))
    }

    @Test("Existing metadata is replaced, and a single photo gets no index")
    func replacement() throws {
        let first = MultiPictureJPEG(
            primary: .init(jpeg: Self.photo, exif: [1], xmp: ascii("<a/>"), iccProfile: [7]),
            auxiliaries: [.init(jpeg: Self.plane)])
        let photoSize = try first.serialized().count - (Self.plane.count + 46)
        let photo = Array(try first.serialized().prefix(photoSize))
        let again = MultiPictureJPEG(
            primary: .init(jpeg: photo, exif: [2], xmp: ascii("<b/>"), iccProfile: [8]))
        let written = try again.serialized()
        let fresh = MultiPictureJPEG(
            primary: .init(jpeg: Self.photo, exif: [2], xmp: ascii("<b/>"), iccProfile: [8]))
        #expect(try written == fresh.serialized())
    }

    /// The index of an iPhone X portrait with a disparity plane and a matte.
    @Test("The index equals an iPhone's byte for byte")
    func knownIndex() throws {
        let index = MultiPictureIndexBuilder(
            entries: [
                .init(attributes: 0x030000, size: 0x1F04D7, offset: 0),
                .init(attributes: 0, size: 0xA49B, offset: 0x1F03F7),
                .init(attributes: 0, size: 0x1F229, offset: 0x1FA892),
            ], imageCount: 3)
        let expected = """
            4d4d002a 00000008 0003
            b000 0007 00000004 30313030
            b001 0004 00000001 00000003
            b002 0007 00000030 00000032
            00000000
            00030000 001f04d7 00000000 0000 0000
            00000000 0000a49b 001f03f7 0000 0000
            00000000 0001f229 001fa892 0000 0000
            """
        #expect(try index.serialized() == hex(expected))
    }

    @Test("A long ICC profile is split into numbered chunks")
    func longProfile() throws {
        let profile = [UInt8](repeating: 5, count: 65519 + 1)
        let segments = try JPEGSegment.iccProfile(profile)
        #expect(segments.map(\.payload.count) == [65533, 15])
        #expect(segments.map { Array($0.payload[12..<14]) } == [[1, 2], [2, 2]])
    }

    @Test("XMP too large for a segment is refused")
    func longPacket() {
        let packet = [UInt8](repeating: 0x20, count: 65505)
        let file = MultiPictureJPEG(primary: .init(jpeg: Self.photo, xmp: packet))
        #expect(throws: ContainerWritingError.tooLarge(field: "xmp segment", limit: 65533, actual: 65534)) {
            try file.serialized()
        }
    }

    @Test("A JPEG stream truncated anywhere is refused", arguments: 0..<photo.count)
    func truncated(count: Int) {
        let file = MultiPictureJPEG(primary: .init(jpeg: Array(Self.photo.prefix(count))))
        #expect(throws: ContainerWritingError.self) { try file.serialized() }
    }

    @Test("Bytes after the image are refused")
    func trailing() {
        let file = MultiPictureJPEG(primary: .init(jpeg: Self.photo + [0]))
        let error = ContainerWritingError.malformedJPEG(rule: "1 bytes follow EOI", offset: Self.photo.count)
        #expect(throws: error) { try file.serialized() }
    }
}
