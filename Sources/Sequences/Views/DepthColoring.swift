package import DepthCore

/// Distances in colors: near is the last color of a map, the bright one, as in previews of photos; far is the first, unknown black. What the colors span changes slowly, so that a
/// still scene has still colors.
package struct DepthColoring {
    /// Levels are 128ths of a color; what is unknown has a negative one.
    static let levelsPerColor = 128
    private static let unknown: Int32 = -1

    /// Red, green and blue of each color from near to far, in the lowest bytes; black behind them.
    private let colors: [UInt32]
    /// Whether every color covers about as much of the picture.
    private let isEqualized: Bool
    /// The distance of the nearest color; `nil` for the one that 1 % of samples is nearer than.
    private let near: Float?
    /// The distance of the farthest color; `nil` for the one that 1 % of samples is farther than.
    private let far: Float?
    private var histogram = DepthHistogram()
    /// The level of each bin of the histogram, where equalized.
    private var equalized: [Int32]
    /// The distances of the nearest and the farthest color.
    package private(set) var range: ClosedRange<Float> = 0...1
    /// The level of each sample of the frame.
    private(set) var levels: [Int32] = []

    /// Colors of a map.
    package init(_ map: ColorMap, isEqualized: Bool = false, near: Float? = nil, far: Float? = nil) {
        colors =
            map.colors.reversed().map { UInt32($0.red) | UInt32($0.green) << 8 | UInt32($0.blue) << 16 } + [0]
        self.isEqualized = isEqualized
        (self.near, self.far) = (near, far)
        equalized = isEqualized ? [Int32](repeating: 0, count: DepthHistogram.binCount) : []
        if let near, let far { range = near...max(near, far) }
    }

    /// Takes in the distances of a frame: says what each color stands for from now on, and finds ``levels``.
    package mutating func adapt(to depth: FramePlane<Float>, at time: Double) {
        if isEqualized || near == nil || far == nil {
            histogram.add(depth.samples, stride: depth.samples.count / 40_000 | 1, at: time)
            let found = histogram.percentiles(0.01, 0.99) ?? 0...1
            let low = near ?? min(found.lowerBound, far ?? .infinity)
            range = low...max(low, far ?? found.upperBound)
            if isEqualized { equalize() }
        }
        if levels.count != depth.samples.count { levels = [Int32](repeating: 0, count: depth.samples.count) }
        if isEqualized {
            let table = equalized
            Self.look(depth.samples.span, up: table.span, into: &levels)
        } else {
            Self.scale(depth.samples.span, range, into: &levels)
        }
    }

    private mutating func equalize() {
        guard let first = histogram.bins.first, let last = histogram.bins.last else { return }
        let top = Float(255 * Self.levelsPerColor)
        var levels: [Int32] = []
        swap(&levels, &equalized)
        histogram.equalized { bin, share in levels[bin] = Int32(share * top) }
        for bin in 0..<first { levels[bin] = levels[first] }
        for bin in last..<levels.count { levels[bin] = levels[last] }
        swap(&levels, &equalized)
    }

    private static func look(
        _ depth: Span<Float>, up table: Span<Int32>, into levels: inout [Int32]
    ) {
        var output = levels.mutableSpan
        for index in depth.indices {
            let value = depth[index]
            output[index] = value > 0 ? table[DepthHistogram.bin(of: value)] : unknown
        }
    }

    private static func scale(
        _ depth: Span<Float>, _ range: ClosedRange<Float>, into levels: inout [Int32]
    ) {
        let low = range.lowerBound
        let top = Float(255 * levelsPerColor)
        let scale = range.upperBound > low ? top / (range.upperBound - low) : 0
        // SAFETY: both have as many samples. Pointers, because the loop is one that compilers turn into vectors.
        unsafe depth.withUnsafeBufferPointer { depth in
            unsafe levels.withUnsafeMutableBufferPointer { output in
                for index in 0..<depth.count {
                    let value = unsafe depth[index]
                    // The order of arguments makes 0 of nan. Adding 2²³ leaves the rounded number in the lowest bits.
                    let level = min(max(0, (value - low) * scale), top) + 8_388_608
                    let number = Int32(bitPattern: level.bitPattern) &- 0x4B00_0000
                    unsafe output[index] = value > 0 ? number : unknown
                }
            }
        }
    }

    /// Writes the colors of levels, from a pixel on.
    func color(_ levels: Span<Int32>, into output: inout MutableSpan<RGB<UInt8>>, from first: Int = 0) {
        guard levels.count > 0 else { return }
        precondition(first >= 0 && first + levels.count <= output.count)
        // SAFETY: there are pixels for all levels, as was checked; four bytes are written for all but the last. Levels are below
        // 256 · 128, so that colors stay below 257.
        unsafe levels.withUnsafeBufferPointer { levels in
            unsafe colors.withUnsafeBufferPointer { colors in
                unsafe output.withUnsafeMutableBytes { bytes in
                    guard let start = unsafe bytes.baseAddress.map({ unsafe $0 + first * 3 }) else { return }
                    @inline(__always) func color(_ index: Int) -> UInt32 {
                        let level = unsafe levels[index]
                        return unsafe colors[level < 0 ? 256 : Int(level >> 7) & 255]
                    }
                    for index in 0..<levels.count - 1 {
                        unsafe (start + index * 3).storeBytes(of: color(index).littleEndian, as: UInt32.self)
                    }
                    let last = color(levels.count - 1)
                    for byte in 0..<3 {
                        unsafe (start + (levels.count - 1) * 3 + byte).storeBytes(
                            of: UInt8(truncatingIfNeeded: last >> UInt32(byte * 8)), as: UInt8.self)
                    }
                }
            }
        }
    }
}
