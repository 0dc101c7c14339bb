import PhotoBuilders
import PhotoWriting

/// A HEIC with two pictures in a stereo group, as Apple's spatial photos are.
enum SpatialHEIC {
    /// Left and right, with cameras in `cmin` and `cmex`, or in the `uuid` properties of the first headset.
    static func file(left: Raster, right: Raster, asUUID: Bool) throws -> [UInt8] {
        var file = HEIFFileBuilder()
        let micrometers = Int((StereoScene.baseline * 1_000_000).rounded())
        let first = try add(left, position: 0, asUUID, to: &file)
        let second = try add(right, position: micrometers, asUUID, to: &file)
        file.primaryItem = first
        file.addGroup("ster", of: [first, second])
        try addExif(Posture.level.exif, of: first, to: &file)
        return try file.serialized()
    }

    /// One picture, and what `adding` puts beside it.
    static func plain(
        _ photo: Raster, exif: ExifBlock,
        adding: (inout HEIFFileBuilder, ItemID) throws -> Void = { _, _ in }
    ) throws -> [UInt8] {
        var file = HEIFFileBuilder()
        let item = try add(photo, [], to: &file)
        file.primaryItem = item
        try addExif(exif, of: item, to: &file)
        try adding(&file, item)
        return try file.serialized()
    }

    private static func addExif(
        _ exif: ExifBlock, of item: ItemID, to file: inout HEIFFileBuilder
    ) throws {
        let id = file.add(.exif(tiff: try exif.serialized()))
        file.addReference(.contentDescription, from: id, to: [item])
    }

    private static func add(
        _ photo: Raster, position: Int, _ asUUID: Bool, to file: inout HEIFFileBuilder
    ) throws -> ItemID {
        let size = SIMD2(Double(Camera.width), Double(Camera.height))
        let point = SIMD2(Camera.principalPoint.x, Camera.principalPoint.y) / size
        var camera = [
            ItemProperty.cameraIntrinsics(
                focalLength: Camera.focalLength / size.x, principalPoint: point),
            ItemProperty.cameraPosition(micrometers: position),
        ]
        if asUUID {
            for (index, uuid) in [intrinsicsUUID, positionUUID].enumerated() {
                camera[index] = ItemProperty(
                    type: "uuid", payload: uuid + camera[index].payload, isEssential: false)
            }
        }
        return try add(photo, camera, to: &file)
    }

    private static func add(
        _ photo: Raster, _ more: [ItemProperty], to file: inout HEIFFileBuilder
    ) throws -> ItemID {
        let coded = try PictureEncoder.encode(photo, .lossy(quality: 62))
        let properties: [ItemProperty] = [
            .hevcConfiguration(coded.configuration),
            .imageSpatialExtents(width: UInt32(photo.width), height: UInt32(photo.height)),
            .colorInformation(iccProfile: ICCProfile.displayP3),
            try .pixelInformation(bitsPerChannel: [8, 8, 8]),
        ]
        return file.add(.hevcImage(nalUnits: coded.data, properties: properties + more))
    }

    private static let intrinsicsUUID: [UInt8] = [
        0x22, 0xCC, 0x04, 0xC7, 0xD6, 0xD9, 0x4E, 0x07, 0x9D, 0x90, 0x4E, 0xB6, 0xEC, 0xBA, 0xF3, 0xA3,
    ]
    private static let positionUUID: [UInt8] = [
        0x43, 0x63, 0xE9, 0x14, 0x5B, 0x7D, 0x4A, 0xAB, 0x97, 0xAE, 0xBE, 0xA6, 0x98, 0x03, 0xB4, 0x34,
    ]
}
