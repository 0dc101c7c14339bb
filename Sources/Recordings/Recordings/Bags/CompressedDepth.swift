internal import Bytes
internal import DepthTypes
internal import Embedded

/// Depth as ROS's compressed_depth_image_transport stores it: a number and the parameters a and b in 4 bytes each, then a PNG
/// file of 16 bits, or the columns and rows in 4 bytes each and RVL data.
///
/// 16UC1 is stored as it is. The codes of 32FC1 are inverse depth: z = a / (code − b) in meters, 0 is unknown (codec.cpp).
enum CompressedDepth {
    /// The bytes before the PNG file or the size of RVL data.
    static let headerSize = 12

    /// The size that the first bytes declare. Throws if they are not of this form.
    static func size(_ start: [UInt8]) throws(ContainerError) -> PixelSize {
        let path = StructurePath("compressedDepth")
        let content = Array(start.dropFirst(headerSize))
        if content.starts(with: PNGHeader.signature) {
            guard let size = grayPNG(content) else {
                throw ContainerError(.unsupported(feature: "a PNG file that is not 16-bit gray"), in: path)
            }
            return size
        }
        var cursor = ByteCursor(content.span, base: headerSize, path: path)
        cursor.byteOrder = .littleEndian
        let (width, height) = (try cursor.readUInt32(), try cursor.readUInt32())
        guard let size = PixelSize(width, height) else {
            throw cursor.malformed("depth has \(width) × \(height) samples")
        }
        return size
    }

    /// The size of a PNG file of 16-bit gray, by its first bytes; `nil` for any other.
    static func grayPNG(_ start: [UInt8]) -> PixelSize? {
        guard start.starts(with: PNGHeader.signature) else { return nil }
        var cursor = ByteCursor(start.span)
        guard (try? cursor.skip(PNGHeader.signature.count)) != nil,
            let header = try? PNGHeader(parsing: &cursor), header.bitDepth == 16, header.channels == 1
        else { return nil }
        return PixelSize(header.width, header.height)
    }
}

/// RVL data (A. D. Wilson, Fast Lossless Depth Image Compression, 2017): runs of zeros and of other samples in turn. A number
/// is groups of 3 bits, lowest first, with a fourth bit above them that is 1 in all but the last. 8 groups make a word of 32
/// bits, first group highest, and words are little-endian. Samples are differences from the one before, with the sign in the
/// lowest bit.
struct RVL: ~Escapable {
    private var cursor: ByteCursor
    private var word: UInt32 = 0
    /// The groups in ``word`` that are not read yet.
    private var groups = 0

    @_lifetime(copy bytes)
    private init(_ bytes: Span<UInt8>, from start: Int) throws(ContainerError) {
        cursor = ByteCursor(bytes, path: StructurePath("RVL"))
        cursor.byteOrder = .littleEndian
        try cursor.skip(start)
    }

    /// Fills an array with the samples of data that begins at an index of `bytes`. Throws if the data ends before.
    static func decode(_ bytes: [UInt8], from start: Int, into codes: inout [UInt16]) throws(ContainerError) {
        var reader = try RVL(bytes.span, from: start)
        var (index, previous) = (0, UInt16(0))
        while index < codes.count {
            let zeros = try reader.readCount(atMost: codes.count - index)
            for place in index..<index + zeros { codes[place] = 0 }
            index += zeros
            let others = try reader.readCount(atMost: codes.count - index)
            // Otherwise empty runs would take time for nothing.
            guard zeros > 0 || others > 0 else { throw reader.cursor.malformed("RVL data has an empty run") }
            for place in index..<index + others {
                let number = try reader.readNumber()
                previous &+= UInt16(truncatingIfNeeded: (number >> 1) ^ (0 &- (number & 1)))
                codes[place] = previous
            }
            index += others
        }
    }

    @_lifetime(self: copy self)
    private mutating func readCount(atMost limit: Int) throws(ContainerError) -> Int {
        let count = Int(try readNumber())
        guard count <= limit else {
            throw cursor.malformed("a run of RVL data has \(count) samples, \(limit) are left")
        }
        return count
    }

    @_lifetime(self: copy self)
    private mutating func readNumber() throws(ContainerError) -> UInt32 {
        var (number, shift) = (UInt32(0), UInt32(0))
        while true {
            if groups == 0 { (word, groups) = (try cursor.read(), 8) }
            let group = word >> 28
            word <<= 4
            groups -= 1
            number |= (group & 7) << shift
            shift += 3
            if group & 8 == 0 { return number }
            guard shift < 32 else { throw cursor.malformed("a number of RVL data has more than 32 bits") }
        }
    }
}
