import CJPEGXLEncoding
import Foundation

/// libjxl, through a few lines of C.
enum JPEGXLEncoder {
    /// A file without loss: color, depth of 16 bits and alpha of 8.
    static func encode(_ photo: Raster, depth: DeepRaster, alpha: Raster) throws -> [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let result = encode_jxl(
            photo.samples, depth.samples, alpha.samples, UInt32(photo.width), UInt32(photo.height), &bytes,
            &count)
        defer { free(bytes) }
        guard result == 0, let bytes else { throw MakerError("libjxl failed") }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
