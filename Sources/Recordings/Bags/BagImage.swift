internal import ByteParsing
internal import DepthModel

/// An image of a bag (`sensor_msgs/Image`), without reading its pixels.
struct BagImage {
    /// Seconds on the camera's clock; 0 if missing.
    var time: Double
    var size: PixelSize
    /// The sample format, by its ROS name, such as `mono16`.
    var encoding: String
    /// The range of the pixels in the message. Rows have no padding.
    var pixels: Range<Int>

    /// Reads the fields before the pixels. Throws if the image does not have as many bytes as its size needs.
    init(_ cursor: inout ByteCursor) throws(ContainerError) {
        time = try cursor.readStampedHeader()
        let (height, width) = (try cursor.readUInt32(), try cursor.readUInt32())
        encoding = try cursor.readText()
        let isBigEndian = try cursor.readByte() != 0
        let (rowBytes, count) = (try cursor.readUInt32(), try cursor.readUInt32())
        guard let size = PixelSize(width, height), let pixelBytes = Self.pixelBytes(encoding) else {
            throw cursor.failure(.unsupported(feature: "an image of \(encoding.prefix(40))"))
        }
        guard !isBigEndian || encoding != "mono16" else {
            throw cursor.failure(.unsupported(feature: "an image with the most significant byte first"))
        }
        guard rowBytes == width * pixelBytes, count == rowBytes * height, count <= cursor.remaining else {
            throw cursor.malformed(
                "image of \(width) × \(height) pixels of \(pixelBytes) bytes declares \(count) bytes in rows of "
                    + "\(rowBytes), \(cursor.remaining) follow")
        }
        self.size = size
        pixels = cursor.position..<cursor.position + count
    }

    /// Bytes of a pixel; `nil` for an unsupported encoding.
    private static func pixelBytes(_ encoding: String) -> Int? {
        encoding == "mono16" ? 2 : PackedPixels(rawValue: encoding)?.byteCount
    }
}
