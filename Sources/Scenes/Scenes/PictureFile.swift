package import Bytes
internal import Codecs
package import DepthMaps
internal import DepthTypes
internal import PhotoFormats
internal import RasterFormats

/// Any picture that can be read, from a photo (JPEG, HEIF, AVIF, JPEG XL) or a color raster (PNG, TIFF, PGM, PPM), behind one
/// interface.
///
/// Opening one reads structure only. If the file has several images, this is the one that it declares as the default,
/// otherwise the first.
package struct PictureFile: Sendable {
    private indirect enum Content: Sendable {
        case photo(DepthPhoto)
        case raster(RasterDescription, RasterDecoder)
    }

    private let content: Content

    /// Opens a file, recognized by its bytes and never by its name.
    ///
    /// Throws ``ContainerError`` when the file cannot be read, is not a picture, or is broken beyond use.
    package init(contentsOf path: String, limits: DecodingLimits = DecodingLimits()) throws(ContainerError) {
        try self.init(FileSource(path: path, limits: limits), limits: limits)
    }

    /// Reads the structure of a picture in memory or in any other source.
    package init(_ source: any ByteSource, limits: DecodingLimits = DecodingLimits()) throws(ContainerError) {
        let start = try source.readPrefix(at: 0, count: 16)
        if let format = ForeignFormat(start) { throw Self.unrecognized("this is \(format.name)") }
        // Photos are tried first, because a DNG is a TIFF file, too.
        do throws(ContainerError) {
            content = .photo(try DepthPhoto(source, limits: limits))
        } catch {
            guard case .unrecognized = error.reason else { throw error }
            guard let format = RasterFileFormat(recognizing: start) else {
                throw Self.unrecognized("this is not a picture that can be read")
            }
            let decoder = RasterDecoder(source, limits: limits)
            content = .raster(try decoder.describe(format), decoder)
            if let failure = source.failure { throw failure }
        }
    }

    /// The picture of a photo.
    init(_ photo: DepthPhoto) {
        content = .photo(photo)
    }

    /// The picture of a raster.
    init(_ raster: RasterDescription, _ decoder: RasterDecoder) {
        content = .raster(raster, decoder)
    }

    /// The name of the file's format, as in `info --json`.
    package var format: String {
        switch content {
        case .photo(let photo): photo.format.rawValue
        case .raster(let raster, _): raster.format.rawValue
        }
    }

    /// The photo, with planes and metadata; `nil` for a raster.
    package var photo: DepthPhoto? {
        if case .photo(let photo) = content { photo } else { nil }
    }

    /// The focal length of a full-frame camera with the same diagonal field of view, in millimeters; `nil` unless Exif states
    /// it.
    var focalLength35mm: Int? { photo?.description.focalLength35mm }

    /// Whether the picture has an alpha channel, so that parts of it may be transparent.
    package var hasAlpha: Bool {
        switch content {
        case .photo(let photo): photo.plane(.alpha).map { $0.readError == nil } ?? false
        case .raster(let raster, _): raster.alpha != nil
        }
    }

    /// The size, upright or as stored.
    package func size(_ frame: PixelOrientation = .upright) -> (width: Int, height: Int) {
        switch content {
        case .photo(let photo):
            let size = photo.description
            return frame == .stored
                ? (size.width, size.height) : size.orientation.size(width: size.width, height: size.height)
        case .raster(let raster, _):
            return frame == .stored
                ? (raster.width, raster.height)
                : raster.orientation.size(width: raster.width, height: raster.height)
        }
    }

    /// How stored pixels are turned upright.
    var orientation: Orientation {
        switch content {
        case .photo(let photo): photo.description.orientation
        case .raster(let raster, _): raster.orientation
        }
    }

    /// The picture with its ICC profile. If it ``hasAlpha``, it is composited over white in linear light.
    ///
    /// Gray with a profile, and CMYK, are converted to sRGB. Throws when samples cannot be read.
    package func image(frame: PixelOrientation = .upright) throws(ContainerError) -> ColorImage {
        guard !hasAlpha else {
            let image = try translucentImage(frame: frame)
            return image.overWhite(curve: TransferFunction(profile: image.colorProfile) ?? .sRGB)
        }
        switch content {
        case .photo(let photo): return try photo.image(frame: frame)
        case .raster(let raster, let decoder):
            let image = try decoder.color(of: raster)
            return frame == .upright ? image.oriented(by: raster.orientation) : image
        }
    }

    /// The picture at full size, or reduced if that is faster to decode and still at least `width` × `height` pixels in
    /// that frame, as ``DepthPhoto/image(frame:atLeastWidth:height:)`` does.
    package func image(
        frame: PixelOrientation = .upright, atLeastWidth width: Int, height: Int
    ) throws(ContainerError) -> ColorImage {
        guard !hasAlpha, case .photo(let photo) = content else { return try image(frame: frame) }
        return try photo.image(frame: frame, atLeastWidth: width, height: height)
    }

    /// The stored pixels, to be decoded into the caller's memory, at full size or reduced as by
    /// ``image(frame:atLeastWidth:height:)``; `nil` unless the file is a JPEG or PNG in 8-bit sRGB.
    package func storedPixels(
        atLeastWidth width: Int? = nil, height: Int? = nil
    ) throws(ContainerError) -> StoredPixels? {
        guard !hasAlpha else { return nil }
        return switch content {
        case .photo(let photo): try photo.storedPixels(atLeastWidth: width, height: height)
        case .raster(let raster, let decoder): StoredPixels(decoder, raster)
        }
    }

    /// The extension of the file's format, if every program shows the pixels as they are stored: a JPEG or PNG file in 8-bit
    /// sRGB that no metadata turns; `nil` for others.
    package var plainExtension: String? {
        guard orientation == .up, (try? storedPixels()) != nil else { return nil }
        return PictureFormat(rawValue: format)?.fileExtension
    }

    /// The picture with its alpha, not premultiplied; opaque if alpha is missing.
    ///
    /// Throws when samples cannot be read.
    package func translucentImage(frame: PixelOrientation = .upright) throws(ContainerError)
        -> RGBAImage
    {
        switch content {
        case .photo(let photo):
            let image = try photo.image(frame: frame)
            guard let plane = photo.plane(.alpha) else { return RGBAImage(image) }
            let translucent = RGBAImage(image, alpha: Matte(try photo.codes(of: plane, frame: frame)))
            return plane.isPremultiplied ? translucent.straight : translucent
        case .raster(let raster, let decoder):
            let image = try decoder.translucent(of: raster)
            return frame == .upright ? image.oriented(by: raster.orientation) : image
        }
    }

    private static func unrecognized(_ message: String) -> ContainerError {
        ContainerError(
            .unrecognized(
                detail: message
                    + "; pictures are read from JPEG, HEIF, AVIF, JPEG XL, PNG, TIFF, PGM and PPM files"))
    }
}
