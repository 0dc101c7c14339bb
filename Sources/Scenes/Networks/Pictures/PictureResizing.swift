internal import DepthMaps
internal import DepthTypes

extension ColorImage {
    /// The picture at another size, identical to `Image.resize` of Pillow 13.0.0 for 8 bits: the filter is widened when
    /// reducing, and weights have 22 fractional bits. Resizes stored values, without conversion to light.
    ///
    /// Pillow up to 12 resizes along rows first. Pillow 13 resizes along columns first if a column shrinks by more than twice
    /// as many pixels as a row; since values are rounded in between, some differ then.
    func resized(to size: PixelSize, by filter: ResamplingFilter) -> [RGB<UInt8>] {
        let alongRows = size.width == width ? nil : ResizingAxis(width, to: size.width, by: filter)
        let alongColumns = size.height == height ? nil : ResizingAxis(height, to: size.height, by: filter)
        let (less, shorter) = (width - size.width, height - size.height)
        var result = eightBitPixels
        guard shorter > 0, shorter > 2 * less else {
            if let alongRows { result = resizedRows(result, width, height, alongRows) }
            if let alongColumns { result = resizedColumns(result, size.width, alongColumns) }
            return result
        }
        if let alongColumns { result = resizedColumns(result, width, alongColumns) }
        if let alongRows { result = resizedRows(result, width, size.height, alongRows) }
        return result
    }
}

/// The old samples along an axis that each new one uses, and their weights.
private struct ResizingAxis: Sendable {
    static let half: Int32 = 1 << 21
    static let bits: Int32 = 22

    /// For each new sample, the first old one, and the range of its weights.
    let taps: [(first: Int, places: Range<Int>)]
    let weights: [Int32]

    /// Pillow's `normalize_coeffs_8bpc`.
    init(_ count: Int, to newCount: Int, by filter: ResamplingFilter) {
        var taps: [(first: Int, places: Range<Int>)] = []
        var weights: [Int32] = []
        for index in 0..<newCount {
            let exact = filter.taps(of: index, of: newCount, in: count)
            let start = weights.count
            for weight in exact.weights {
                let share = weight * Double(1 << Self.bits)
                weights.append(Int32(share < 0 ? share - 0.5 : share + 0.5))
            }
            taps.append((exact.first, start..<weights.count))
        }
        (self.taps, self.weights) = (taps, weights)
    }
}

private func resizedRows(
    _ pixels: [RGB<UInt8>], _ width: Int, _ height: Int, _ axis: ResizingAxis
) -> [RGB<UInt8>] {
    let newWidth = axis.taps.count
    return parallelMapRows(width: newWidth, height: height) { rows, output in
        var line = [SIMD4<Int32>](repeating: .zero, count: width)
        let weights = axis.weights.span
        for row in rows {
            widen(pixels.span.extracting(row * width..<(row + 1) * width), &line)
            let line = line.span
            for column in 0..<newWidth {
                let tap = axis.taps[column]
                var sum = SIMD4<Int32>(repeating: ResizingAxis.half)
                var source = tap.first
                for place in tap.places {
                    sum &+= line[source] &* weights[place]
                    source += 1
                }
                output[(row - rows.lowerBound) * newWidth + column] = clipped(sum)
            }
        }
    }
}

private func resizedColumns(
    _ pixels: [RGB<UInt8>], _ width: Int, _ axis: ResizingAxis
) -> [RGB<UInt8>] {
    parallelMapRows(width: width, height: axis.taps.count) { rows, output in
        var sums = [SIMD4<Int32>](repeating: .zero, count: width)
        let source = pixels.span
        for row in rows {
            let tap = axis.taps[row]
            for column in sums.indices { sums[column] = SIMD4(repeating: ResizingAxis.half) }
            for (offset, place) in tap.places.enumerated() {
                add(
                    source.extracting(droppingFirst: (tap.first + offset) * width), axis.weights[place], &sums
                )
            }
            for column in 0..<width {
                output[(row - rows.lowerBound) * width + column] = clipped(sums[column])
            }
        }
    }
}

private func widen(_ pixels: Span<RGB<UInt8>>, _ line: inout [SIMD4<Int32>]) {
    var line = line.mutableSpan
    for column in pixels.indices { line[column] = wide(pixels[column]) }
}

private func add(_ pixels: Span<RGB<UInt8>>, _ weight: Int32, _ sums: inout [SIMD4<Int32>]) {
    var sums = sums.mutableSpan
    for column in sums.indices { sums[column] &+= wide(pixels[column]) &* weight }
}

@inline(__always)
private func wide(_ pixel: RGB<UInt8>) -> SIMD4<Int32> {
    SIMD4(Int32(pixel.red), Int32(pixel.green), Int32(pixel.blue), 0)
}

@inline(__always)
private func clipped(_ sum: SIMD4<Int32>) -> RGB<UInt8> {
    let codes = (sum &>> ResizingAxis.bits).clamped(
        lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
    return RGB(
        red: UInt8(truncatingIfNeeded: codes.x), green: UInt8(truncatingIfNeeded: codes.y),
        blue: UInt8(truncatingIfNeeded: codes.z))
}
