internal import Bytes
internal import DepthTypes
internal import RasterFormats

/// An image of a bag (`sensor_msgs/Image`, `sensor_msgs/CompressedImage`), without its pixels.
struct ImageMessage {
    /// What all images of a topic have in common.
    struct Kind: Hashable {
        /// The size in pixels; `nil` for a picture file, whose header declares it.
        var size: PixelSize?
        var content: Content
    }

    /// How the samples are stored.
    enum Content: Hashable {
        case depth(FrameCoding.DepthStorage, FrameCoding.PlainRows? = nil, isUnitCertain: Bool = true)
        /// A picture of plain pixels.
        case color(PackedPixels, FrameCoding.PlainRows)
        /// A picture file.
        case file

        var isDepth: Bool { if case .depth = self { true } else { false } }
    }

    /// Seconds on the camera's clock; 0 if missing.
    var time: Double
    /// The frame of its coordinates.
    var frame: String
    var kind: Kind
    /// The range in the message of plain pixels or the file.
    var data: Range<Int>

    /// How many of a message's first bytes the initializers need at most: names, and the header of a PNG file.
    static let headSize = 1024

    /// Reads the fields before the pixels. Throws if the message of `byteCount` bytes does not have as many as its size
    /// needs.
    init(_ cursor: inout MessageCursor, byteCount: Int, _ limits: DecodingLimits) throws(ContainerError) {
        (time, frame) = try cursor.readHeader()
        let (height, width) = (try cursor.readUInt32(), try cursor.readUInt32())
        let encoding = try cursor.readText()
        let isBigEndian = try cursor.readByte() != 0
        let (rowBytes, count) = (try cursor.readUInt32(), try cursor.readUInt32())
        guard let size = PixelSize(width, height), let (content, pixelBytes) = Self.content(encoding) else {
            throw cursor.failure(.unsupported(feature: "an image of \(encoding.prefix(40))"))
        }
        _ = try limits.pixelCount(width: width, height: height)
        let (needed, available) = (rowBytes * height, byteCount - cursor.position)
        guard rowBytes >= width * pixelBytes, count >= needed, count <= available else {
            throw cursor.malformed(
                "image of \(width) × \(height) pixels of \(pixelBytes) bytes declares \(count) bytes in rows of "
                    + "\(rowBytes), \(available) follow")
        }
        let rows = FrameCoding.PlainRows(
            byteCount: rowBytes, used: width * pixelBytes, isBigEndian: isBigEndian)
        switch content {
        case .depth(let storage, _, let isCertain):
            kind = Kind(size: size, content: .depth(storage, rows, isUnitCertain: isCertain))
        case .color(let pixels, _): kind = Kind(size: size, content: .color(pixels, rows))
        case .file: kind = Kind(content: .file)
        }
        data = cursor.position..<cursor.position + needed
    }

    /// What an encoding of sensor_msgs stores, and the bytes of a pixel; `nil` if it is not supported.
    private static func content(_ encoding: String) -> (Content, Int)? {
        // REP 118: 16UC1 is depth in millimeters, 32FC1 in meters.
        switch encoding {
        case "16UC1": return (.depth(.uint16), 2)
        case "mono16": return (.depth(.uint16, isUnitCertain: false), 2)
        case "32FC1": return (.depth(.float32), 4)
        default: break
        }
        guard let pixels = PackedPixels(encoding: encoding) else { return nil }
        return (.color(pixels, FrameCoding.PlainRows(byteCount: 0, used: 0)), pixels.byteCount)
    }

    /// Reads the fields before the file, and the file's header. `start` are the message's first bytes, where the cursor is.
    init(
        compressed cursor: inout MessageCursor, _ start: [UInt8], byteCount: Int, _ limits: DecodingLimits
    ) throws(ContainerError) {
        (time, frame) = try cursor.readHeader()
        let format = try cursor.readText()
        let count = try cursor.readUInt32()
        guard count <= byteCount - cursor.position else {
            throw cursor.malformed(
                "image declares \(count) bytes, \(byteCount - cursor.position) follow")
        }
        data = cursor.position..<cursor.position + count
        let content = Array(start[data.lowerBound..<min(data.upperBound, start.count)])
        if format.contains("compressedDepth") {
            let size = try CompressedDepth.size(content)
            _ = try limits.pixelCount(width: size.width, height: size.height)
            let isInverse = format.hasPrefix("32FC1")
            kind = Kind(size: size, content: .depth(.compressedDepth(isInverse: isInverse)))
            return
        }
        guard let raster = CompressedDepth.grayPNG(content) else {
            guard !["h264", "h265", "hevc", "av1"].contains(where: format.lowercased().contains) else {
                throw cursor.failure(.unsupported(feature: "an image of \(format.prefix(40))"))
            }
            kind = Kind(content: .file)
            return
        }
        kind = Kind(
            size: raster, content: .depth(.image, isUnitCertain: format.hasPrefix("16UC1")))
    }
}
