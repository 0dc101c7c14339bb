import PhotoBuilders
import PhotoWriting

/// A HEIC as iPhones write it: a photo of tiles, hidden planes beside it, and an XMP item for each of them.
enum AppleHEIC {
    private static let tileSide = reduced(512)

    static func file(photo: Raster, planes: [Plane], posture: Posture) throws -> [UInt8] {
        // MiHE is the brand for HEVC's range extensions, which monochrome needs.
        let brands: [FourCC] =
            planes.isEmpty ? ["mif1", "miaf", "MiHB", "heic"] : ["mif1", "MiHE", "miaf", "MiHB", "heic"]
        var file = HEIFFileBuilder(compatibleBrands: brands)
        let rotation = ItemProperty.rotation(
            counterclockwiseQuarterTurns: posture.counterclockwiseQuarterTurns)
        let primary = try addPhoto(posture.stored(photo), rotation, to: &file)
        file.primaryItem = primary
        let exif = file.add(.exif(tiff: try posture.exif.serialized()))
        file.addReference(.contentDescription, from: exif, to: [primary])
        for plane in planes {
            try add(plane, rotation, of: primary, to: &file)
        }
        return try file.serialized()
    }

    private static func addPhoto(
        _ photo: Raster, _ rotation: ItemProperty, to file: inout HEIFFileBuilder
    ) throws -> ItemID {
        let color = ItemProperty.colorInformation(iccProfile: ICCProfile.displayP3)
        let depth = try ItemProperty.pixelInformation(bitsPerChannel: [8, 8, 8])
        let rows = (photo.height + tileSide - 1) / tileSide
        let columns = (photo.width + tileSide - 1) / tileSide
        let side = UInt32(tileSide)
        var tiles: [ItemID] = []
        for index in 0..<rows * columns {
            let origin = (x: index % columns * tileSide, y: index / columns * tileSide)
            let tile = photo.tile(x: origin.x, y: origin.y, side: tileSide)
            let coded = try PictureEncoder.encode(tile, .lossy(quality: 62))
            let properties: [ItemProperty] = [
                .hevcConfiguration(coded.configuration), .imageSpatialExtents(width: side, height: side),
                color,
                depth,
            ]
            tiles.append(
                file.add(.hevcImage(nalUnits: coded.data, isHidden: true, properties: properties)))
        }
        let extents = ItemProperty.imageSpatialExtents(
            width: UInt32(photo.width), height: UInt32(photo.height))
        let primary = file.add(
            .grid(
                rows: rows, columns: columns, width: photo.width, height: photo.height,
                properties: [color, extents, depth, rotation]))
        file.addReference(.derivedImage, from: primary, to: tiles)
        return primary
    }

    private static func add(
        _ plane: Plane, _ rotation: ItemProperty, of primary: ItemID, to file: inout HEIFFileBuilder
    ) throws {
        let coded = try PictureEncoder.encode(plane.raster, .lossless)
        let size = (width: UInt32(plane.raster.width), height: UInt32(plane.raster.height))
        let properties: [ItemProperty] = [
            .hevcConfiguration(coded.configuration),
            .imageSpatialExtents(width: size.width, height: size.height),
            try .pixelInformation(bitsPerChannel: [8]), try .auxiliaryType(plane.urn, subtype: plane.subtype),
            rotation,
        ]
        let image = file.add(.hevcImage(nalUnits: coded.data, isHidden: true, properties: properties))
        file.addReference(.auxiliary, from: image, to: [primary])
        let metadata = file.add(.xmp(try plane.packet.serialized()))
        file.addReference(.contentDescription, from: metadata, to: [image])
    }
}
