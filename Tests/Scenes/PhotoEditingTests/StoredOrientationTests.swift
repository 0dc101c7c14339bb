import Bytes
import DepthMaps
import DepthTypes
import HEVCEncoding
import PhotoBuilders
import PhotoEditing
import PhotoFormats
import PhotoWriting
import Scenes
import TestSupport
import Testing

/// HEIF photos that `irot` and `imir` turn in all eight ways.
@Suite("Depth in HEIF photos of every orientation")
struct StoredOrientationTests {
    /// The properties that turn stored pixels as an Exif orientation does (ISO/IEC 23008-12 §6.5.10, 6.5.12; CIPA DC-008): `irot`
    /// counterclockwise first, then `imir`.
    private static let properties: [Orientation: (turns: UInt8, mirror: ItemProperty.MirrorDirection?)] = [
        .up: (0, nil), .upMirrored: (0, .leftRight), .down: (2, nil), .downMirrored: (0, .topBottom),
        .leftMirrored: (3, .leftRight), .right: (3, nil), .rightMirrored: (1, .leftRight), .left: (1, nil),
    ]

    /// A gray photo of 192 × 144, brighter to the right and down in its stored pixels.
    private func photo(_ orientation: Orientation) throws -> [UInt8] {
        let (turns, mirror) = try #require(Self.properties[orientation])
        var samples: [UInt8] = []
        for row in 0..<144 {
            for column in 0..<192 { samples.append(UInt8(column / 2 + row / 2)) }
        }
        let picture = LosslessHEVCPicture(width: 192, height: 144, samples: samples)
        var file = HEIFFileBuilder()
        var properties: [ItemProperty] = [
            .hevcConfiguration(picture.configuration), .imageSpatialExtents(width: 192, height: 144),
        ]
        if turns > 0 { properties.append(.rotation(counterclockwiseQuarterTurns: turns)) }
        if let mirror { properties.append(.mirror(mirror)) }
        file.primaryItem = file.add(.hevcImage(nalUnits: picture.data, properties: properties))
        return try file.serialized()
    }

    private func map(_ orientation: Orientation) -> DepthMap {
        let size = orientation.size(width: 48, height: 36)
        var values: [Float] = []
        for row in 0..<size.height {
            for column in 0..<size.width { values.append(1 + Float(column) / 40 + Float(row) / 9) }
        }
        return DepthMap(
            width: size.width, height: size.height, meters: values, scale: .absolute,
            calibration: CameraCalibration(
                focalLengthX: 51.5, focalLengthY: 52.25, principalPointX: 17.25, principalPointY: 20.75,
                width: size.width, height: size.height))
    }

    private func expectSame(_ result: DepthPhoto, _ map: DepthMap, camera: Bool = true) throws {
        let found = try DepthScene(result).depth()
        #expect((found.width, found.height) == (map.width, map.height))
        let range = (map.meters.max() ?? 0) - (map.meters.min() ?? 0)
        let half = range / 255 / 2 * 1.001
        #expect(zip(found.meters, map.meters).allSatisfy { abs($0 - $1) <= half })
        guard camera else { return }
        let (new, old) = (try #require(found.calibration), try #require(map.calibration))
        #expect(abs(new.focalLengthX - old.focalLengthX) < 1e-6)
        #expect(abs(new.focalLengthY - old.focalLengthY) < 1e-6)
        #expect(abs(new.principalPointX - old.principalPointX) < 1e-6)
        #expect(abs(new.principalPointY - old.principalPointY) < 1e-6)
    }

    @Test(
        "A map given upright is turned to the photo's stored pixels, and its camera with it",
        arguments: Orientation.allCases)
    func embedded(orientation: Orientation) throws {
        let bytes = try photo(orientation)
        #expect(try DepthPhoto(MemorySource(bytes)).description.orientation == orientation)
        let map = map(orientation)
        var edit = PhotoEdit(form: .appleHEIC)
        edit.depth = try DecodedPlane(map).coded(DepthCoding())
        let result = try DepthPhoto(MemorySource(edit.apply(to: bytes).bytes))
        #expect(result.description.orientation == orientation)
        let plane = try result.describe().requirePlane(nil)
        #expect((plane.width, plane.height, plane.orientation) == (48, 36, orientation))
        try expectSame(result, map)
    }

    @Test(
        "Converted to JPEG, Exif turns photo and map as irot and imir did", arguments: Orientation.allCases,
        [DepthForm.appleJPEG, .gDepth, .dynamicDepth])
    func converted(orientation: Orientation, form: DepthForm) throws {
        let map = map(orientation)
        var edit = PhotoEdit(form: .appleHEIC)
        edit.depth = try DecodedPlane(map).coded(DepthCoding())
        let bytes = try edit.apply(to: photo(orientation)).bytes
        let before = try DepthPhoto(MemorySource(bytes))
        let edited = try PhotoConversion(form: form).convert(DepthScene(before), photo: bytes)
        let after = try DepthPhoto(MemorySource(edited.bytes))
        #expect(after.description.orientation == orientation)
        let stored = after.description
        #expect((stored.width, stored.height) == (192, 144))
        try expectSame(after, map, camera: form != .gDepth)
        // The ramp is linear, so that quality 92 keeps it to a few codes.
        guard case .uint8(let new) = try after.image().pixels,
            case .uint8(let old) = try before.image().pixels
        else { return }
        let off: [Int] = zip(new, old).map { abs(Int($0.green) - Int($1.green)) }
        #expect((off.max() ?? 99) <= 4)
    }
}
