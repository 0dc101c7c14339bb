package import Bytes
internal import Codecs
package import DepthMaps
package import DepthTypes
internal import Effects
internal import PhotoFormats
internal import RasterFormats

/// Opens any picture that can be read, recognized by its bytes and never by its name: a photo (JPEG, HEIF, AVIF, JPEG XL) or a
/// raster (PNG, TIFF, PGM, PPM), gray or in color. Reads the structure only. If the file has several images, this is the one
/// that it declares as the default, otherwise the first.
///
/// Throws ``ContainerError`` when the file cannot be read, is not a picture, or is broken beyond use.
package func openPicture(
    _ path: String, limits: DecodingLimits = DecodingLimits()
) throws(ContainerError) -> any SceneSource {
    try openPicture(FileSource(path: path, limits: limits), limits: limits)
}

/// Opens a picture in memory or in any other source.
package func openPicture(
    _ source: any ByteSource, limits: DecodingLimits = DecodingLimits()
) throws(ContainerError) -> any SceneSource {
    func unrecognized(_ message: String) -> ContainerError {
        ContainerError(
            .unrecognized(
                detail: message
                    + "; pictures are read from JPEG, HEIF, AVIF, JPEG XL, PNG, TIFF, PGM and PPM files"))
    }
    let start = try source.readPrefix(at: 0, count: 16)
    if let format = ForeignFormat(start) { throw unrecognized("this is \(format.name)") }
    // Photos are tried first, because a DNG is a TIFF file, too.
    do throws(ContainerError) {
        return try DepthPhoto(source, limits: limits)
    } catch {
        guard case .unrecognized = error.reason else { throw error }
        guard let format = RasterFileFormat(recognizing: start) else {
            throw unrecognized("this is not a picture that can be read")
        }
        return try DepthRaster(pictureIn: source, format: format, limits: limits)
    }
}

extension SceneSource {
    /// The picture; its opacity is treated as requested. Throws ``SceneError/noPicture`` without one, ``ContainerError`` when
    /// it cannot be read.
    package func picture(_ request: PlaneRequest = PlaneRequest()) throws -> DecodedPlane {
        var plane = DecodedPlane()
        try decode(.picture, as: request, into: &plane)
        guard !plane.isEmpty else { throw SceneError.noPicture }
        return plane
    }

    /// The colors of the picture, laid over white where they are not opaque. Throws as ``picture(_:)`` does.
    package func image(frame: PixelOrientation = .upright, atLeast size: PixelSize? = nil) throws
        -> ColorImage
    {
        guard let image = try picture(PlaneRequest(frame: frame, atLeast: size)).image else {
            throw SceneError.noPicture
        }
        return image
    }

    /// The picture with its opacity. Throws as ``picture(_:)`` does.
    package func translucentImage(frame: PixelOrientation = .upright) throws -> RGBAImage {
        guard let image = try picture(PlaneRequest(frame: frame, .kept)).translucent else {
            throw SceneError.noPicture
        }
        return image
    }

    /// The picture as a matte: its opacity if it has any, else its gray. Throws as ``picture(_:)`` does.
    package func matte() throws -> Matte {
        switch try picture(PlaneRequest(.kept)).content {
        case .translucent(let image): Matte(opacityOf: image)
        case .color(let image): Matte(grayOf: image)
        default: throw SceneError.noPicture
        }
    }
}
