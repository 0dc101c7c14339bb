package import Bytes
internal import Codecs
package import DepthMaps
internal import PhotoFormats
internal import RasterFormats

/// The stored pixels of a picture, 8-bit sRGB, decoded into the caller's memory. Frames of a recording are read this way, so
/// that no frame allocates a buffer of its size.
package struct StoredPixels {
    private enum Content {
        case jpeg(ImageDecoder, CodedBytes, width: Int, height: Int, eighths: Int)
        case png(RasterDecoder, RasterDescription)
    }

    private let content: Content
    /// Pixels in a row.
    package let width: Int
    /// The number of rows.
    package let height: Int

    /// A JPEG stream of this size, decoded at `eighths` / 8 of it, rounded up.
    init(_ decoder: ImageDecoder, _ coded: CodedBytes, width: Int, height: Int, eighths: Int) {
        content = .jpeg(decoder, coded, width: width, height: height, eighths: eighths)
        self.width = (width * eighths + 7) / 8
        self.height = (height * eighths + 7) / 8
    }

    /// A raster; `nil` unless it is a PNG file of 8 bits or less, without alpha or a profile.
    init?(_ decoder: RasterDecoder, _ raster: RasterDescription) {
        guard raster.format == .png, raster.sampleType == .uint8, raster.alpha == nil,
            !raster.hasColorProfile,
            raster.readError == nil
        else { return nil }
        content = .png(decoder, raster)
        (width, height) = (raster.width, raster.height)
    }

    /// Decodes into memory for `width · height` pixels. Returns `false`, with undefined pixels, for CMYK, which only
    /// ``PictureFile/image(frame:)`` decodes.
    ///
    /// Throws ``ContainerError`` where the picture is damaged or too large.
    package func decode(into pixels: inout MutableSpan<RGB<UInt8>>) throws(ContainerError) -> Bool {
        switch content {
        case .jpeg(let decoder, let coded, let width, let height, let eighths):
            return try decoder.readJPEG(coded, width: width, height: height, eighths: eighths, into: &pixels)
        case .png(let decoder, let raster):
            try decoder.readPNG(raster, channels: 3, into: &pixels)
            return true
        }
    }
}
