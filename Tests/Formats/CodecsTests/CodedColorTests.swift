import Bytes
import DepthMaps
import DepthTypes
import PhotoFormats
import RasterFormats
import TestSupport
import Testing

@testable import Codecs

/// Pictures whose colors are described by code points of ITU-T H.273.
@Suite("Coded colors")
struct CodedColorTests {
    /// The color of a PNG file of one pixel with a `cICP` chunk, in sRGB.
    private func color(_ codes: [UInt8], primaries: UInt8, transfer: UInt8) throws -> [UInt8] {
        let bytes = HandMadePNG.bytes(
            header: [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0], [0] + codes,
            HandMadePNG.chunk("cICP", [primaries, transfer, 0, 1]))
        let decoder = RasterDecoder(MemorySource(bytes), limits: DecodingLimits())
        let description = try decoder.describe(.png)
        #expect(description.diagnostics.map(\.code) == (transfer < 16 ? [] : [.lostHDR]))
        let image = try decoder.color(of: description).converted(toProfile: [])
        let pixel = image.eightBitPixels[0]
        return [pixel.red, pixel.green, pixel.blue]
    }

    /// Expected values are from the formulas of IEC 61966-2-1 and ITU-R BT.2100 and from the chromaticities in H.273, by
    /// a script in Python without this code; reference white is 203 cd/m², and the peak of HLG's display 1,000 cd/m².
    @Test(
        "have the values of their standards",
        arguments: [
            ([150, 100, 80], 1, 13, [150, 100, 80]), ([150, 100, 80], 12, 13, [159, 97, 76]),
            ([128, 128, 128], 12, 13, [128, 128, 128]), ([128, 128, 128], 9, 16, [181, 181, 181]),
            ([140, 140, 140], 9, 16, [223, 223, 223]), ([150, 150, 150], 9, 16, [255, 255, 255]),
            ([120, 90, 80], 9, 16, [188, 72, 63]), ([100, 100, 100], 9, 18, [104, 104, 104]),
            ([150, 150, 150], 9, 18, [168, 168, 168]), ([191, 191, 191], 9, 18, [254, 254, 254]),
            ([120, 90, 80], 9, 18, [139, 90, 82]),
        ] as [([UInt8], UInt8, UInt8, [UInt8])])
    func standards(codes: [UInt8], primaries: UInt8, transfer: UInt8, expected: [UInt8]) throws {
        let found = try color(codes, primaries: primaries, transfer: transfer)
        for (found, expected) in zip(found, expected) {
            #expect(abs(Int(found) - Int(expected)) <= 1, "\(found) is not \(expected)")
        }
    }

    @Test("The same picture has the same profile every time, and sRGB has none")
    func profiles() throws {
        let color = CodedColor(primaries: 12, transfer: 13, isFullRange: true)
        #expect(color.colorProfile() == color.colorProfile() && color.colorProfile().count > 128)
        #expect(CodedColor(primaries: 1, transfer: 1, isFullRange: true).colorProfile().isEmpty)
        #expect(CodedColor(isFullRange: false).colorProfile().isEmpty)
    }

    @Test("A container takes precedence over the bitstream, code point by code point")
    func precedence() {
        let box = CodedColor(matrixCoefficients: 1, isFullRange: false)
        let own = CodedColor(primaries: 12, transfer: 16, matrixCoefficients: 6, isFullRange: true)
        let expected = CodedColor(primaries: 12, transfer: 16, matrixCoefficients: 1, isFullRange: false)
        #expect(box.completed(by: own) == expected)
        // Only a container's primaries of television are believed.
        #expect(CodedColor(primaries: 5, isFullRange: true).ofBitstream.primaries == 2)
        #expect(own.ofBitstream == own)
    }

    /// Colors as libheif 1.23 decodes them (`README` of the cases).
    @Test(
        "Pictures of HEIF are decoded by their box, and without one by the bitstream",
        .needsCases,
        arguments: ["vui-range-only-colr709", "vui601-colr709", "vui-none-colr709", "vui709-nocolr"])
    func boxes(name: String) throws {
        let source = try FileSource(
            path: SampleFolder.cases.path("b02-vui-over-colr/\(name).heic"), limits: DecodingLimits())
        let photo = try parseContainer(source, limits: DecodingLimits())
        let image = try ImageDecoder(source, limits: DecodingLimits()).color(
            of: photo.codedImage(at: photo.photo.location), width: photo.photo.codedWidth,
            height: photo.photo.codedHeight)
        let pixel = image.eightBitPixels[image.width * image.height / 2 + image.width / 2]
        for (found, expected) in zip([pixel.red, pixel.green, pixel.blue], [200, 60, 30]) {
            #expect(abs(Int(found) - expected) <= 2, "\(pixel)")
        }
    }
}
