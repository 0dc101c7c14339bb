package import ByteParsing
package import DepthCore
internal import DepthModel
internal import ImageCodecs
internal import ImageContainers
internal import RasterContainers

/// Any picture that can be read, whatever it is kept in: a photo (JPEG, HEIF, AVIF, JPEG XL) or a raster of colors (PNG, TIFF, PGM,
/// PPM), behind one interface.
///
/// Opening one reads structure only. Of several images in a file it is the first, or the one that the file says is
/// shown by default.
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

    /// Reads the structure of a picture in memory, or in any other place.
    package init(_ source: any ByteSource, limits: DecodingLimits = DecodingLimits()) throws(ContainerError) {
        let start = try source.readPrefix(at: 0, count: 16)
        if let format = ForeignFormat(start) { throw Self.unrecognized("this is \(format.name)") }
        // A DNG is a TIFF file, too, so photos come first.
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

    /// The picture that a photo is.
    init(_ photo: DepthPhoto) {
        content = .photo(photo)
    }

    /// The picture that a raster is.
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

    /// The photo, where it is one: with planes and metadata.
    package var photo: DepthPhoto? {
        if case .photo(let photo) = content { photo } else { nil }
    }

    /// The focal length of a full-frame camera with the same diagonal field of view, in millimeters; `nil` where no Exif
    /// gives it.
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

    /// The picture with its ICC profile; where it ``hasAlpha``, it is laid over white in linear light.
    ///
    /// Gray with a profile of its own and four inks (CMYK) come out as sRGB. Throws when samples cannot be read.
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

    /// The picture at its own size, or at less where that is quicker to decode and still at least `width` × `height`
    /// pixels in that frame, as ``DepthPhoto/image(frame:atLeastWidth:height:)`` has it.
    package func image(
        frame: PixelOrientation = .upright, atLeastWidth width: Int, height: Int
    ) throws(ContainerError) -> ColorImage {
        guard !hasAlpha, case .photo(let photo) = content else { return try image(frame: frame) }
        return try photo.image(frame: frame, atLeastWidth: width, height: height)
    }

    /// The stored pixels for memory of the caller, at their own size or at least of a size, as ``image(frame:atLeastWidth:height:)``
    /// has it; `nil` for what is not 8-bit sRGB in a JPEG or PNG file.
    package func storedPixels(
        atLeastWidth width: Int? = nil, height: Int? = nil
    ) throws(ContainerError) -> StoredPixels? {
        guard !hasAlpha else { return nil }
        return switch content {
        case .photo(let photo): try photo.storedPixels(atLeastWidth: width, height: height)
        case .raster(let raster, let decoder): StoredPixels(decoder, raster)
        }
    }

    /// The picture with its alpha, straight; opaque where it has none.
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
