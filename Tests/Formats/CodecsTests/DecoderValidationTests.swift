import Bytes
import Codecs
import DepthMaps
import DepthTypes
import PhotoFormats
import RasterFormats
import Scenes
import TestSupport
import Testing

/// Libraries are called with the file's declared values, and their results are checked against these.
@Suite("Decoder validation")
struct DecoderValidationTests {
    private static let pictures = [
        "portrait.jpg", "portrait.heic", "depth.avif", "depth.jxl", "depth.dng", "lossless-jpeg-depth.heic",
        "gdepth-lens-blur.jpg", "gdepth-portrait.jpg", "dynamic-depth.jpg",
    ]

    @Test("An image of another size than declared is an error in every codec", arguments: pictures)
    func otherSize(name: String) throws {
        let source = MemorySource(try TestImages.bytes(name))
        let container = try parseContainer(source, limits: DecodingLimits())
        let decoder = ImageDecoder(source, limits: DecodingLimits())
        for plane in container.planes where plane.readError == nil {
            let coded = try container.codedImage(at: plane.location)
            let (width, height) = (plane.codedWidth, plane.codedHeight)
            let codes = try decoder.codes(of: coded, width: width, height: height)
            #expect((codes.width, codes.height) == (width, height))
            for size in [(width + 1, height), (width, height - 1), (2 * width, 2 * height), (1, 1)] {
                let error = try #require(throws: ContainerError.self) {
                    _ = try decoder.codes(of: coded, width: size.0, height: size.1)
                }
                #expect(["damaged", "malformed"].contains(error.code), "\(plane.codec) \(size) \(error)")
            }
        }
        let photo = container.photo
        guard name != "depth.dng" else { return }
        let coded = try container.codedImage(at: photo.location)
        for size in [(photo.codedWidth + 8, photo.codedHeight), (photo.codedWidth, photo.codedHeight - 1)] {
            let error = try #require(throws: ContainerError.self) {
                _ = try decoder.color(of: coded, width: size.0, height: size.1)
            }
            #expect(["damaged", "malformed"].contains(error.code), "\(error)")
        }
    }

    @Test(
        "A wrong 'ispe' makes only its own images unreadable",
        arguments: ["portrait.heic", "depth.avif", "lossless-jpeg-depth.heic"])
    func otherExtents(name: String) throws {
        let bytes = try TestImages.bytes(name)
        let places = bytes.indices.dropLast(16).filter { bytes[$0..<$0 + 4].elementsEqual("ispe".utf8) }
        #expect(places.count > 1)
        for (place, change) in places.flatMap({ place in [-1, 1, 8].map { (place, $0) } }) {
            var changed = bytes
            // After the name come version and flags, then the width; sizes here are below 65,536.
            let width = Int(bytes[place + 10]) << 8 | Int(bytes[place + 11])
            changed[place + 10] = UInt8((width + change) >> 8)
            changed[place + 11] = UInt8((width + change) & 255)
            let photo = try DepthPhoto(MemorySource(changed))
            var errors: [ContainerError] = []
            for plane in photo.planes {
                do throws(ContainerError) {
                    let codes = try photo.codes(of: plane, frame: .stored)
                    #expect((codes.width, codes.height) == (plane.width, plane.height))
                } catch {
                    errors.append(error)
                }
            }
            do throws(ContainerError) {
                let image = try photo.opaqueImage(frame: .stored)
                #expect((image.width, image.height) == (photo.description.width, photo.description.height))
            } catch {
                errors.append(error)
            }
            #expect(!errors.isEmpty, "\(place) \(change)")
            #expect(errors.allSatisfy { ["damaged", "malformed"].contains($0.code) }, "\(errors)")
        }
    }

    /// Bytes of the coded disparity are changed one after another. libde265 decodes some of the pictures in part, without an
    /// error: they are found by the pattern in its buffers, and only by that.
    @Test("Missing blocks of an HEVC picture are found, unless decoders must not change the process")
    func missingBlocks() throws {
        let bytes = try TestImages.bytes("portrait.heic")
        var unguarded = DecodingLimits()
        unguarded.changesProcess = false
        let whole = try DepthPhoto(MemorySource(bytes))
        let stored = try #require(whole.storedPlane(.disparity))
        let plane = stored.description
        #expect(
            try DepthPhoto(MemorySource(bytes), limits: unguarded).codes(of: plane) == whole.codes(of: plane))
        let container = try parseContainer(MemorySource(bytes), limits: DecodingLimits())
        guard case .picture(let coded) = try container.codedImage(at: stored.location) else {
            Issue.record("not one coded picture")
            return
        }
        let extent = try #require(coded.extents.first)
        var found = 0
        for offset in stride(from: extent.lowerBound + 8, to: extent.upperBound, by: 7) {
            var changed = bytes
            changed[offset] ^= 0x55
            do throws(ContainerError) {
                _ = try DepthPhoto(MemorySource(changed)).codes(of: plane)
            } catch {
                guard error.message.contains("not coded") else { continue }
                #expect(throws: Never.self) {
                    try DepthPhoto(MemorySource(changed), limits: unguarded).codes(of: plane)
                }
                found += 1
            }
        }
        #expect(found > 0)
    }

    private static func raster(_ format: RasterFormat, _ folder: TemporaryFolder) throws -> [UInt8] {
        let path = folder.file("plane")
        let raster = Raster(width: 40, height: 30, samples: .gray16((0..<1200).map { UInt16($0 * 7) }))
        let floats = Raster(width: 40, height: 30, samples: .float((0..<1200).map { Float($0 * 7) }))
        try OutputFile(path: path, replacesExisting: true).write { (descriptor) throws(WriteError) in
            try (format == .png ? raster : floats).write(as: format, to: descriptor)
        }
        return try folder.bytes(of: "plane")
    }

    @Test(
        "A raster that differs from its description is an error",
        arguments: [(RasterFormat.png, RasterFileFormat.png), (.tiff, .tiff), (.exr, .exr)])
    func otherRaster(format: RasterFormat, file: RasterFileFormat) throws {
        let bytes = try Self.raster(format, TemporaryFolder())
        let decoder = RasterDecoder(MemorySource(bytes), limits: DecodingLimits())
        let described = try decoder.describe(file)
        let expected: RasterSamples =
            format == .png
            ? .uint16((0..<1200).map { UInt16($0 * 7) }) : .float((0..<1200).map { Float($0 * 7) })
        #expect(try decoder.samples(of: described) == expected)
        for size in [(41, 30), (40, 29), (20, 60), (80, 60)] {
            var other = described
            (other.width, other.height) = size
            let error = try #require(throws: ContainerError.self) { _ = try decoder.samples(of: other) }
            #expect(error.code == "damaged", "\(error)")
        }
        #expect(decoder.diagnostics == [])
    }
}

/// Memory and pixels are limited where a library supports it.
@Suite("Library memory limits")
struct LibraryCapTests {
    private func limits(_ name: DecodingLimits.Name, _ value: Int) -> DecodingLimits {
        var limits = DecodingLimits()
        limits[name] = value
        return limits
    }

    private func expect(
        _ name: DecodingLimits.Name, _ value: Int, sourceLocation: SourceLocation = #_sourceLocation,
        _ work: (DecodingLimits) throws -> Void
    ) throws -> Int {
        let error = try #require(throws: ContainerError.self, sourceLocation: sourceLocation) {
            try work(limits(name, value))
        }
        guard case .limitExceeded(name, limit: value, let requested) = error.reason else {
            Issue.record("\(error)", sourceLocation: sourceLocation)
            return 0
        }
        return requested
    }

    @Test("libjxl's allocator refuses memory beyond the limit")
    func jpegXL() throws {
        let source = MemorySource(try TestImages.bytes("depth.jxl"))
        // Memory for the file and twice for the samples, and little more: version 0.7 makes only a few allocations.
        let container = try parseContainer(source, limits: DecodingLimits())
        let pixels = container.photo.codedWidth * container.photo.codedHeight
        let taken = 2 * 3 * pixels + source.byteCount
        let asked = try expect(.memoryBytes, taken + 1000) { limits in
            _ = try ImageDecoder(source, limits: limits).color(
                of: try container.codedImage(at: container.photo.location),
                width: container.photo.codedWidth, height: container.photo.codedHeight)
        }
        #expect(asked > taken + 1000)
    }

    /// A progressive JPEG image of 512 x 512 gray samples in two scans, of which only the first is present.
    private static let progressive: [UInt8] = {
        func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0xFF, marker, 0, UInt8(payload.count + 2)] + payload
        }
        let table: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
        return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + segment(0xC2, [8, 2, 0, 2, 0, 1, 1, 0x11, 0]) + segment(0xC4, [0x00] + table)
            + segment(0xDA, [1, 1, 0, 0, 0, 0]) + [UInt8](repeating: 0, count: 512) + [0xFF, 0xD9]
    }()

    @Test("The memory limit applies to libjpeg's coefficients of a progressive image")
    func progressive() throws {
        let bytes = Self.progressive
        let taken = 2 * 512 * 512 + bytes.count
        let asked = try expect(.memoryBytes, taken + 1000) { limits in
            _ = try ImageDecoder(MemorySource([]), limits: limits)
                .codes(of: .jpeg(.decoded(bytes)), width: 512, height: 512)
        }
        // 64 x 64 blocks of 64 coefficients of two bytes.
        #expect(asked == taken + 64 * 64 * 128)
        let whole = try ImageDecoder(
            MemorySource([]), limits: limits(.memoryBytes, taken + 64 * 64 * 128 + 100_000)
        ).codes(of: .jpeg(.decoded(bytes)), width: 512, height: 512)
        #expect(whole.codes == .uint8([UInt8](repeating: 128, count: 512 * 512)))
    }

    /// An OpenEXR file of one channel.
    private static func exr(width: Int, height: Int) throws -> MemorySource {
        let folder = TemporaryFolder()
        try OutputFile(path: folder.file("plane"), replacesExisting: true).write {
            (descriptor) throws(WriteError) in
            try Raster(
                width: width, height: height, samples: .float([Float](repeating: 1, count: width * height))
            ).write(as: .exr, to: descriptor)
        }
        return MemorySource(try folder.bytes(of: "plane"))
    }

    @Test("OpenEXR refuses rows and columns longer than the pixel limit")
    func exrSize() throws {
        for (width, height) in [(300, 2), (2, 300)] {
            let source = try Self.exr(width: width, height: height)
            #expect(
                try expect(.pixels, 250) { limits in
                    _ = try RasterDecoder(source, limits: limits).describe(.exr)
                } == 300)
        }
    }

    @Test("An OpenEXR chunk is checked against the memory limit before it is unpacked")
    func exrChunk() throws {
        let source = try Self.exr(width: 300, height: 16)
        let described = try RasterDecoder(source, limits: DecodingLimits()).describe(.exr)
        let asked = try expect(.memoryBytes, 2 * 300 * 16 * 4 + 1000) { limits in
            _ = try RasterDecoder(source, limits: limits).samples(of: described)
        }
        #expect(asked > 4 * 300 * 16 * 4)
    }

    /// A TIFF file of 4 x 4 gray samples of 8 bits: tags, types, counts and values, and data after them at byte 256.
    private static func tiff(_ entries: [(tag: Int, type: Int, value: Int)], data: [UInt8])
        -> MemorySource
    {
        var bytes = Array("II*\0".utf8) + littleEndian(8) + littleEndian(entries.count, 2)
        for entry in entries {
            bytes += littleEndian(entry.tag, 2) + littleEndian(entry.type, 2) + littleEndian(1)
            bytes += littleEndian(entry.value)
        }
        bytes += littleEndian(0)
        bytes += [UInt8](repeating: 0, count: 256 - bytes.count) + data
        return MemorySource(bytes)
    }

    private static let strip: [(tag: Int, type: Int, value: Int)] = [
        (256, 4, 4), (257, 4, 4), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 256), (277, 3, 1),
        (278, 4, 4), (279, 4, 16),
    ]

    @Test("Single allocations of libtiff are limited")
    func tiff() throws {
        let source = Self.tiff(Self.strip, data: [UInt8](0..<16))
        let decoder = RasterDecoder(source, limits: DecodingLimits())
        #expect(try decoder.samples(of: decoder.describe(.tiff)) == .uint8([UInt8](0..<16)))
        #expect(
            try expect(.metadataBytes, 100) { limits in
                _ = try RasterDecoder(source, limits: limits).describe(.tiff)
            } > 100)
    }

    @Test("A tile far larger than its image is refused before it is read")
    func tile() throws {
        let tiles =
            Self.strip.filter { ![273, 278, 279].contains($0.tag) }
            + [(322, 4, 32_768), (323, 4, 32_768), (324, 4, 256), (325, 4, 16)]
        let decoder = RasterDecoder(Self.tiff(tiles, data: [UInt8](0..<16)), limits: DecodingLimits())
        let described = try decoder.describe(.tiff)
        let error = try #require(throws: ContainerError.self) { _ = try decoder.samples(of: described) }
        #expect(
            error.reason
                == .damaged(
                    detail: "the decoder requests 1073741824 bytes, more than an image of this size needs"))
        let source = Self.tiff(tiles, data: [UInt8](0..<16))
        #expect(
            try expect(.memoryBytes, 1 << 25) { limits in
                _ = try RasterDecoder(source, limits: limits).samples(of: described)
            } == 1 << 30 + 32)
    }

    @Test("A libtiff warning becomes a diagnostic")
    func tiffWarning() throws {
        var entries = Self.strip
        entries.swapAt(0, 1)
        let decoder = RasterDecoder(
            Self.tiff(entries, data: [UInt8](0..<16)), limits: DecodingLimits())
        _ = try decoder.describe(.tiff)
        #expect(decoder.diagnostics.count == 1)
        #expect(decoder.diagnostics.first?.message.contains("tags are not sorted in ascending order") == true)
    }

    /// A PNG file of 2 x 1 gray samples, with `more` between header and image data.
    private static func png(_ more: [UInt8] = [], surplus: [UInt8] = []) -> MemorySource {
        MemorySource(
            HandMadePNG.bytes(
                header: [0, 0, 0, 2, 0, 0, 0, 1, 8, 0, 0, 0, 0], [0, 10, 20], more, surplus: surplus))
    }

    @Test("A libpng warning becomes a diagnostic and leaves samples unchanged")
    func pngWarning() throws {
        let decoder = RasterDecoder(Self.png(surplus: [1, 2, 3]), limits: DecodingLimits())
        #expect(try decoder.samples(of: decoder.describe(.png)) == .uint8([10, 20]))
        #expect(decoder.diagnostics.count == 1)
        #expect(decoder.diagnostics.first?.message.contains("IDAT") == true)
        let fine = RasterDecoder(Self.png(), limits: DecodingLimits())
        #expect(try fine.samples(of: fine.describe(.png)) == .uint8([10, 20]))
        #expect(fine.diagnostics == [])
    }

    @Test("libpng skips compressed text and color profiles beyond the metadata limit")
    func pngChunks() throws {
        // The text is not a zlib stream, so unpacking it would give a warning.
        let text = HandMadePNG.chunk("zTXt", Array("Comment".utf8) + [0, 0, 0x55, 0x55])
        let decoder = RasterDecoder(Self.png(text), limits: DecodingLimits())
        _ = try decoder.color(of: decoder.describe(.png))
        #expect(decoder.diagnostics == [])
        // A profile starts with its size.
        let profile: [UInt8] = [0, 0, 0x20, 0] + [UInt8](repeating: 0, count: 8188)
        let chunk = HandMadePNG.chunk("iCCP", Array("ICC".utf8) + [0, 0] + HandMadePNG.stored(profile))
        let capped = RasterDecoder(Self.png(chunk), limits: limits(.metadataBytes, 4096))
        #expect(try capped.color(of: capped.describe(.png)).colorProfile == [])
        #expect(capped.diagnostics.count == 1 && capped.diagnostics[0].message.contains("iCCP"))
    }
}
