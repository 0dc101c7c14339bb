import Bytes
import DepthTypes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Parameters of gain maps")
struct GainMapParametersTests {
    /// The layout of libultrahdr, gainmapmetadata.cpp, at its version 1.4. The flags are one color, the photo's color space, and
    /// a common denominator of 4.
    @Test("ISO 21496-1 with a common denominator is read as fractions, some of them signed")
    func commonDenominator() throws {
        let block = hex(
            """
            0000 0000 48 00000004 00000000 0000000a
            fffffffe 0000000a 00000004 00000001 00000001
            """)
        let map = try StandardGainMap(parsing: block, at: 0)
        #expect(
            map.channels == [
                .init(minimum: -0.5, maximum: 2.5, gamma: 1, baseOffset: 0.25, alternateOffset: 0.25)
            ])
        #expect(map.baseHeadroom == 0 && map.alternateHeadroom == 2.5)
        for count in block.indices {
            #expect(throws: ContainerError.self) {
                try StandardGainMap(parsing: Array(block.prefix(count)), at: 0)
            }
        }
    }

    @Test("ISO 21496-1 has one entry for each color, with denominators of their own")
    func colors() throws {
        let channel = { (top: String) in
            "00000000 00000001 \(top) 00000002 00000003 00000002 00000001 00000040 00000000 00000001"
        }
        let block = hex(
            "0000 0000 c0 00000000 00000001 00000003 00000001"
                + ["00000002", "00000003", "00000004"].map(channel).joined())
        let map = try StandardGainMap(parsing: block, at: 0)
        #expect(map.channels.map(\.maximum) == [1, 1.5, 2])
        #expect(map.channels.allSatisfy { $0.gamma == 1.5 && $0.baseOffset == 1 / 64 })
        #expect(map.alternateHeadroom == 3)
    }

    @Test(
        "Numbers that cannot be used and maps of HDR photos are errors",
        arguments: [
            "0000 0000 44", "0001 0000 40", "0000 0000 48 00000000",
            // A gamma of 0.
            "0000 0000 48 00000001 00000000 00000001 00000000 00000001 00000000 00000000 00000000",
        ])
    func invalid(start: String) {
        let block = hex(start) + [UInt8](repeating: 0, count: 60)
        #expect(throws: ContainerError.self) { try StandardGainMap(parsing: block, at: 0) }
    }

    private func xmp(_ properties: String) throws -> XMPProperties {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" \(properties)
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        return try XMPProperties(
            parsing: Array(packet.utf8), limits: DecodingLimits(), at: 0, in: StructurePath("XMP"))
    }

    /// The defaults of Adobe's specification 1.0: gamma 1, offsets 1/64, a least gain of 0.
    @Test("hdrgm has defaults, and one number for all colors or three")
    func adobe() throws {
        let gray = try StandardGainMap(xmp(#"hdrgm:GainMapMax="2.5" hdrgm:HDRCapacityMax="3">"#))
        #expect(gray.channels == [.init(maximum: 2.5)])
        #expect(gray.alternateHeadroom == 3)
        let color = try StandardGainMap(
            xmp(
                "><hdrgm:GainMapMax><rdf:Seq><rdf:li>1</rdf:li><rdf:li>2</rdf:li><rdf:li>3</rdf:li></rdf:Seq></hdrgm:GainMapMax>"
            ))
        #expect(color.channels.map(\.maximum) == [1, 2, 3])
        for wrong in [
            ">", #"hdrgm:GainMapMax="high">"#, #"hdrgm:GainMapMax="1" hdrgm:BaseRenditionIsHDR="True">"#,
            #"hdrgm:GainMapMax="1" hdrgm:Gamma="0">"#, #"hdrgm:GainMapMax="nan">"#,
        ] {
            #expect(throws: ContainerError.self) { try StandardGainMap(xmp(wrong)) }
        }
    }

    /// An Exif block whose maker note has three entries: tag 1, and 0x21 and 0x30 as signed rationals.
    private func exif(headroom: Int, gain: Int) -> [UInt8] {
        let note =
            Array("Apple iOS\0".utf8) + hex("0001 4d4d 0003")
            + hex("0001 0009 00000001 0000000e") + hex("0021 000a 00000001 00000038")
            + hex("0030 000a 00000001 00000040") + hex("00000000") + bigEndian(headroom) + bigEndian(1000)
            + bigEndian(gain) + bigEndian(1000)
        return hex("4d4d002a 00000008 0001 8769 0004 00000001 0000001a 00000000")
            + hex("0001 927c 0007") + bigEndian(note.count) + bigEndian(44) + hex("00000000") + note
    }

    /// Apple, "Applying Apple HDR effect to your photos": four lines of stops by the two tags.
    @Test(
        "Apple's headroom follows from two tags of the maker note",
        arguments: [
            (500, 5, 1.7), (500, 1000, 1.5), (1010, 8, 2.44), (1010, 2022, 1.690334), (500, 90_000, 0),
        ])
    func headroom(first: Int, second: Int, stops: Double) throws {
        let block = exif(headroom: first, gain: second)
        let note = try #require(try AppleMakerNote(inExif: block, limits: DecodingLimits()))
        let found = try #require(try note.stops())
        #expect(abs(found - stops) < 1e-6)
    }

    @Test("Both tags are removed from the maker note's directory, and nothing moves")
    func removal() throws {
        let block = exif(headroom: 500, gain: 5)
        let result = exifWithoutHDR(block)
        let entries = 44 + 16
        var expected = block
        expected.replaceSubrange(entries - 2..<entries, with: [0, 1])
        for index in entries + 12..<entries + 40 { expected[index] = 0 }
        #expect(result == expected)
        #expect(exifWithoutHDR(result) == result)
        #expect(try AppleMakerNote(inExif: result, limits: DecodingLimits())?.stops() == nil)
    }

    @Test("Exif without Apple's note, or with a broken one, stays as it is")
    func untouched() {
        var other = exif(headroom: 500, gain: 5)
        other[44] = UInt8(ascii: "B")
        for block in [[], other] + (1..<100).map({ Array(exif(headroom: 1, gain: 1).prefix($0)) }) {
            #expect(exifWithoutHDR(block) == block)
        }
    }
}
