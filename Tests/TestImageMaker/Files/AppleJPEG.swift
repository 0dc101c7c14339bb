import PhotoWriting

/// A JPEG as iPhones write it: the photo, then a gray JPEG for each plane.
enum AppleJPEG {
    static func file(
        photo: Raster, planes: [Plane], posture: Posture, quality: Int = 88
    ) throws -> [UInt8] {
        let picture = MultiPictureJPEG.Picture(
            jpeg: try JPEGEncoder.encode(posture.stored(photo), quality: quality),
            exif: try posture.exif.serialized(), iccProfile: ICCProfile.displayP3)
        var file = MultiPictureJPEG(primary: picture)
        for plane in planes {
            let coded = try JPEGEncoder.encode(plane.raster, quality: 100)
            file.auxiliaries.append(.init(jpeg: coded, xmp: try plane.packet.serialized()))
        }
        return try file.serialized()
    }
}
