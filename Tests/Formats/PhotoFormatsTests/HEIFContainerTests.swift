import Bytes
import DepthTypes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("HEIF structure")
struct HEIFContainerTests {
    private func open(_ file: [UInt8]) throws -> any PhotoContainer {
        try parseContainer(MemorySource(file), limits: DecodingLimits())
    }

    /// Two images of 8 × 6, the second auxiliary to the first.
    private static func pair(_ more: [UInt8]...) -> [UInt8] {
        heif(
            items: 2, box("iref", hex("00000000"), box("auxl", hex("0002 0001 0001"))),
            box(
                "iprp",
                box(
                    "ipco", box("ispe", hex("00000000 00000008 00000006")),
                    box("auxC", hex("00000000"), Array("urn:mpeg:hevc:2015:auxid:1\0".utf8))),
                box("ipma", hex("00000000 00000002 0001 01 01 0002 02 01 82"))),
            box(
                "iloc",
                hex("00000000 4400 0002 0001 0000 0001 00000000 00000004 0002 0000 0001 00000004 00000004")),
            more.flatMap(\.self))
    }

    @Test("An auxiliary image is a plane of the photo")
    func pair() throws {
        let container = try open(Self.pair())
        #expect(container.format == .heif)
        #expect([container.photo.width, container.photo.height] == [8, 6])
        #expect(container.planes.map(\.kind) == [.alpha])
        #expect(container.planes.map(\.type) == ["urn:mpeg:hevc:2015:auxid:1"])
        #expect(container.planes.map(\.codec) == ["hevc"])
    }

    @Test("Unknown boxes, free space and a 64-bit mdat are skipped")
    func unknownBoxes() throws {
        let wide = hex("00000001") + Array("mdat".utf8) + hex("0000000000000014 AABBCCDD")
        let file = Self.pair(box("abcd", [1, 2, 3])) + box("free", [0, 0]) + wide
        #expect(try open(file).diagnostics == [])
        #expect(try open(file).planes.count == 1)
    }

    @Test("A box that extends to the end of the file needs no size")
    func lastBox() throws {
        let file = Self.pair() + hex("00000000") + Array("mdat".utf8) + [1, 2, 3]
        #expect(try open(file).diagnostics == [])
    }

    @Test("A truncated last box gives only a warning")
    func cutBox() throws {
        let container = try open(Self.pair() + hex("00000064") + Array("mdat".utf8) + [1, 2, 3])
        #expect(container.diagnostics.map(\.code) == ["truncated"])
        #expect(container.planes.count == 1)
    }

    /// Two images whose second has these properties besides its size.
    private static func pair(properties: [[UInt8]]) -> [UInt8] {
        heif(
            items: 2, box("iref", hex("00000000"), box("auxl", hex("0002 0001 0001"))),
            box(
                "iprp",
                box("ipco", box("ispe", hex("00000000 00000008 00000006")), properties.flatMap(\.self)),
                box(
                    "ipma", hex("00000000 00000002 0001 01 01 0002"), [UInt8(properties.count + 1)],
                    (0...properties.count).map { UInt8($0 + 1) })),
            box(
                "iloc",
                hex("00000000 4400 0002 0001 0000 0001 00000000 00000004 0002 0000 0001 00000004 00000004"))
        )
    }

    @Test("An auxiliary type longer than 64 KiB is not read")
    func longType() throws {
        func planes(_ count: Int) throws -> [AuxiliaryPlane] {
            let type = box("auxC", hex("00000000"), [UInt8](repeating: 0x75, count: count))
            return try open(Self.pair(properties: [type])).planes
        }
        #expect(try planes(65_536).first?.type.count == 65_536)
        #expect(try planes(65_537).isEmpty)
    }

    @Test("Only the first eight broken properties of an item are reported")
    func brokenProperties() throws {
        let type = box("auxC", hex("00000000"), Array("urn:mpeg:hevc:2015:auxid:1\0".utf8))
        let broken = [[UInt8]](repeating: box("clap", [1]), count: 20)
        let container = try open(Self.pair(properties: [type] + broken))
        #expect(container.planes.count == 1)
        #expect(container.diagnostics.map(\.code) == [Diagnostic.Code](repeating: "truncated", count: 8))
    }

    @Test("Empty references are counted against the limit")
    func emptyReferences() {
        let reference = box("thmb", hex("0001 0000"))
        let references = [[UInt8]](repeating: reference, count: 20_001).flatMap(\.self)
        let error = #expect(throws: ContainerError.self) {
            try open(heif(items: 1, box("iref", hex("00000000"), references)))
        }
        #expect(
            error?.message == "20001 references exceed the limit of 20000")
    }

    /// The track of a sequence of 8 × 6 that is turned by a quarter clockwise, as QuickTime writes that: 0 1 0, -1 0 0.
    private static func sequence(handler: String = "pict", size: String = "00000004") -> [UInt8] {
        let header = hex("00000000") + [UInt8](repeating: 0, count: 36)
        let matrix = hex("00000000 00010000 00000000 FFFF0000 00000000 00000000 00000000 00000000 40000000")
        let entry = [UInt8](repeating: 0, count: 24) + hex("0008 0006") + [UInt8](repeating: 0, count: 50)
        let table = box(
            "stbl",
            box(
                "stsd", hex("00000000 00000001"),
                box("hvc1", entry, box("pasp", hex("00000001 00000001")))),
            box("stsz", hex("00000000 00000000 00000002"), hex(size), hex("00000009")),
            box("stco", hex("00000000 00000001 00000010")))
        let media = box(
            "mdia", box("hdlr", hex("00000000 00000000"), Array(handler.utf8)), box("minf", table))
        return box("ftyp", Array("avis\0\0\0\0avis".utf8))
            + box("moov", box("trak", box("tkhd", header + matrix), media))
    }

    @Test("A sequence without a still picture shows its first frame")
    func firstFrame() throws {
        let container = try open(Self.sequence())
        #expect([container.photo.width, container.photo.height] == [8, 6])
        #expect(container.photo.orientation == .right)
        #expect(container.photo.readError == nil)
        #expect(container.diagnostics.map(\.code) == [.firstFrame])
        // A frame past the end of the file is described and cannot be read.
        #expect(try open(Self.sequence(size: "00100000")).photo.readError != nil)
        let error = #expect(throws: ContainerError.self) { try open(Self.sequence(handler: "auxv")) }
        #expect(error?.code == "unrecognized")
        for count in 20..<Self.sequence().count {
            #expect(throws: ContainerError.self) { try open(Array(Self.sequence().prefix(count))) }
        }
    }

    @Test("A broken entity group hides nothing else")
    func brokenGroup() throws {
        let container = try open(Self.pair(box("grpl", box("ster", hex("00000000 0000000b ffffffff")))))
        #expect(container.diagnostics.map(\.code) == ["truncated"])
        #expect(container.planes.count == 1)
    }

    @Test(
        "Broken metadata structure is an error that names the box",
        arguments: [
            (heif(items: 1, box("iref", hex("00000000 00000009")))),
            (heif(items: 1, hex("00000003 61626364"))),
            (heif(items: 1, box("iinf", hex("00000000 0002")))),
            (heif(items: 1, hex("000000ff 61626364"))),
        ])
    func broken(file: [UInt8]) {
        let error = #expect(throws: ContainerError.self) { try open(file) }
        #expect(error?.path.description.hasPrefix("meta") == true)
    }

    @Test("Media files without images are unrecognized, not malformed", arguments: ["qt  ", "isom", "M4A "])
    func foreign(brand: String) {
        let file = box("ftyp", Array(brand.utf8), hex("00000000"), Array(brand.utf8)) + box("moov")
        let error = #expect(throws: ContainerError.self) { try open(file) }
        #expect(error?.code == "unrecognized")
    }
}
