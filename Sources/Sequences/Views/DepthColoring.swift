package import DepthCore

/// Distances in colors: near is the first color of a map, far the last, unknown black. What the colors span changes slowly, so that a
/// still scene has still colors.
package struct DepthColoring {
    /// The colors.
    private let colors: [RGB<UInt8>]
    /// Whether every color covers about as much of the picture.
    private let isEqualized: Bool
    /// The distance of the first color; `nil` for the one that 1 % of samples is nearer than.
    private let near: Float?
    /// The distance of the last color; `nil` for the one that 1 % of samples is farther than.
    private let far: Float?
    private var histogram = DepthHistogram()
    /// The color of each bin of the histogram, where equalized.
    private var table: [RGB<UInt8>]

    /// Colors of a map.
    package init(_ map: ColorMap, isEqualized: Bool = false, near: Float? = nil, far: Float? = nil) {
        colors = map.colors
        self.isEqualized = isEqualized
        (self.near, self.far) = (near, far)
        table = isEqualized ? [RGB<UInt8>](repeating: .black, count: DepthHistogram.binCount) : []
    }

    /// Takes in the distances of a frame, and says what each color stands for from now on.
    package mutating func adapt(to depth: FramePlane<Float>, at time: Double) {
        guard isEqualized || near == nil || far == nil else { return }
        histogram.add(depth.samples, stride: depth.samples.count > 100_000 ? 5 : 1, at: time)
        guard isEqualized, let first = histogram.bins.first, let last = histogram.bins.last else { return }
        histogram.equalized { bin, share in table[bin] = colors[Int(share * 255 + 0.5)] }
        for bin in 0..<first { table[bin] = table[first] }
        for bin in last..<table.count { table[bin] = table[last] }
    }

    /// The distances of the first and the last color.
    package var range: ClosedRange<Float> {
        let found = histogram.percentiles(0.01, 0.99) ?? 0...1
        let low = near ?? min(found.lowerBound, far ?? .infinity)
        return low...max(low, far ?? found.upperBound)
    }

    /// Writes the colors of distances, from a pixel on.
    package func color(
        _ depth: Span<Float>, into output: inout MutableSpan<RGB<UInt8>>, from first: Int = 0
    ) {
        if isEqualized {
            for index in depth.indices {
                let value = depth[index]
                output[first + index] = value > 0 ? table[DepthHistogram.bin(of: value)] : .black
            }
            return
        }
        let range = range
        let low = range.lowerBound
        let scale = range.upperBound > low ? 255 / (range.upperBound - low) : 0
        let colors = colors.span
        for index in depth.indices {
            let value = depth[index]
            // The order of arguments makes 0 of nan.
            let step = Int32(min(max(0, (value - low) * scale), 255) + 0.5)
            output[first + index] = value > 0 ? colors[Int(step) & 255] : .black
        }
    }
}
