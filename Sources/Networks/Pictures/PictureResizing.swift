internal import DepthCore
internal import DepthModel
internal import Glibc

extension ColorImage {
    /// The picture at another size, code for code as `Image.resize` of Pillow 13.0.0 makes it of 8 bits: the filter is widened where the
    /// picture is reduced, and weights have 22 bits behind the point. Codes are taken as they are.
    ///
    /// Pillow up to 12 resizes along rows first. Pillow 13 resizes along columns first where that takes away more than twice as many pixels
    /// of a column as of a row; since codes are rounded in between, some differ then.
    func resized(to size: PixelSize, by filter: NetworkProfile.Filter) -> [RGB<UInt8>] {
        guard case .uint8(let pixels) = in8Bits.pixels else { return [] }
        let alongRows = size.width == width ? nil : ResizingAxis(width, to: size.width, by: filter)
        let alongColumns = size.height == height ? nil : ResizingAxis(height, to: size.height, by: filter)
        let (less, shorter) = (width - size.width, height - size.height)
        var result = pixels
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

/// Which samples along an axis a new one is made of, and their weights.
private struct ResizingAxis: Sendable {
    static let half: Int32 = 1 << 21
    static let bits: Int32 = 22

    /// The new samples: the first old one, and where its weights are.
    let taps: [(first: Int, places: Range<Int>)]
    let weights: [Int32]

    /// Pillow's `precompute_coeffs` and `normalize_coeffs_8bpc`.
    init(_ count: Int, to newCount: Int, by filter: NetworkProfile.Filter) {
        let scale = Double(count) / Double(newCount)
        let widening = max(scale, 1)
        let support = filter.support * widening
        var taps: [(first: Int, places: Range<Int>)] = []
        var weights: [Int32] = []
        for index in 0..<newCount {
            let center = (Double(index) + 0.5) * scale
            let first = max(Int(center - support + 0.5), 0)
            let end = min(Int(center + support + 0.5), count)
            let values = (first..<max(end, first)).map {
                filter.weight((Double($0) - center + 0.5) / widening)
            }
            let sum = values.reduce(0, +)
            let start = weights.count
            for value in values {
                let share = (sum != 0 ? value / sum : value) * Double(1 << Self.bits)
                weights.append(Int32(share < 0 ? share - 0.5 : share + 0.5))
            }
            taps.append((first, start..<weights.count))
        }
        (self.taps, self.weights) = (taps, weights)
    }
}

extension NetworkProfile.Filter {
    /// How far the filter reaches to either side of its middle, in samples.
    fileprivate var support: Double {
        switch self {
        case .box: 0.5
        case .bilinear: 1
        case .bicubic: 2
        case .lanczos: 3
        }
    }

    fileprivate func weight(_ place: Double) -> Double {
        let x = abs(place)
        switch self {
        case .box: return place > -0.5 && place <= 0.5 ? 1 : 0
        case .bilinear: return x < 1 ? 1 - x : 0
        case .bicubic:
            let a = -0.5
            if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
            return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0
        case .lanczos: return place >= -3 && place < 3 ? sinc(place) * sinc(place / 3) : 0
        }
    }

    private func sinc(_ place: Double) -> Double {
        place == 0 ? 1 : sin(place * .pi) / (place * .pi)
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
