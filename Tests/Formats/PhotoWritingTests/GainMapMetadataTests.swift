import TestSupport
import Testing

@testable import PhotoWriting

@Suite("Metadata of gain maps")
struct GainMapMetadataTests {
    private let channel = GainMapMetadata.Channel(
        minimum: -0.5, maximum: 2.5, gamma: 1, baseOffset: 1 / 64, alternateOffset: 0)

    /// The layout of libultrahdr, gainmapmetadata.cpp: versions, flags (bit 7 three colors, bit 6 the photo's color space),
    /// headrooms and numbers, each with a denominator of 1,000,000 (f4240).
    @Test("ISO 21496-1 has fractions of millionths, some of them negative")
    func iso() throws {
        let gray = GainMapMetadata(channels: [channel], baseHeadroom: 0, alternateHeadroom: 2.5)
        let numbers =
            "fff85ee0 000f4240 002625a0 000f4240 000f4240 000f4240 00003d09 000f4240 00000000 000f4240"
        let start = "00000000 000f4240 002625a0 000f4240"
        #expect(try gray.serialized() == hex("00000000 40" + start + numbers))
        let color = GainMapMetadata(
            channels: [channel, channel, channel], baseHeadroom: 0, alternateHeadroom: 2.5)
        #expect(try color.serialized() == hex("00000000 c0" + start + numbers + numbers + numbers))
        #expect(throws: ContainerWritingError.self) {
            try GainMapMetadata(channels: [], baseHeadroom: 0, alternateHeadroom: 1).serialized()
        }
        #expect(throws: ContainerWritingError.self) {
            try GainMapMetadata(channels: [channel], baseHeadroom: 0, alternateHeadroom: 1e6).serialized()
        }
    }

    /// The forms of the examples in Android's "Ultra HDR Image Format v1.1".
    @Test("Ultra HDR has attributes, and a directory with the length of the map")
    func packets() throws {
        let metadata = GainMapMetadata(channels: [channel], baseHeadroom: 0, alternateHeadroom: 2.5)
        var own = XMPPacketBuilder(try metadata.properties())
        own.usesAttributes = true
        let text = String(decoding: try own.serialized(), as: UTF8.self)
        for attribute in [
            #"hdrgm:Version="1.0""#, #"hdrgm:GainMapMin="-0.500000""#, #"hdrgm:GainMapMax="2.500000""#,
            #"hdrgm:OffsetSDR="0.015625""#, #"hdrgm:HDRCapacityMax="2.500000""#,
            #"hdrgm:BaseRenditionIsHDR="False""#,
        ] {
            #expect(text.contains(attribute))
        }
        var photo = XMPPacketBuilder(GainMapMetadata.photoProperties(gainMapLength: 1234))
        photo.usesAttributes = true
        let packet = String(decoding: try photo.serialized(), as: UTF8.self)
        #expect(packet.contains(#"<Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/>"#))
        #expect(
            packet.contains(
                #"<Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="1234"/>"#))
    }

    @Test("The segment of ISO 21496-1 follows the photo's metadata")
    func segment() throws {
        let file = MultiPictureJPEG(
            primary: .init(jpeg: MultiPictureJPEGTests.photo, gainMap: GainMapMetadata.version),
            auxiliaries: [.init(jpeg: MultiPictureJPEGTests.plane)])
        let name = "75726e3a69736f3a7374643a69736f3a74733a32313439363a2d3100"
        #expect(try file.serialized().firstOffset(of: hex("ffe2 0022" + name + "00000000")) != nil)
    }
}
