package import Bytes
internal import CCodecShims
internal import DepthTypes

extension Raster {
    /// Writes a PNG file (W3C PNG, third edition) to a descriptor, which stays open.
    ///
    /// The record becomes an `iTXt` chunk with the keyword `Isobath`; metadata becomes the chunks `eXIf` and `iTXt`
    /// `XML:com.adobe.xmp`; the code points of a profile with a tag `cicp` become `cICP` as well. Throws for Float32 samples, which PNG lacks.
    package func writePNG(to descriptor: Int32) throws(WriteError) {
        guard !layout.isFloat else { throw .unsuitable("PNG holds no Float32 samples") }
        let color = codedColor
        try unsafe encode { raster, samples, attachments, record, message in
            unsafe "Isobath".withCString { keyword in
                let image = unsafe isobath_png_image(
                    width: UInt32(raster.width), height: UInt32(raster.height),
                    channels: Int32(raster.layout.channels), bit_depth: Int32(raster.layout.bitDepth),
                    pixels: samples, attachments: attachments, text: record, keyword: keyword,
                    cicp: color.map { (UInt8(clamping: $0.primaries), UInt8(clamping: $0.transfer), 0, 1) }
                        ?? (0, 0, 0, 0),
                    is_photo: raster.layout.channels == 1 ? 0 : 1)
                return unsafe withUnsafePointer(to: image) { image in
                    unsafe writePieces(image, to: descriptor, message)
                }
            }
        }
    }
}

/// The approximate size of a compressed piece of a PNG file before compression. Smaller pieces would compress worse, because
/// each begins without a history. The size does not depend on the number of cores, so files do not either.
private let pieceSize = 1 << 18

/// Codes an image and writes it; returns a code of `CCodecShims`.
private func writePieces(
    _ image: UnsafePointer<isobath_png_image>, to descriptor: Int32,
    _ message: UnsafeMutablePointer<CChar>?
) -> Int32 {
    nonisolated(unsafe) let image = unsafe image
    // SAFETY: the image is only read.
    return unsafe withCodedPieces(
        height: Int(image.pointee.height),
        rowsOfPiece: max(1, pieceSize / (isobath_png_stride(image) + 1))
    ) { rows, piece in
        unsafe isobath_png_compress(image, Int32(rows.lowerBound), Int32(rows.count), piece)
    } _: { pieces in
        unsafe isobath_png_write(descriptor, image, pieces.baseAddress, pieces.count, message)
    }
}
