import Bytes
import Codecs
import DepthTypes
import Foundation
import PhotoFormats
import Scenes
import TestSupport
import Testing

@Suite struct MetadataCopyTests {
    /// IFD0: Orientation 6 and a link to the Exif directory; IFD1: a thumbnail of four bytes; a maker note.
    private static let exif: [UInt8] =
        Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
        + [0, 2] + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0] + [0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38]
        + [0, 0, 0, 80]  // 34: the link to IFD1
        + [0, 3] + [0x92, 0x7C, 0, 7, 0, 0, 0, 4, 1, 2, 3, 4]  // 38
        + [0xA0, 0x02, 0, 4, 0, 0, 0, 1, 0, 0, 15, 192] + [0xA0, 0x03, 0, 3, 0, 0, 0, 1, 11, 208, 0, 0]
        + [0, 0, 0, 0]
        + [0, 2] + [0x02, 0x01, 0, 4, 0, 0, 0, 1, 0, 0, 0, 110] + [
            0x02, 0x02, 0, 4, 0, 0, 0, 1, 0, 0, 0, 4,
        ]  // 80
        + [0, 0, 0, 0] + [0xFF, 0xD8, 0xFF, 0xD9, 7, 8]

    @Test("Exif is made upright without moving anything")
    func upright() throws {
        let found = try exifForUprightCopy(Self.exif, width: 3024, height: 4032, limits: DecodingLimits())
        var wanted = Self.exif
        wanted[19] = 1
        wanted.replaceSubrange(34..<38, with: [0, 0, 0, 0])
        wanted.replaceSubrange(60..<64, with: [0, 0, 0x0B, 0xD0])
        wanted.replaceSubrange(72..<74, with: [0x0F, 0xC0])
        wanted.replaceSubrange(110..<114, with: [0, 0, 0, 0])
        #expect(found == wanted)
    }

    @Test("Damaged Exif is refused or copied at the same size")
    func damagedExif() {
        for count in Self.exif.indices {
            _ = try? exifForUprightCopy(
                Array(Self.exif[..<count]), width: 1, height: 1, limits: DecodingLimits())
        }
        var random = SplitMix(seed: 3)
        var mutants = MutantCount()
        for _ in 0..<3000 {
            var changed = Self.exif
            random.damage(&changed, changes: 3)
            mutants.add {
                let found = try exifForUprightCopy(changed, width: 1, height: 1, limits: DecodingLimits())
                #expect(found.count == changed.count)
            }
        }
        mutants.expectBoth()
    }

    @Test(
        "An orientation of any type that is read is rewritten, so that no picture is turned twice",
        arguments: [1, 3, 4, 7])
    func orientationTypes(type: UInt8) throws {
        var block = Self.exif
        block[13] = type
        block.replaceSubrange(
            18..<22, with: type == 4 ? [0, 0, 0, 6] : type == 3 ? [0, 6, 0, 0] : [6, 0, 0, 0])
        let found = try exifForUprightCopy(block, width: 3024, height: 4032, limits: DecodingLimits())
        #expect(Array(found[18..<22]) == block[18..<22].map { $0 == 6 ? 1 : $0 })
    }

    @Test(
        "A value that overlaps the header or a directory is an error",
        arguments: [4, 12, 40] as [UInt8])
    func valueInStructure(place: UInt8) {
        var block = Self.exif
        block.replaceSubrange(14..<22, with: [0, 0, 0, 3, 0, 0, 0, place])  // three orientations, elsewhere
        let error = #expect(throws: ContainerError.self) {
            try exifForUprightCopy(block, width: 3024, height: 4032, limits: DecodingLimits())
        }
        #expect(error?.message == "field 274 has its value inside a directory")
    }

    @Test("Overlapping directories are an error", arguments: [4, 8, 30] as [UInt8])
    func overlappingDirectories(place: UInt8) {
        var block = Self.exif
        block[33] = place  // of the Exif directory
        let error = #expect(throws: ContainerError.self) {
            try exifForUprightCopy(block, width: 3024, height: 4032, limits: DecodingLimits())
        }
        #expect(error?.message == "directories overlap")
    }

    private static let packet = """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <r:Description r:about="" xmlns:d="http://ns.google.com/photos/1.0/depthmap/"
          xmlns:t="http://ns.adobe.com/tiff/1.0/" xmlns:n='http://ns.adobe.com/xmp/note/' d:Near = "1 > 0"
          n:HasExtendedXMP="AB" t:Orientation="6" t:Make="É &amp; co" xmlns:dc="http://purl.org/dc/elements/1.1/">
        <d:Far>3</d:Far><dc:subject><r:Bag><r:li>a</r:li></r:Bag></dc:subject><d:Data/>
        <m:Regions xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/"><m:List/></m:Regions>
        </r:Description><r:Description r:about="" xmlns:q="http://ns.adobe.com/tiff/1.0/"><q:Orientation>6</q:Orientation>
        </r:Description></r:RDF></x:xmpmeta><?xpacket end="w"?>
        """

    private static let carried = """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <r:Description r:about=""
          xmlns:t="http://ns.adobe.com/tiff/1.0/" xmlns:n='http://ns.adobe.com/xmp/note/' t:Orientation="1" t:Make="É &amp; co" xmlns:dc="http://purl.org/dc/elements/1.1/">
        <dc:subject><r:Bag><r:li>a</r:li></r:Bag></dc:subject>
        REGIONS
        </r:Description><r:Description r:about="" xmlns:q="http://ns.adobe.com/tiff/1.0/"><q:Orientation>1</q:Orientation>
        </r:Description></r:RDF></x:xmpmeta><?xpacket end="w"?>
        """
    private static let regions =
        #"<m:Regions xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/"><m:List/></m:Regions>"#

    @Test("XMP loses only the properties that describe planes", arguments: [Orientation.up, .right])
    func xmp(orientation: Orientation) throws {
        let found = try xmpForUprightCopy(
            Array(Self.packet.utf8), orientation: orientation, limits: DecodingLimits())
        let wanted = Self.carried.replacing("REGIONS", with: orientation == .up ? Self.regions : "")
        #expect(String(decoding: found, as: UTF8.self) == wanted)
    }

    @Test("An attribute whose name only begins as a namespace's does is one like others")
    func namespaceLike() throws {
        // Fuzzing found that such a name shifted the names of the fields behind it.
        func packet(_ attributes: String) -> String {
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <r:Description r:about="" \(attributes)/></r:RDF></x:xmpmeta>
            """
        }
        let found = try xmpForUprightCopy(
            Array(
                packet(
                    #"xmlnszd="http://ns.google.com/photos/1.0/depthmap/" xmlns:t = "http://ns.adobe.com/tiff/1.0/" "#
                        + #"t:Orientation="6" t:Make="a""#
                ).utf8), orientation: .right, limits: DecodingLimits())
        let wanted = packet(
            #"xmlnszd="http://ns.google.com/photos/1.0/depthmap/" xmlns:t = "http://ns.adobe.com/tiff/1.0/" "#
                + #"t:Orientation="1" t:Make="a""#)
        #expect(String(decoding: found, as: UTF8.self) == wanted)
    }

    @Test("Damaged XMP is refused or still well-formed")
    func damagedXMP() {
        var random = SplitMix(seed: 4)
        var mutants = MutantCount()
        for _ in 0..<1000 {
            var changed = Array(Self.packet.utf8)
            let place = Int.random(in: changed.indices, using: &random)
            changed[place] = UInt8.random(in: 0..<0x80, using: &random)
            mutants.add {
                let found = try xmpForUprightCopy(changed, orientation: .right, limits: DecodingLimits())
                #expect(throws: Never.self) {
                    try XMPProperties(parsing: found, limits: DecodingLimits(), at: 0, in: StructurePath())
                }
            }
        }
        mutants.expectBoth()
    }

    @Test(
        "Metadata of a turned photo becomes upright",
        arguments: ["portrait-rotated.jpg", "portrait-rotated.heic"])
    func photo(name: String) throws {
        let (blocks, diagnostics) = try DepthPhoto(contentsOf: TestImages.path(name)).metadata()
        #expect(diagnostics.isEmpty)
        let exif = try exifForUprightCopy(blocks.exif, width: 960, height: 720, limits: DecodingLimits())
        #expect(exif == blocks.exif && !exif.isEmpty)
    }
}

@Suite(.needsSamples)
struct MetadataSampleTests {
    @Test(
        "Focus points and faces are read from cameras' metadata",
        arguments: [
            ("apple-jpeg/iphonex-matte-sampler.jpg", PhotoRegion.Kind.face, 0.5635, 0.1465),
            // Stored (0.7355, 0.341), to be turned clockwise: x is 1 - 0.341.
            ("apple-jpeg/iphone7plus-depth-tutorial-06.jpg", .focus, 0.659, 0.7355),
            ("apple-jpeg/iphonex-depth-sampler.jpg", .focus, 0.662, 0.4385),
        ])
    func regions(name: String, kind: PhotoRegion.Kind, x: Double, y: Double) throws {
        let regions = try DepthPhoto(contentsOf: SampleFolder.photos.path(name)).regions()
        let region = try #require(regions.first)
        #expect(region.kind == kind && abs(region.x - x) < 1e-6 && abs(region.y - y) < 1e-6)
    }

    @Test(
        "Metadata of every camera is copied",
        arguments: ["apple-jpeg", "apple-heic", "gdepth", "dynamic-depth", "apple-spatial", "samsung"].flatMap
        {
            SampleFolder.photos.files(in: $0)
        })
    func carried(name: String) throws {
        let photo = try DepthPhoto(contentsOf: SampleFolder.photos.path(name))
        let (blocks, diagnostics) = photo.metadata()
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        guard !blocks.xmp.isEmpty else { return }
        let xmp = try XMPProperties(parsing: blocks.xmp, limits: DecodingLimits(), at: 0, in: StructurePath())
        #expect(!xmp.contains(namespace: "http://ns.google.com/photos/1.0/depthmap/"))
        #expect(!String(decoding: blocks.xmp, as: UTF8.self).contains("ns.google.com/photos/dd/"))
        if name.contains("iphonex-matte") {
            #expect(xmp.contains(namespace: "http://www.metadataworkinggroup.com/schemas/regions/"))
        }
    }
}
