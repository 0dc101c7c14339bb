package import DepthMaps

extension ColorImage {
    /// The picture at the size of a frame, resampled in linear light: by the mean over a pixel's area when reduced, cubic
    /// (Catmull–Rom) when enlarged. A picture of that size is returned unchanged.
    ///
    /// Needs memory for a few rows besides the result.
    ///
    /// - Throws: `empty` if picture or frame have no pixels.
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

/// The kernel of fitting: rows are combined first, then columns.
private struct PictureResizer<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    private let pixels: [RGB<Sample>]
    private let width: Int
    private let columns: ResamplingAxis
    private let rows: ResamplingAxis
    private let targetColumns: Range<Int>
    private let targetRows: Range<Int>
    private let table: TransferFunctionTable<Sample>

    init(
        _ pixels: [RGB<Sample>], _ width: Int, _ height: Int, _ placement: BackgroundFit.Placement,
        _ curve: TransferFunction
    ) {
        self.pixels = pixels
        self.width = width
        columns = ResamplingAxis(
            of: placement.sourceColumns, width, to: placement.columns.count, by: .areaOrCubic)
        rows = ResamplingAxis(of: placement.sourceRows, height, to: placement.rows.count, by: .areaOrCubic)
        targetColumns = placement.columns
        targetRows = placement.rows
        table = TransferFunctionTable(curve)
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
                    let light = columns.sum(of: sums.span, for: column - targetColumns.lowerBound)
                    output[start + column] = table.pixel(ofLight: light)
                }
            }
        }
    }

    private func addRows(_ row: Int, _ sums: inout [SIMD4<Float>]) {
        let firstColumn = columns.sources.lowerBound
        let taps = rows.taps(of: row)
        var output = sums.mutableSpan
        for (offset, place) in taps.places.enumerated() {
            let weight = rows.weights[place]
            let start = (taps.first + offset) * width + firstColumn
            let source = pixels.span.extracting(start..<start + output.count)
            for column in source.indices {
                let part = table.light(of: source[column]) * weight
                output[column] = offset == 0 ? part : output[column] + part
            }
        }
    }
}
