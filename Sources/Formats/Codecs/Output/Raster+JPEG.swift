package import Bytes
internal import CCodecShims
internal import DepthMaps
internal import Synchronization

extension Raster {
    /// The default quality of JPEG files.
    package static let defaultJPEGQuality = 92

    /// Writes a baseline JPEG file (ITU-T T.81) with the standard Huffman tables to a descriptor, which stays open. Large
    /// files have restart intervals, so that cores divide the work.
    ///
    /// `quality` is libjpeg's scale, 1…100; chroma has half the size below 95, and full size from 95. Blocks in
    /// ``PictureMetadata/blocksTooLargeForJPEG`` are omitted. Throws for anything but 8-bit gray and color, and for more than
    /// 65,500 pixels in a row or column.
    package func writeJPEG(
        to descriptor: Int32, quality: Int = defaultJPEGQuality
    ) throws(WriteError) {
        precondition((1...100).contains(quality), "a quality of \(quality) is not in 1…100")
        guard layout.bitDepth == 8 else {
            throw .unsuitable("JPEG holds 8 bits a sample, not \(layout.bitDepth)")
        }
        guard layout.channels != 4 else {
            throw .unsuitable("the picture has an alpha channel, which JPEG cannot hold; use PNG or TIFF")
        }
        guard colorProfile.count <= 255 * 65_519 else {
            throw .unsuitable("JPEG has no room for a color profile of \(colorProfile.count) bytes")
        }
        guard max(width, height) <= 65_500 else {
            throw .unsuitable(
                "JPEG holds 65,500 pixels in a row or column at most, not \(max(width, height))")
        }
        var raster = self
        let omitted = metadata.blocksTooLargeForJPEG
        if omitted.contains(.exif) { raster.metadata.exif = [] }
        if omitted.contains(.xmp) { raster.metadata.xmp = [] }
        try unsafe raster.encode { raster, samples, attachments, _, message in
            let image = unsafe isobath_jpeg_image(
                width: Int32(raster.width), height: Int32(raster.height),
                channels: Int32(raster.layout.channels),
                pixels: samples?.assumingMemoryBound(to: UInt8.self), quality: Int32(quality),
                subsamples_chroma: quality < 95 ? 1 : 0, attachments: attachments)
            return unsafe withUnsafePointer(to: image) { image in
                unsafe writePieces(image, to: descriptor, message)
            }
        }
    }
}

/// Codes an image and writes it; returns a code of `CCodecShims`.
private func writePieces(
    _ image: UnsafePointer<isobath_jpeg_image>, to descriptor: Int32,
    _ message: UnsafeMutablePointer<CChar>?
) -> Int32 {
    nonisolated(unsafe) let image = unsafe image
    let problem = Mutex<[CChar]?>(nil)
    let code = unsafe withCodedPieces(
        height: Int(image.pointee.height), rowsOfPiece: Int(isobath_jpeg_rows_of_piece(image))
    ) { rows, piece in
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        // SAFETY: the image is only read; the message has the declared size.
        let code = unsafe isobath_jpeg_compress(
            image, Int32(rows.lowerBound), Int32(rows.count), piece, &message)
        if code != ISOBATH_OK { problem.withLock { $0 = message } }
        return code
    } _: { pieces in
        unsafe isobath_jpeg_write(descriptor, pieces.baseAddress, pieces.count)
    }
    if let text = problem.withLock(\.self) {
        // SAFETY: both have the same size.
        unsafe message?.update(from: text, count: text.count)
    }
    return code
}
