internal import DepthMaps
internal import DepthTypes

/// How the colors of a sensor with one color per pixel are arranged (Bayer): in each 2 × 2 pixels one is red, the one
/// diagonal to it blue, and two are green.
struct BayerMosaic: Hashable, Sendable {
    /// The row and the column of red, 0 or 1.
    private let (redRow, redColumn): (Int, Int)
    /// Bytes of a pixel, 1 or 2.
    let byteCount: Int

    /// By the name of an encoding of sensor_msgs with 8 or 16 bits, which spells the 2 × 2 pixels at the top left row by row.
    /// `nil` for any other encoding.
    init?(encoding: String) {
        switch encoding {
        case "bayer_rggb8", "bayer_rggb16": (redRow, redColumn) = (0, 0)
        case "bayer_grbg8", "bayer_grbg16": (redRow, redColumn) = (0, 1)
        case "bayer_gbrg8", "bayer_gbrg16": (redRow, redColumn) = (1, 0)
        case "bayer_bggr8", "bayer_bggr16": (redRow, redColumn) = (1, 1)
        default: return nil
        }
        byteCount = encoding.hasSuffix("16") ? 2 : 1
    }

    /// Interpolates the colors of a picture: each missing color is the mean of the two or four nearest pixels that have it.
    /// Rows and columns are mirrored at the edges, which keeps the arrangement.
    ///
    /// `bytes` has ``byteCount`` for each pixel, the least significant first. Colors of 16 bits become 8 bits afterwards.
    func interpolate(_ bytes: Span<UInt8>, _ size: PixelSize, into pixels: inout MutableSpan<RGB<UInt8>>) {
        guard byteCount == 2 else {
            return interpolate(size, into: &pixels, { Int(bytes[$0]) }, reducing: UInt8.init)
        }
        interpolate(size, into: &pixels) {
            Int(bytes[2 * $0]) | Int(bytes[2 * $0 + 1]) << 8
        } reducing: {
            UInt8(($0 * 255 + 32767) / 65535)
        }
    }

    @inline(__always)
    private func interpolate(
        _ size: PixelSize, into pixels: inout MutableSpan<RGB<UInt8>>, _ code: (Int) -> Int,
        reducing reduced: (Int) -> UInt8
    ) {
        for row in 0..<size.height {
            let rows = Self.neighbors(of: row, in: size.height, width: size.width)
            let isRedRow = row % 2 == redRow
            for column in 0..<size.width {
                let columns = Self.neighbors(of: column, in: size.width, width: 1)
                let own = reduced(code(rows.own + columns.own))
                let beside = code(rows.own + columns.before) + code(rows.own + columns.after)
                let above = code(rows.before + columns.own) + code(rows.after + columns.own)
                let (inRow, inColumn) = (reduced((beside + 1) / 2), reduced((above + 1) / 2))
                let color: RGB<UInt8>
                if isRedRow == (column % 2 == redColumn) {
                    let diagonal =
                        code(rows.before + columns.before) + code(rows.before + columns.after)
                        + code(rows.after + columns.before) + code(rows.after + columns.after)
                    let (cross, corners) = (reduced((beside + above + 2) / 4), reduced((diagonal + 2) / 4))
                    color =
                        isRedRow
                        ? RGB(red: own, green: cross, blue: corners)
                        : RGB(red: corners, green: cross, blue: own)
                } else {
                    color =
                        isRedRow
                        ? RGB(red: inRow, green: own, blue: inColumn)
                        : RGB(red: inColumn, green: own, blue: inRow)
                }
                pixels[row * size.width + column] = color
            }
        }
    }

    /// The offsets of a row or column and of those beside it, in steps of `width`.
    private static func neighbors(
        of index: Int, in count: Int, width: Int
    ) -> (before: Int, own: Int, after: Int) {
        let before = index > 0 ? index - 1 : min(1, count - 1)
        let after = index + 1 < count ? index + 1 : max(0, count - 2)
        return (before * width, index * width, after * width)
    }
}
