package import Bytes
internal import CCodecShims
internal import DepthMaps

extension Raster {
    /// Writes a TIFF file (TIFF 6.0, Adobe Deflate, a predictor for integers) to a seekable descriptor, which stays open.
    /// Float32 has no predictor: some readers do not know the one for floating point.
    ///
    /// The record becomes the ImageDescription, XMP the tag 700. The fields of the Exif block's first directory go into the
    /// file's directory; the other directories keep their values, and follow the pixels.
    package func writeTIFF(to descriptor: Int32) throws(WriteError) {
        let tags = TIFFExif(metadata.exif, hasRecord: record != nil) ?? TIFFExif()
        // SAFETY: characters, texts and directories outlive the call, and are passed with their counts.
        try unsafe encode { raster, samples, attachments, record, message in
            unsafe tags.characters.withUnsafeBufferPointer { characters in
                unsafe tags.texts.withUnsafeBufferPointer { texts in
                    unsafe tags.exif.withPointers { exif in
                        unsafe tags.gps.withPointers { gps in
                            var image = unsafe isobath_tiff_image(
                                width: UInt32(raster.width), height: UInt32(raster.height),
                                channels: Int32(raster.layout.channels),
                                bit_depth: Int32(raster.layout.bitDepth),
                                is_float: raster.layout.isFloat ? 1 : 0, pixels: samples,
                                attachments: attachments, description: record,
                                characters: characters.baseAddress, texts: texts.baseAddress,
                                text_count: UInt32(texts.count), resolution_x: tags.resolution.x,
                                resolution_y: tags.resolution.y, resolution_unit: tags.resolutionUnit,
                                exif: exif, gps: gps)
                            return unsafe isobath_tiff_write(descriptor, &image, message)
                        }
                    }
                }
            }
        }
    }

    /// Whether a TIFF file of the raster must omit its Exif, because the block is broken or the file is too large for
    /// directories with offsets of four bytes.
    package var losesExifInTIFF: Bool {
        guard !metadata.exif.isEmpty else { return false }
        let bytes = width * height * layout.channels * layout.bitDepth / 8
        return bytes > 0xF000_0000 || TIFFExif(metadata.exif, hasRecord: record != nil) == nil
    }
}
