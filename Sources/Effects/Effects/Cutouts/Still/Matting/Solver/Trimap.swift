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
        let halved = parallelHalves(codes, width: width, height: height) { first, second, third, fourth in
            first == second && first == third && first == fourth ? first : Self.unknown
        }
        return Trimap(width: (width + 1) / 2, height: (height + 1) / 2, codes: halved)
    }

    /// The values as a matte, for finding tiles with unknown pixels.
    var asMatte: Matte { Matte(width: width, height: height, coverage: codes) }
}
