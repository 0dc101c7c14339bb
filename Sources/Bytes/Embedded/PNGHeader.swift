package import Bytes

/// The header chunk of a PNG stream (`IHDR`, W3C PNG, third edition, §11.2.1).
package struct PNGHeader: Hashable, Sendable {
    /// The first bytes of every PNG stream; the header chunk follows.
    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int
    /// Bits of a stored sample; 1, 2, 4, 8 or 16 if the header is valid.
    package var bitDepth: Int
    /// 0 gray, 2 color, 3 palette, 4 gray with alpha, 6 color with alpha; any other value is invalid.
    package var colorType: Int

    /// Reads the chunk up to the color type. The caller checks values and limits.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let (length, code) = (try cursor.readUInt32(), try cursor.readCode())
        guard length == 13, code == "IHDR" else {
            throw cursor.malformed("PNG stream starts with '\(code)' of \(length) bytes, not IHDR of 13")
        }
        width = try cursor.readUInt32()
        height = try cursor.readUInt32()
        bitDepth = Int(try cursor.readByte())
        colorType = Int(try cursor.readByte())
    }

    /// Channels of a decoded pixel, with palettes resolved; `nil` for an undefined color type.
    package var channels: Int? { [0: 1, 2: 3, 3: 3, 4: 2, 6: 4][colorType] }
}
