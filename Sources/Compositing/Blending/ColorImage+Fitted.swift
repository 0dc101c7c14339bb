package import DepthCore

extension ColorImage {
    /// The picture at the size of a frame, mixed in linear light: the mean over a pixel's area where it is reduced, cubic
    /// (Catmull–Rom) where it is enlarged. What has the size already stays as it is.
    ///
    /// Takes a few rows of memory besides the result.
    ///
    /// - Throws: `empty` where picture or frame have no pixels.
    package func fitted(
        toWidth newWidth: Int, height newHeight: Int, by fit: BackgroundFit = .cover,
        curve: TransferFunction = .sRGB
    ) throws(CompositingError) -> ColorImage {
        guard width > 0, height > 0, newWidth > 0, newHeight > 0 else { throw .empty }
        guard (newWidth, newHeight) != (width, height) else { return self }
        let placement = fit.placement(of: width, height, in: newWidth, newHeight)
        let resized: Pixels =
            switch pixels {
            case .uint8(let pixels):
                .uint8(
                    PictureResizer(pixels, width, height, placement, curve).resized(
                        toWidth: newWidth, newHeight))
            case .uint16(let pixels):
                .uint16(
                    PictureResizer(pixels, width, height, placement, curve).resized(
                        toWidth: newWidth, newHeight))
            }
        return ColorImage(width: newWidth, height: newHeight, pixels: resized, colorProfile: colorProfile)
    }
}

/// The kernel of fitting: rows are weighed together first, then columns.
private struct PictureResizer<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    private let pixels: [RGB<Sample>]
    private let width: Int
    private let columns: Shares
    private let rows: Shares
    private let targetColumns: Range<Int>
    private let targetRows: Range<Int>
    private let light: LinearizationTable<Sample>
    private let codes: EncodingTable<Sample>

    init(
        _ pixels: [RGB<Sample>], _ width: Int, _ height: Int, _ placement: BackgroundFit.Placement,
        _ curve: TransferFunction
    ) {
        self.pixels = pixels
        self.width = width
        columns = Shares(of: placement.sourceColumns, width, at: placement.columns.count)
        rows = Shares(of: placement.sourceRows, height, at: placement.rows.count)
        targetColumns = placement.columns
        targetRows = placement.rows
        light = LinearizationTable(curve)
        codes = EncodingTable(curve)
    }

    func resized(toWidth newWidth: Int, _ newHeight: Int) -> [RGB<Sample>] {
        let black = RGB<Sample>(red: 0, green: 0, blue: 0)
        return parallelMapRows(width: newWidth, height: newHeight) { band, output in
            var sums = [SIMD4<Float>](repeating: .zero, count: columns.sources.count)
            for row in band {
                let start = (row - band.lowerBound) * newWidth
                for column in 0..<newWidth where !(targetRows ~= row && targetColumns ~= column) {
                    output[start + column] = black
                }
                guard targetRows ~= row else { continue }
                addRows(row - targetRows.lowerBound, &sums)
                for column in targetColumns {
                    output[start + column] = pixel(column - targetColumns.lowerBound, sums.span)
                }
            }
        }
    }

    private func addRows(_ row: Int, _ sums: inout [SIMD4<Float>]) {
        let firstColumn = columns.sources.lowerBound
        var output = sums.mutableSpan
        for place in rows.starts[row]..<rows.starts[row + 1] {
            let weight = rows.weights[place]
            let start = rows.places[place] * width + firstColumn
            let source = pixels.span.extracting(start..<start + output.count)
            let isFirst = place == rows.starts[row]
            for column in source.indices {
                let part = light.light(source[column]) * weight
                output[column] = isFirst ? part : output[column] + part
            }
        }
    }

    private func pixel(_ column: Int, _ sums: Span<SIMD4<Float>>) -> RGB<Sample> {
        var sum = SIMD4<Float>.zero
        for place in columns.starts[column]..<columns.starts[column + 1] {
            sum += sums[columns.places[place] - columns.sources.lowerBound] * columns.weights[place]
        }
        // Cubic weights overshoot at edges.
        return codes.pixel(sum.limitedLight)
    }
}

/// Which samples make up each new one along an axis, and in what shares.
private struct Shares: Sendable {
    /// Where the list of each new sample begins in `places` and `weights`, and where the last ends.
    private(set) var starts = [0]
    private(set) var places: [Int] = []
    private(set) var weights: [Float] = []
    /// All places.
    let sources: Range<Int>

    init(of range: ClosedRange<Double>, _ count: Int, at newCount: Int) {
        let step = (range.upperBound - range.lowerBound) / Double(newCount)
        for index in 0..<newCount {
            let low = range.lowerBound + Double(index) * step
            let list = step > 1 ? Self.area(low, low + step) : Self.cubic(low + step / 2)
            let sum = list.reduce(0) { $0 + $1.weight }
            for (place, weight) in list {
                places.append(min(max(place, 0), count - 1))
                weights.append(Float(weight / sum))
            }
            starts.append(places.count)
        }
        sources = (places.min() ?? 0)..<(places.max() ?? 0) + 1
    }

    private static func area(_ low: Double, _ high: Double) -> [(place: Int, weight: Double)] {
        (Int(low)..<max(Int(high.rounded(.up)), Int(low) + 1)).map { place in
            (place, min(high, Double(place + 1)) - max(low, Double(place)))
        }
    }

    /// Catmull–Rom weights of the four samples around a place between the edges of pixels.
    private static func cubic(_ place: Double) -> [(place: Int, weight: Double)] {
        let first = (place - 0.5).rounded(.down)
        let t = place - 0.5 - first
        let weights = [
            ((2 - t) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2, ((4 - 3 * t) * t + 1) * t / 2,
            (t - 1) * t * t / 2,
        ]
        return weights.enumerated().map { (Int(first) - 1 + $0.offset, $0.element) }
    }
}
