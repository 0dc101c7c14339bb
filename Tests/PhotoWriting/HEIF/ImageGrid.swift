@testable package import PhotoWriting

/// A derived image made of equal tiles, row by row. Pixels beyond the right and the bottom edge are cut off (ISO/IEC 23008-12
/// §6.6.2.3, item type `grid`).
package struct ImageGrid: Hashable, Sendable {
    /// Tiles from top to bottom, 1…256.
    package var rows: Int
    /// Tiles from left to right, 1…256.
    package var columns: Int
    /// Width of the complete image in pixels.
    package var width: UInt32
    /// Height of the complete image in pixels.
    package var height: UInt32

    /// A grid of `rows` × `columns` tiles that shows `width` × `height` pixels.
    package init(rows: Int, columns: Int, width: UInt32, height: UInt32) {
        (self.rows, self.columns, self.width, self.height) = (rows, columns, width, height)
    }

    /// The item payload; sizes have 16 bits if they fit, otherwise 32.
    package func serialized() throws(ContainerWritingError) -> [UInt8] {
        var writer = ByteWriter()
        let isWide = max(width, height) > UInt32(UInt16.max)
        writer.append(UInt8(0))  // version
        writer.append(isWide ? 1 : 0 as UInt8)
        writer.append(try narrow(rows - 1, to: UInt8.self, field: "grid rows_minus_one"))
        writer.append(try narrow(columns - 1, to: UInt8.self, field: "grid columns_minus_one"))
        for size in [width, height] {
            writer.append(Int(size), byteCount: isWide ? 4 : 2)
        }
        return writer.bytes
    }
}
