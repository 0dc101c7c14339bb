internal import DepthMaps
package import Sequences

/// Distances in colors: the nearest have the last, bright color of a map, as in previews of photos; the farthest have the
/// first; unknown is black. The range changes slowly, so that a still scene has steady colors.
package struct DepthColoring {
    /// Levels are 128ths of a color, from the farthest; unknown samples have a negative level. All colors have the same
    /// number of levels, as in photos, and the nearest distance has the last level.
    private static let levelCount: Float = 256 * 128
    private static let top = levelCount - 1
    private static let unknown: Float = -1

    /// The colors from far to near.
    private let colors: [RGB<UInt8>]
    /// The distance of the nearest color; `nil` for the first percentile of the distances.
    private let near: Float?
    /// The distance of the farthest color; `nil` for the 99th percentile of the distances.
    private let far: Float?
    private var histogram = DepthHistogram()
    /// The distances of the nearest and the farthest color.
    package private(set) var range: ClosedRange<Float> = 0...1

    /// Uses the colors of a map.
    package init(_ map: ColorMap, near: Float? = nil, far: Float? = nil) {
        colors = map.colors
        (self.near, self.far) = (near, far)
        if let near, let far { range = near...max(near, far) }
    }

    /// Updates the range of the colors by the distances of a frame.
    package mutating func adapt(to depth: FramePlane<Float>, at time: Double) {
        guard near == nil || far == nil else { return }
        histogram.add(depth.samples, stride: depth.samples.count / 20_000 | 1, at: time)
        let found = histogram.percentiles(0.01, 0.99) ?? 0...1
        let low = near ?? min(found.lowerBound, far ?? .infinity)
        range = low...max(low, far ?? found.upperBound)
    }

    /// Finds the levels of distances. Both have the same number of elements.
    func findLevels(of depth: Span<Float>, into levels: inout [Float]) {
        precondition(depth.count == levels.count)
        let (high, top) = (range.upperBound, Self.top)
        let extent = high - range.lowerBound
        let scale = extent > 0 ? Self.levelCount / extent : 0
        // If the range is empty, everything has the nearest color.
        let first = extent > 0 ? 0 : top
        // SAFETY: both have the same number of samples. Pointers let compilers vectorize the loop.
        unsafe depth.withUnsafeBufferPointer { depth in
            unsafe levels.withUnsafeMutableBufferPointer { output in
                for index in 0..<depth.count {
                    let value = unsafe depth[index]
                    // With arguments in this order, `nan` becomes 0.
                    let level = min(max(0, (high - value) * scale + first), top)
                    unsafe output[index] = value > 0 ? level : Self.unknown
                }
            }
        }
    }

    /// Writes the colors of levels, starting at a pixel. Negative levels are black.
    func color(_ levels: Span<Float>, into output: inout MutableSpan<RGB<UInt8>>, from first: Int = 0) {
        let colors = colors.span
        for index in levels.indices {
            let level = levels[index]
            output[first + index] = level < 0 ? .black : colors[Int(level + 0.5) >> 7]
        }
    }
}
