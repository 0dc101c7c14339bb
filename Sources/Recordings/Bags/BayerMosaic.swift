internal import DepthCore
internal import DepthModel

/// How the colors of a sensor with one color per pixel are arranged (Bayer): in each 2 × 2 pixels one is red, the one
/// diagonal to it blue, and two are green.
struct BayerMosaic: Hashable, Sendable {
    /// The row and the column of red, 0 or 1.
    private let (redRow, redColumn): (Int, Int)

    /// By the name of an encoding of sensor_msgs with 8 bits, which spells the 2 × 2 pixels at the top left row by row.
    /// `nil` for any other encoding.
    init?(encoding: String) {
        switch encoding {
        case "bayer_rggb8": (redRow, redColumn) = (0, 0)
        case "bayer_grbg8": (redRow, redColumn) = (0, 1)
        case "bayer_gbrg8": (redRow, redColumn) = (1, 0)
        case "bayer_bggr8": (redRow, redColumn) = (1, 1)
        default: return nil
        }
    }

    /// Interpolates the colors of a picture: each missing color is the mean of the two or four nearest pixels that have it.
    /// Rows and columns are mirrored at the edges, which keeps the arrangement. `codes` has a byte for each pixel.
    func interpolate(_ codes: Span<UInt8>, _ size: PixelSize, into pixels: inout MutableSpan<RGB<UInt8>>) {
        for row in 0..<size.height {
            let rows = Self.neighbors(of: row, in: size.height, width: size.width)
            let isRedRow = row % 2 == redRow
            for column in 0..<size.width {
                let columns = Self.neighbors(of: column, in: size.width, width: 1)
                let own = codes[rows.own + columns.own]
                let beside = Int(codes[rows.own + columns.before]) + Int(codes[rows.own + columns.after])
                let above = Int(codes[rows.before + columns.own]) + Int(codes[rows.after + columns.own])
                let (inRow, inColumn) = (UInt8((beside + 1) / 2), UInt8((above + 1) / 2))
                let color: RGB<UInt8>
                if isRedRow == (column % 2 == redColumn) {
                    let diagonal =
                        Int(codes[rows.before + columns.before]) + Int(codes[rows.before + columns.after])
                        + Int(codes[rows.after + columns.before]) + Int(codes[rows.after + columns.after])
                    let (cross, corners) = (UInt8((beside + above + 2) / 4), UInt8((diagonal + 2) / 4))
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
