extension ColorImage {
    /// The picture at another size, with 8 bits a sample. Each pixel is the mean of the area that it covers, in linear
    /// light by the curve of sRGB, which is also Display P3's. Enlarged pixels become squares.
    ///
    /// The result stays in the color space of ``colorProfile``.
    public func averaged(toWidth newWidth: Int, height newHeight: Int) -> [RGB<UInt8>] {
        if case .uint8(let pixels) = pixels, (newWidth, newHeight) == (width, height) { return pixels }
        let codes = TransferFunctionTable<UInt8>(.sRGB)
        return averaged(newWidth, newHeight, .sRGB) { codes.pixel(ofLight: $0) }
    }

    /// The linear light of red, green and blue at another size, 0…1 by a curve: the mean of the area that each pixel covers.
    /// The fourth element is 0. Enlarged pixels become squares.
    package func averagedLight(
        toWidth newWidth: Int, height newHeight: Int, curve: TransferFunction
    ) -> [SIMD4<Float>] {
        averaged(newWidth, newHeight, curve) { $0 }
    }

    private func averaged<Output: BitwiseCopyable>(
        _ newWidth: Int, _ newHeight: Int, _ curve: TransferFunction,
        _ output: @Sendable (SIMD4<Float>) -> Output
    ) -> [Output] {
        precondition(newWidth >= 0 && newHeight >= 0, "a size is not negative")
        precondition(width > 0 && height > 0, "a picture without pixels has no colors")
        let columns = ResamplingAxis(width, to: newWidth, by: .area)
        let rows = ResamplingAxis(height, to: newHeight, by: .area)
        func averaged<Sample>(_ pixels: [RGB<Sample>]) -> [Output] {
            resampled(pixels, columns, rows, TransferFunctionTable<Sample>(curve), output)
        }
        return pixels.apply(averaged, averaged)
    }

    /// The picture resampled along both axes, in linear light by a curve.
    package func resampled(
        columns: ResamplingAxis, rows: ResamplingAxis, curve: TransferFunction
    ) -> ColorImage {
        func resampled<Sample>(_ pixels: [RGB<Sample>]) -> [RGB<Sample>] {
            let codes = TransferFunctionTable<Sample>(curve)
            return self.resampled(pixels, columns, rows, codes) { codes.pixel(ofLight: $0) }
        }
        return ColorImage(
            width: columns.samples.count, height: rows.samples.count,
            pixels: pixels.map(resampled, resampled), colorProfile: colorProfile)
    }

    /// Combines rows first, then columns.
    private func resampled<Sample: FixedWidthInteger, Output: BitwiseCopyable>(
        _ pixels: [RGB<Sample>], _ columns: ResamplingAxis, _ rows: ResamplingAxis,
        _ light: TransferFunctionTable<Sample>, _ convert: @Sendable (SIMD4<Float>) -> Output
    ) -> [Output] {
        let (newWidth, sources) = (columns.samples.count, columns.sources)
        let width = width
        return parallelMapRows(width: newWidth, height: rows.samples.count, minimum: 4) { band, output in
            var sums = [SIMD4<Float>](repeating: .zero, count: sources.count)
            for row in band {
                let taps = rows.taps(of: row)
                for index in sums.indices { sums[index] = .zero }
                for (offset, place) in taps.places.enumerated() {
                    let start = (taps.first + offset) * width
                    let line = pixels.span.extracting(start + sources.lowerBound..<start + sources.upperBound)
                    light.add(line, rows.weights[place], to: &sums)
                }
                let start = (row - band.lowerBound) * newWidth
                for column in 0..<newWidth {
                    output[start + column] = convert(columns.sum(of: sums.span, for: column))
                }
            }
        }
    }
}

extension TransferFunctionTable {
    /// Adds the light of a row of pixels, weighted.
    fileprivate func add(_ pixels: Span<RGB<Sample>>, _ weight: Float, to sums: inout [SIMD4<Float>]) {
        var sums = sums.mutableSpan
        for column in pixels.indices { sums[column] += light(of: pixels[column]) * weight }
    }
}
