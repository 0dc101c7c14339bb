import Bytes
import Codecs
import DepthMaps
import Foundation
import Scenes
import TestSupport
import Testing

/// A picture of smooth colors, as JPEG can hold them.
let smoothColors = (0..<48 * 40).map { index in
    let (x, y) = (index % 48, index / 48)
    return RGB<UInt8>(red: UInt8(40 + 3 * x), green: UInt8(60 + 2 * y), blue: UInt8(200 - x - y))
}

/// Opaque, translucent and transparent pixels.
let someOpacities = (0..<15).map { RGBA<UInt8>(red: 200, green: UInt8($0), blue: 7, alpha: UInt8($0 * 18)) }

@Suite struct PictureWritingTests {
    private let folder = TemporaryFolder()

    private func file(_ raster: Raster, _ name: String, quality: Int? = nil) throws -> RasterFile {
        let path = folder.file(name)
        try OutputFile(path: path, replacesExisting: true).write { (descriptor) throws(WriteError) in
            switch (name.suffix(3), quality) {
            case ("png", _): try raster.writePNG(to: descriptor)
            case ("tif", _): try raster.writeTIFF(to: descriptor)
            case (_, let quality?): try raster.writeJPEG(to: descriptor, quality: quality)
            default: try raster.writeJPEG(to: descriptor)
            }
        }
        return try RasterFile(path)
    }

    @Test("Straight alpha survives a round trip in 8 bits", arguments: ["a.png", "a.tif"])
    func translucent8(name: String) throws {
        let found = try file(
            Raster(width: 5, height: 3, samples: .translucent(.uint8(someOpacities))), name)
        #expect((found.width, found.height, found.channels, found.bitDepth) == (5, 3, 4, 8))
        #expect(found.hasAlpha)
        #expect(
            found.samples == someOpacities.flatMap { [$0.red, $0.green, $0.blue, $0.alpha].map(Double.init) })
    }

    @Test("Straight alpha survives a round trip in 16 bits", arguments: ["a.png", "a.tif"])
    func translucent16(name: String) throws {
        let pixels = (0..<15).map {
            RGBA<UInt16>(red: 65535, green: $0 * 257, blue: 1, alpha: 65535 - $0 * 4001)
        }
        let found = try file(Raster(width: 3, height: 5, samples: .translucent(.uint16(pixels))), name)
        #expect(found.channels == 4 && found.bitDepth == 16 && found.hasAlpha)
        #expect(found.samples == pixels.flatMap { [$0.red, $0.green, $0.blue, $0.alpha].map(Double.init) })
    }

    /// 700 × 600: PNG files of more than a megabyte, and JPEG files of more rows than a piece has, with a rest.
    private static let largePicture = (0..<700 * 600).map { index in
        let (x, y) = (index % 700, index / 700)
        return RGB<UInt16>(
            red: UInt16(x * 90), green: UInt16(y * 100), blue: UInt16((x * x + y * y) % 65_536))
    }

    @Test("A large picture is compressed in pieces, and survives a round trip through PNG")
    func largePNG() throws {
        let pixels = Self.largePicture
        let found = try file(
            Raster(width: 700, height: 600, samples: .color(.uint16(pixels))), "large.png")
        #expect((found.width, found.height, found.bitDepth) == (700, 600, 16))
        #expect(found.samples == pixels.flatMap { [$0.red, $0.green, $0.blue].map(Double.init) })
    }

    /// Otherwise, once in a thousand processes, the address of ISA-L's stream would influence the found matches.
    @Test("Each piece of a PNG file begins with a stored block of one byte, the dictionary of what follows")
    func storedPNGBytes() throws {
        let raster = Raster(width: 700, height: 600, samples: .color(.uint16(Self.largePicture)))
        _ = try file(raster, "stored.png")
        let coded = try folder.bytes(of: "stored.png")
        var pieces: [[UInt8]] = []
        var start = 8
        while start < coded.count {
            let size = coded.bigEndian(at: start)
            let name = String(decoding: coded[start + 4..<start + 8], as: UTF8.self)
            if name == "IDAT" { pieces.append(Array(coded[start + 8..<start + 8 + size])) }
            start += 12 + size
        }
        // The zlib header comes first, and the checksum of all bytes last.
        #expect(pieces.count > 2 && pieces.first?.prefix(2) == [0x78, 0x01] && pieces.last?.count == 4)
        pieces[0].removeFirst(2)
        // RFC 1951, sections 3.2.3 and 3.2.4: not the last, stored, its length, that inverted, and the filter's number.
        #expect(
            pieces.dropLast().allSatisfy {
                [[0, 1, 0, 0xFE, 0xFF, 1], [0, 1, 0, 0xFE, 0xFF, 2]].contains($0.prefix(6))
            })
    }

    @Test("JPEG files of many pieces have the samples of their parts coded alone", arguments: [80, 97])
    func largeJPEG(quality: Int) throws {
        let pixels = Self.largePicture.map {
            RGB<UInt8>(red: UInt8($0.red >> 8), green: UInt8($0.green >> 8), blue: UInt8($0.blue >> 8))
        }
        let whole = try file(
            Raster(width: 700, height: 600, samples: .color(.uint8(pixels))), "large.jpg", quality: quality)
        #expect((whole.width, whole.height) == (700, 600))
        // 256 and 128 rows are whole pieces, and pictures of 128 rows have none inside. Chroma is smoothed over the edges of parts.
        for top in [0, 128, 256, 384] {
            let part = try file(
                Raster(
                    width: 700, height: 128,
                    samples: .color(.uint8(Array(pixels[top * 700..<(top + 128) * 700])))),
                "part.jpg", quality: quality)
            let inside = (2 * 700 * 3)..<(126 * 700 * 3)
            #expect(
                part.samples[inside]
                    == whole.samples[(inside.lowerBound + top * 2100)..<(inside.upperBound + top * 2100)])
        }
        let coded = try folder.bytes(of: "large.jpg")
        let markers = coded.indices.dropLast().filter { coded[$0] == 0xFF && 0xD0...0xD7 ~= coded[$0 + 1] }
        #expect(markers.count == (quality < 95 ? 18 : 37))
        #expect(markers.enumerated().allSatisfy { coded[$1 + 1] == 0xD0 + UInt8($0 % 8) })
    }

    @Test("Noise and flat rows survive a round trip through PNG", arguments: [8, 16])
    func photoFilters(bits: Int) throws {
        var random = SplitMix(seed: 1)
        let codes = (0..<3 * 31 * 20).map { index -> UInt16 in
            let noise = UInt16.random(in: 0...UInt16.max, using: &random)
            return index / 93 % 3 == 0 ? UInt16(index / 93) : noise
        }
        let samples: Raster.Samples
        if bits == 8 {
            samples = .color(
                .uint8(
                    stride(from: 0, to: codes.count, by: 3).map {
                        RGB(
                            red: UInt8(truncatingIfNeeded: codes[$0]),
                            green: UInt8(truncatingIfNeeded: codes[$0 + 1]),
                            blue: UInt8(truncatingIfNeeded: codes[$0 + 2]))
                    }))
        } else {
            samples = .color(
                .uint16(
                    stride(from: 0, to: codes.count, by: 3).map {
                        RGB(red: codes[$0], green: codes[$0 + 1], blue: codes[$0 + 2])
                    }))
        }
        let found = try file(Raster(width: 31, height: 20, samples: samples), "noise.png")
        #expect(found.samples == codes.map { Double(bits == 8 ? $0 & 255 : $0) })
    }

    @Test("JPEG chroma is halved below quality 95", arguments: [(92, 22), (94, 22), (95, 11), (100, 11)])
    func jpeg(quality: Int, subsampling: Int) throws {
        let raster = Raster(width: 48, height: 40, samples: .color(.uint8(smoothColors)))
        let found = try file(raster, "p\(quality).jpg", quality: quality)
        #expect((found.width, found.height, found.channels, found.bitDepth) == (48, 40, 3, 8))
        #expect(found.subsampling == subsampling)
        // The error comes from rounding in YCbCr and from the coarsest steps of quality 92, 2 to 3 values.
        let wanted = smoothColors.flatMap { [$0.red, $0.green, $0.blue].map(Double.init) }
        #expect(zip(found.samples, wanted).allSatisfy { abs($0 - $1) <= 5 })
        guard case .uint8(let own) = try DepthPhoto(contentsOf: folder.file("p\(quality).jpg")).image().pixels
        else {
            Issue.record("a JPEG has 8 bits")
            return
        }
        #expect(own.flatMap { [$0.red, $0.green, $0.blue].map(Double.init) } == found.samples)
    }

    @Test("A gray picture becomes a gray JPEG")
    func grayJPEG() throws {
        let samples = (0..<600).map { UInt8($0 / 30 * 10) }
        let found = try file(Raster(width: 30, height: 20, samples: .gray8(samples)), "gray.jpg")
        #expect(found.channels == 1)
        #expect(zip(found.samples, samples).allSatisfy { abs($0 - Double($1)) <= 4 })
    }

    @Test(
        "JPEG refuses samples that it cannot hold",
        arguments: [
            Raster.Samples.gray16([1]), .float([1]), .color(.uint16([RGB(red: 1, green: 1, blue: 1)])),
            .translucent(.uint8([RGBA(red: 1, green: 1, blue: 1, alpha: 1)])),
        ])
    func refused(samples: Raster.Samples) throws {
        #expect(throws: OutputError.self) {
            try file(Raster(width: 1, height: 1, samples: samples), "no.jpg")
        }
        #expect(folder.contents.isEmpty)
    }

    @Test("A picture too large for JPEG is refused")
    func tooLarge() throws {
        let raster = Raster(width: 65_501, height: 1, samples: .gray8([UInt8](repeating: 0, count: 65_501)))
        #expect(throws: OutputError.self) { try file(raster, "large.jpg") }
    }

    @Test(
        "Color profile and metadata survive a round trip byte for byte",
        arguments: ["a.png", "a.jpg", "a.tif"])
    func metadata(name: String) throws {
        var raster = Raster(width: 48, height: 40, samples: .color(.uint8(smoothColors)))
        raster.colorProfile = try DepthPhoto(contentsOf: TestImages.path("portrait.heic")).image()
            .colorProfile
        raster.metadata = PictureMetadata(
            exif: Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0],
            xmp: Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'>é</x:xmpmeta>".utf8))
        let found = try file(raster, name)
        #expect(found.profile == raster.colorProfile && !found.profile.isEmpty)
        #expect(found.xmp == raster.metadata.xmp)
        if name != "a.tif" { #expect(found.exif == raster.metadata.exif) }
    }

    @Test("A large profile is split over segments, and metadata too large for one is dropped and reported")
    func largeBlocks() throws {
        var raster = Raster(width: 48, height: 40, samples: .color(.uint8(smoothColors)))
        raster.colorProfile = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* $0) }
        raster.metadata = PictureMetadata(
            exif: [UInt8](repeating: 1, count: 65_527), xmp: [UInt8](repeating: 0x20, count: 65_503))
        #expect(raster.metadata.blocksTooLargeForJPEG == [.xmp])
        let found = try file(raster, "large.jpg")
        #expect(
            found.profile == raster.colorProfile && found.exif == raster.metadata.exif && found.xmp.isEmpty)
    }

    @Test("A full disk is an error")
    func full() throws {
        let raster = Raster(width: 48, height: 40, samples: .color(.uint8(smoothColors)))
        let full = unsafe open("/dev/full", O_WRONLY)
        defer { close(full) }
        #expect(throws: WriteError.system(ENOSPC)) { try raster.writeJPEG(to: full) }
    }
}
