import PhotoBuilders
import PhotoWriting

/// An AVIF with depth of 12 bits and alpha beside the photo; nothing says what the depth's codes mean.
enum DepthAVIF {
    private static let auxiliary = "urn:mpeg:mpegB:cicp:systems:auxiliary:"

    static func file(_ photo: Raster) throws -> [UInt8] {
        var file = HEIFFileBuilder(majorBrand: "avif", compatibleBrands: ["mif1", "miaf", "avif"])
        let coded = try PictureEncoder.encode(photo, .lossy(quality: 62), as: .av1)
        let primary = file.add(
            .av1Image(
                data: coded.data,
                properties: [
                    .av1Configuration(coded.configuration),
                    .imageSpatialExtents(width: UInt32(photo.width), height: UInt32(photo.height)),
                    .colorInformation(iccProfile: ICCProfile.displayP3),
                    try .pixelInformation(bitsPerChannel: [8, 8, 8]),
                ]))
        file.primaryItem = primary
        let exif = file.add(.exif(tiff: try Posture.level.exif.serialized()))
        file.addReference(.contentDescription, from: exif, to: [primary])
        let depth = Render.deepPlane(
            width: reduced(192), height: reduced(144), bitDepth: 12, Render.distanceShare)
        let alpha = try Plane.portraitMatte(.level).raster
        let planes = [
            ("depth", reduced(192), reduced(144), 12, try PictureEncoder.encode(depth, as: .av1)),
            ("alpha", alpha.width, alpha.height, 8, try PictureEncoder.encode(alpha, .lossless, as: .av1)),
        ]
        for (name, width, height, bitDepth, coded) in planes {
            let properties: [ItemProperty] = [
                .av1Configuration(coded.configuration),
                .imageSpatialExtents(width: UInt32(width), height: UInt32(height)),
                try .pixelInformation(bitsPerChannel: [UInt8(bitDepth)]),
                try .auxiliaryType(auxiliary + name),
            ]
            let item = file.add(.av1Image(data: coded.data, isHidden: true, properties: properties))
            file.addReference(.auxiliary, from: item, to: [primary])
        }
        return try file.serialized()
    }
}
