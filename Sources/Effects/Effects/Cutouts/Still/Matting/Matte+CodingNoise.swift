public import DepthMaps

extension Matte {
    /// The matte without the noise that lossy coding leaves in uniform areas: samples within 8 of the background, together
    /// with their eight neighbors, become 0, and those within 8 of the subject 255. All others stay.
    ///
    /// Mattes in phone files are JPEG or HEVC images. In one of Apple's, 1 % of the samples were 0, 68 % were 1 to 8.
    public func removingCodingNoise() -> Matte {
        guard width > 0, height > 0 else { return self }
        let codes = coverage
        let coverage: [UInt8] = parallelMapRows(width: width, height: height) { band, output in
            forEachNeighborhood(in: band) { index, least, most in
                output[index - band.lowerBound * width] = most <= 8 ? 0 : least >= 247 ? 255 : codes[index]
            }
        }
        return Matte(width: width, height: height, coverage: coverage)
    }

    /// Whether a sample and its eight neighbors are all 0 or all 255.
    var evenSamples: [Bool] {
        parallelMapRows(width: width, height: height) { band, output in
            forEachNeighborhood(in: band) { index, least, most in
                output[index - band.lowerBound * width] = most == 0 || least == 255
            }
        }
    }

    /// Calls `body` with the index of every sample of these rows, and the minimum and maximum of it and its eight neighbors.
    @inline(__always)
    private func forEachNeighborhood(
        in band: Range<Int>, _ body: (_ index: Int, _ least: UInt8, _ most: UInt8) -> Void
    ) {
        var (low, high) = ([UInt8](repeating: 0, count: width + 2), [UInt8](repeating: 0, count: width + 2))
        var (least, most) = ([UInt8](repeating: 0, count: width), [UInt8](repeating: 0, count: width))
        for row in band {
            gatherColumns(row, &low, &high)
            gatherRows(low.span, high.span, &least, &most)
            for column in 0..<width { body(row * width + column, least[column], most[column]) }
        }
    }

    /// The minimum and maximum of each sample and those above and below it, with the first and last column repeated.
    private func gatherColumns(_ row: Int, _ low: inout [UInt8], _ high: inout [UInt8]) {
        let samples = coverage.span
        let middle = samples.extracting(row * width..<(row + 1) * width)
        let (top, bottom) = (max(row - 1, 0) * width, min(row + 1, height - 1) * width)
        let (above, below) = (
            samples.extracting(top..<top + width), samples.extracting(bottom..<bottom + width)
        )
        var low = low.mutableSpan
        var high = high.mutableSpan
        for column in middle.indices {
            low[column + 1] = min(middle[column], above[column], below[column])
            high[column + 1] = max(middle[column], above[column], below[column])
        }
        (low[0], high[0]) = (low[1], high[1])
        (low[width + 1], high[width + 1]) = (low[width], high[width])
    }
}

/// The minimum and maximum of each element and its two neighbors. The first and the last element have padding beside them.
private func gatherRows(
    _ low: Span<UInt8>, _ high: Span<UInt8>, _ least: inout [UInt8], _ most: inout [UInt8]
) {
    var least = least.mutableSpan
    var most = most.mutableSpan
    precondition(low.count == least.count + 2 && high.count == low.count && most.count == least.count)
    // SAFETY: by the precondition.
    for column in least.indices {
        unsafe least[unchecked: column] = min(
            low[unchecked: column], low[unchecked: column + 1], low[unchecked: column + 2])
        unsafe most[unchecked: column] = max(
            high[unchecked: column], high[unchecked: column + 1], high[unchecked: column + 2])
    }
}
