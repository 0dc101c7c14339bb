package import DepthMaps
package import DepthTypes

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
    private var scratch = Scratch()
    /// The distances of the nearest and the farthest color.
    package private(set) var range: ClosedRange<Float> = 0...1

    /// Uses the colors of a map.
    package init(_ map: ColorMap, near: Float? = nil, far: Float? = nil) {
        colors = map.colors
        (self.near, self.far) = (near, far)
        if let near, let far { range = near...max(near, far) }
    }

    /// Whether distances were given.
    package var isInMeters: Bool { near != nil || far != nil }

    /// Updates the range of the colors by the distances of a frame.
    package mutating func adapt(to depth: DepthMap, at time: Double) {
        guard near == nil || far == nil else { return }
        histogram.add(depth.meters, stride: depth.meters.count / 20_000 | 1, at: time)
        let found = histogram.percentiles(0.01, 0.99) ?? 0...1
        let low = near ?? min(found.lowerBound, far ?? .infinity)
        range = low...max(low, far ?? found.upperBound)
    }

    /// Memory that is reused from frame to frame.
    private struct Scratch {
        var enlarger = LevelEnlarger()
        /// The levels of a row, or of the frame if it is enlarged.
        var levels: [Float] = []
    }

    /// Draws the depth at a size into a picture, from a pixel on; `pitch` is the width of that picture.
    package mutating func draw(
        _ depth: DepthMap, _ size: PixelSize, from first: Int, pitch: Int,
        into pixels: inout MutableSpan<RGB<UInt8>>
    ) {
        var (enlarger, levels) = (LevelEnlarger(), [Float]())
        swap(&enlarger, &scratch.enlarger)
        swap(&levels, &scratch.levels)
        defer { (scratch.enlarger, scratch.levels) = (enlarger, levels) }
        let isResized = size != PixelSize(width: depth.width, height: depth.height)
        let count = isResized ? depth.meters.count : depth.width
        if levels.count != count { levels = [Float](repeating: 0, count: count) }
        if isResized {
            Self.findLevels(of: depth.meters.span, range, into: &levels)
            enlarger.begin(
                width: size.width, height: size.height, fromWidth: depth.width, fromHeight: depth.height)
        }
        let colors = colors
        for row in 0..<size.height {
            let start = first + row * pitch
            if isResized {
                enlarger.enlarge(levels.span, width: depth.width, row: row)
                Self.color(enlarger.line.span, colors, into: &pixels, from: start)
            } else {
                let samples = depth.meters.span.extracting(row * depth.width..<(row + 1) * depth.width)
                Self.findLevels(of: samples, range, into: &levels)
                Self.color(levels.span, colors, into: &pixels, from: start)
            }
        }
    }

    /// Finds the levels of distances. Both have the same number of elements.
    private static func findLevels(
        of depth: Span<Float>, _ range: ClosedRange<Float>, into levels: inout [Float]
    ) {
        precondition(depth.count == levels.count)
        let high = range.upperBound
        let extent = high - range.lowerBound
        let scale = extent > 0 ? levelCount / extent : 0
        // If the range is empty, everything has the nearest color.
        let first = extent > 0 ? 0 : top
        // SAFETY: both have the same number of samples. Pointers let compilers vectorize the loop.
        unsafe depth.withUnsafeBufferPointer { depth in
            unsafe levels.withUnsafeMutableBufferPointer { output in
                for index in 0..<depth.count {
                    let value = unsafe depth[index]
                    // With arguments in this order, `nan` becomes 0.
                    let level = min(max(0, (high - value) * scale + first), top)
                    unsafe output[index] = value > 0 ? level : unknown
                }
            }
        }
    }

    /// Writes the colors of levels, starting at a pixel. Negative levels are black.
    private static func color(
        _ levels: Span<Float>, _ colors: [RGB<UInt8>], into output: inout MutableSpan<RGB<UInt8>>,
        from first: Int
    ) {
        let colors = colors.span
        for index in levels.indices {
            let level = levels[index]
            output[first + index] = level < 0 ? .black : colors[Int(level + 0.5) >> 7]
        }
    }
}
