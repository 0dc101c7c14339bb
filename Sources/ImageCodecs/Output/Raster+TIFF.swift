internal import CCodecShims
internal import DepthCore

extension Raster {
    /// Writes a TIFF file (TIFF 6.0, Adobe Deflate with a predictor) to a seekable descriptor, which stays open.
    ///
    /// The record becomes the ImageDescription, XMP the tag 700.
    public func writeTIFF(to descriptor: Int32) throws(EncodingError) {
        try unsafe encode { raster, samples, attachments, record, message in
            var image = unsafe isobath_tiff_image(
                width: UInt32(raster.width), height: UInt32(raster.height),
                channels: Int32(raster.layout.channels), bit_depth: Int32(raster.layout.bitDepth),
                is_float: raster.layout.isFloat ? 1 : 0, pixels: samples,
                attachments: attachments, description: record)
            return unsafe isobath_tiff_write(descriptor, &image, message)
        }
    }
}
