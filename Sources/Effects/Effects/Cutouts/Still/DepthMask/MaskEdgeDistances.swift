internal import DepthMaps

/// The distance of each sample of a mask from its edge: from the nearest sample that is soft, or on the other side.
struct MaskEdgeDistances: Sendable {
    private let width: Int
    private let height: Int
    /// In thirds of a sample.
    private let thirds: [UInt16]

    init(_ mask: Matte) {
        width = mask.width
        height = mask.height
        thirds = ChamferDistances.swept(Self.edges(mask), mask.width, mask.height)
    }

    /// In samples of the mask; 0 at the edge itself.
    @inline(__always)
    func distance(_ index: Int) -> Float { Float(thirds[index]) * (1 / 3) }

    /// Whether no neighbor is farther from the edge.
    func isRidge(_ column: Int, _ row: Int) -> Bool {
        let own = thirds[row * width + column]
        for y in max(row - 1, 0)...min(row + 1, height - 1) {
            for x in max(column - 1, 0)...min(column + 1, width - 1) where thirds[y * width + x] > own {
                return false
            }
        }
        return true
    }

    private static func edges(_ mask: Matte) -> [UInt16] {
        let (width, height) = (mask.width, mask.height)
        return parallelMapRows(width: width, height: height) { band, output in
            let codes = mask.coverage.span
            for y in band {
                let (above, below) = (max(y - 1, 0) * width, min(y + 1, height - 1) * width)
                for x in 0..<width {
                    let code = codes[y * width + x]
                    let left = codes[y * width + max(x - 1, 0)]
                    let right = codes[y * width + min(x + 1, width - 1)]
                    let isEven =
                        code == left && code == right && code == codes[above + x] && code == codes[below + x]
                    let isSure = code == 0 || code == 255
                    output[(y - band.lowerBound) * width + x] =
                        isEven && isSure ? ChamferDistances.farthest : 0
                }
            }
        }
    }
}
