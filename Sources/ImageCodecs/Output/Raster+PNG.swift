package import AtomicFiles
internal import CCodecShims
internal import DepthCore

extension Raster {
    /// Writes a PNG file (W3C PNG, third edition) to a descriptor, which stays open.
    ///
    /// The record becomes an `iTXt` chunk with the keyword `Isobath`, metadata the chunks `eXIf` and `iTXt`
    /// `XML:com.adobe.xmp`. Throws for Float32 samples, which PNG lacks.
    package func writePNG(to descriptor: Int32) throws(WriteError) {
        guard !layout.isFloat else { throw .unsuitable("PNG holds no Float32 samples") }
        try unsafe encode { raster, samples, attachments, record, message in
            unsafe "Isobath".withCString { keyword in
                var image = unsafe isobath_png_image(
                    width: UInt32(raster.width), height: UInt32(raster.height),
                    channels: Int32(raster.layout.channels), bit_depth: Int32(raster.layout.bitDepth),
                    pixels: samples, attachments: attachments, text: record, keyword: keyword,
                    is_photo: raster.layout.channels == 1 ? 0 : 1)
                return unsafe isobath_png_write(descriptor, &image, message)
            }
        }
    }
}
