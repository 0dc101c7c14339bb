import CJPEGEncoding
import Foundation

/// libjpeg, through a few lines of C that catch its errors.
enum JPEGEncoder {
    /// A complete stream: gray for one channel, 4:2:0 color for three.
    static func encode(_ raster: Raster, quality: Int) throws -> [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let result = encode_jpeg(
            raster.samples, UInt32(raster.width), UInt32(raster.height), Int32(raster.channels),
            Int32(quality),
            &bytes, &count)
        defer { free(bytes) }
        guard result == 0, let bytes else { throw MakerError("libjpeg failed") }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}
