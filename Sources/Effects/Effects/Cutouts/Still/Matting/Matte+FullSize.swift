internal import DepthMaps

extension Matte {
    /// The matte at a size, linear between its samples, or averaged if reduced.
    func linear(toWidth newWidth: Int, height newHeight: Int) -> Matte {
        guard (newWidth, newHeight) != (width, height) else { return self }
        let runs = AlphaSpans(self, width: newWidth, height: newHeight)
        let coverage: [UInt8] = parallelMapRows(width: newWidth, height: newHeight) { band, output in
            runs.forEach(in: band) { row, columns, coverage, alphas in
                let start = (row - band.lowerBound) * newWidth
                for column in columns {
                    output[start + column] =
                        switch coverage {
                        case .behind: 0
                        case .front: 255
                        case .soft: UInt8(alphas[column - columns.lowerBound] * 255 + 0.5)
                        }
                }
            }
        }
        return Matte(width: newWidth, height: newHeight, coverage: coverage)
    }
}
