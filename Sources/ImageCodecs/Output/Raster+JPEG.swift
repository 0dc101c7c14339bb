package import AtomicFiles
internal import CCodecShims
internal import DepthCore

extension Raster {
    /// The quality that JPEG files are written with unless another is asked for.
    package static let defaultJPEGQuality = 92

    /// Writes a baseline JPEG file (ITU-T T.81) with the standard Huffman tables to a descriptor, which stays open.
    ///
    /// `quality` is libjpeg's scale, 1…100; chroma has half the size below 95, and full size from there on. Blocks in
    /// ``PictureMetadata/blocksTooLargeForJPEG`` are left out. Throws for anything but 8-bit gray and color, and for
    /// more than 65,500 pixels in a row or column.
    package func writeJPEG(
        to descriptor: Int32, quality: Int = defaultJPEGQuality
    ) throws(WriteError) {
        precondition((1...100).contains(quality), "a quality of \(quality) is not in 1…100")
        guard layout.bitDepth == 8 else {
            throw .unsuitable("JPEG holds 8 bits a sample, not \(layout.bitDepth)")
        }
        guard layout.channels != 4 else { throw .unsuitable("JPEG holds no transparency; use PNG or TIFF") }
        guard colorProfile.count <= 255 * 65_519 else {
            throw .unsuitable("JPEG has no room for a color profile of \(colorProfile.count) bytes")
        }
        var raster = self
        let omitted = metadata.blocksTooLargeForJPEG
        if omitted.contains(.exif) { raster.metadata.exif = [] }
        if omitted.contains(.xmp) { raster.metadata.xmp = [] }
        try unsafe raster.encode { raster, samples, attachments, _, message in
            var image = unsafe isobath_jpeg_image(
                width: Int32(raster.width), height: Int32(raster.height),
                channels: Int32(raster.layout.channels),
                pixels: samples?.assumingMemoryBound(to: UInt8.self), quality: Int32(quality),
                subsamples_chroma: quality < 95 ? 1 : 0, attachments: attachments)
            return unsafe isobath_jpeg_write(descriptor, &image, message)
        }
    }
}
