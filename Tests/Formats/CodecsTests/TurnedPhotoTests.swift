import Bytes
import DepthMaps
import DepthTypes
import HEVCEncoding
import PhotoBuilders
import PhotoFormats
import PhotoWriting
import Scenes
import TestSupport
import Testing

/// HEIF files whose pictures are stored rotated, or declared to be.
@Suite("Photos that are stored turned")
struct TurnedPhotoTests {
    private static func picture(
        width: Int, height: Int, samples: [UInt8], properties: [ItemProperty]
    ) -> HEIFItem {
        let coded = LosslessHEVCPicture(width: width, height: height, samples: samples)
        return .hevcImage(
            nalUnits: coded.data,
            properties: [
                .hevcConfiguration(coded.configuration),
                .imageSpatialExtents(width: UInt32(width), height: UInt32(height)),
            ] + properties)
    }

    /// The samples of a picture of noise; column 0 is `shift` columns to the left of the noise's.
    private static func noise(width: Int, height: Int, shift: Int) -> [UInt8] {
        (0..<width * height).map { index in
            var random = SplitMix(seed: UInt64(index / width * 1000 + index % width + shift + 100))
            return UInt8(truncatingIfNeeded: random.next())
        }
    }

    /// A spatial photo of a wall at 2.1667 m that is stored upside down. The right picture shows the wall 6 pixels farther to the left; with
    /// a focal length of 1.25 · 160 = 200 pixels and 65 mm between the eyes, 6 / (200 · 0.065) is 0.46154 1/m.
    private static func spatialPhoto(micrometers: Int) throws -> DepthPhoto {
        var file = HEIFFileBuilder()
        let turn = ItemProperty.rotation(counterclockwiseQuarterTurns: 2)
        let camera = ItemProperty.cameraIntrinsics(focalLength: 1.25, principalPoint: [0.5, 0.5])
        let eyes = [(0, 0), (6, micrometers)].map { shift, position in
            file.add(
                picture(
                    width: 160, height: 120,
                    samples: noise(width: 160, height: 120, shift: shift).reversed(),
                    properties: [turn, camera, .cameraPosition(micrometers: position)]))
        }
        file.addGroup("ster", of: eyes)
        file.primaryItem = eyes[0]
        return try DepthPhoto(MemorySource(try file.serialized()))
    }

    @Test("Stereo of pictures stored upside down is matched upright", arguments: [65_000, -65_000])
    func stereo(micrometers: Int) throws {
        let photo = try Self.spatialPhoto(micrometers: micrometers)
        let stereo = try StereoDepth(
            DepthScene(photo), #require(photo.description.stereo), limits: DecodingLimits())
        let map = stereo.disparityMap()
        let median = try #require(map.percentiles([0.5])?.first)
        // A tenth of a pixel of six.
        #expect(abs(median - 0.46154) < 0.008)
        #expect(map.scale == .relative)
        let stored = stereo.disparityMap(frame: .stored)
        #expect(
            stored.reciprocalMeters.elementsEqual(map.reciprocalMeters.reversed()) { $0 == $1 || $0 != $0 })
        #expect(stereo.plane.orientation == .down)
    }

    @Test("A pair whose every match is at infinity is an error")
    func allAtInfinity() throws {
        var file = HEIFFileBuilder()
        let camera = ItemProperty.cameraIntrinsics(focalLength: 1.25, principalPoint: [0.5, 0.5])
        // The eyes are swapped: near objects are shifted in the wrong direction.
        let eyes = [(6, 0), (0, 65_000)].map { shift, position in
            file.add(
                Self.picture(
                    width: 160, height: 120, samples: Self.noise(width: 160, height: 120, shift: shift),
                    properties: [camera, .cameraPosition(micrometers: position)]))
        }
        file.addGroup("ster", of: eyes)
        file.primaryItem = eyes[0]
        let photo = try DepthPhoto(MemorySource(try file.serialized()))
        let pair = try #require(photo.description.stereo)
        let error = #expect(throws: (any Error).self) {
            try StereoDepth(DepthScene(photo), pair, limits: DecodingLimits())
        }
        #expect(error.map { "\($0)" }?.contains("at infinity") == true)
    }

    private static func file(exif orientation: UInt16, properties: [ItemProperty] = []) throws -> [UInt8] {
        var file = HEIFFileBuilder()
        let photo = file.add(
            picture(
                width: 16, height: 8, samples: (0..<128).map { UInt8($0) }, properties: properties))
        let exif = file.add(.exif(tiff: try ExifBlock(orientation: orientation).serialized()))
        file.addReference(.contentDescription, from: exif, to: [photo])
        file.primaryItem = photo
        return try file.serialized()
    }

    /// ISO/IEC 23008-12, A.2.1: "irot" and "imir" apply, and Exif is ignored.
    @Test("Exif's orientation of a HEIF file without 'irot' is remarked on and not used")
    func exifOnly() throws {
        let photo = try DepthPhoto(MemorySource(try Self.file(exif: 6)))
        #expect(photo.description.orientation == .up)
        let remark = try #require(photo.diagnostics.first)
        #expect(remark.code == .assumedOrientation)
        #expect(remark.message.contains("--orientation 6"))
        #expect(try DepthPhoto(MemorySource(try Self.file(exif: 1))).diagnostics.isEmpty)
        let turned = try Self.file(exif: 6, properties: [.rotation(counterclockwiseQuarterTurns: 3)])
        #expect(try DepthPhoto(MemorySource(turned)).diagnostics.isEmpty)
    }

    /// Exif 6 is a quarter turn clockwise: the first stored column, from the bottom up, becomes the first row.
    @Test("An orientation that is given takes the place of the file's", arguments: [0, 3] as [UInt8])
    func given(quarterTurns: UInt8) throws {
        let bytes = try Self.file(
            exif: 1, properties: [.rotation(counterclockwiseQuarterTurns: quarterTurns)])
        var reading = ReadingOptions()
        reading.orientation = .right
        let input = try DepthScene(storedIn: MemorySource(bytes), reading: reading)
        let image = try #require(try input.picture(atLeast: nil))
        #expect((image.width, image.height) == (8, 16))
        guard case .uint8(let pixels) = image.pixels else { return }
        #expect(pixels[0..<8].map(\.red) == [112, 96, 80, 64, 48, 32, 16, 0])
    }

    /// Transforms apply in the order in which an item lists them (ISO/IEC 23008-12 §6.5.1): here the picture is turned
    /// first, so that its right column becomes the top row, and then cut.
    @Test("A clean aperture after a rotation is a part of the turned picture")
    func apertureOfTurned() throws {
        let turn = ItemProperty.rotation(counterclockwiseQuarterTurns: 1)
        let aperture = ItemProperty.cleanAperture(width: 2, height: 4, right: 1, down: -2)
        let item = Self.picture(
            width: 8, height: 4, samples: (0..<32).map { UInt8($0 / 8 * 10 + $0 % 8) },
            properties: [turn, aperture])
        var file = HEIFFileBuilder()
        file.primaryItem = file.add(item)
        let image = try DepthPhoto(MemorySource(try file.serialized())).opaqueImage()
        #expect((image.width, image.height) == (2, 4))
        #expect(image.eightBitPixels.map(\.red) == [27, 37, 26, 36, 25, 35, 24, 34])
    }
}
