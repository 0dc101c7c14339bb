internal import DepthMaps

/// The certain foreground, the certain background, and the unknown pixels of a picture.
package struct Trimap: Hashable, Sendable {
    /// Pixels in a row.
    package let width: Int
    /// The number of rows.
    package let height: Int
    /// 0 for background, 255 for foreground, ``unknown`` for the rest. Row-major.
    package let codes: [UInt8]

    package static var unknown: UInt8 { 128 }

    /// 0 is background, 255 foreground, and every other value unknown.
    package init(width: Int, height: Int, codes: [UInt8]) {
        precondition(codes.count == width * height)
        self.width = width
        self.height = height
        self.codes = codes.map { $0 == 0 || $0 == 255 ? $0 : Self.unknown }
    }

    /// The trimap at half its size, rounded up: known where all of 2 × 2 are known and equal.
    func halved() -> Trimap {
        let (newWidth, newHeight) = ((width + 1) / 2, (height + 1) / 2)
        let halved: [UInt8] = parallelMapRows(width: newWidth, height: newHeight) { band, output in
            let codes = codes.span
            for row in band {
                let (top, bottom) = (2 * row * width, min(2 * row + 1, height - 1) * width)
                for column in 0..<newWidth {
                    let (left, right) = (2 * column, min(2 * column + 1, width - 1))
                    let code = codes[top + left]
                    let isEven =
                        code == codes[top + right] && code == codes[bottom + left]
                        && code == codes[bottom + right]
                    output[(row - band.lowerBound) * newWidth + column] = isEven ? code : Self.unknown
                }
            }
        }
        return Trimap(width: newWidth, height: newHeight, codes: halved)
    }

    /// The values as a matte, for finding tiles with unknown pixels.
    var asMatte: Matte { Matte(width: width, height: height, coverage: codes) }
}
