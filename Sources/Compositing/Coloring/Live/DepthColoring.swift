internal import DepthCore
package import Sequences

/// Distances in colors: the nearest have the last, bright color of a map, as in previews of photos; the farthest have the
/// first; unknown is black. The range changes slowly, so that a still scene has steady colors.
package struct DepthColoring {
    /// Levels are 128ths of a color, from the farthest; unknown samples have a negative level. All colors have the same
    /// number of levels, as in photos, and the nearest distance has the last level.
    private static let levelCount: Float = 256 * 128
    private static let top = levelCount - 1
    private static let unknown: Float = -1

    /// Red, green and blue of each color from far to near, in the lowest bytes, followed by as many black ones.
    private let colors: [UInt32]
    /// The distance of the nearest color; `nil` for the first percentile of the distances.
    private let near: Float?
    /// The distance of the farthest color; `nil` for the 99th percentile of the distances.
    private let far: Float?
    private var histogram = DepthHistogram()
    /// The distances of the nearest and the farthest color.
    package private(set) var range: ClosedRange<Float> = 0...1

    /// Uses the colors of a map.
    package init(_ map: ColorMap, near: Float? = nil, far: Float? = nil) {
        let colors = map.colors.map { color in
            UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16
        }
        self.colors = colors + [UInt32](repeating: 0, count: 512 - colors.count)
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

    /// Writes the colors of levels, starting at a pixel.
    func color(_ levels: Span<Float>, into output: inout MutableSpan<RGB<UInt8>>, from first: Int = 0) {
        guard levels.count > 0 else { return }
        precondition(first >= 0 && first + levels.count <= output.count && colors.count == 512)
        // SAFETY: there is a pixel for each level, as checked above. Four levels are read only if four remain, and four bytes
        // are written for all pixels but the last. An index among the colors has nine bits.
        unsafe levels.withUnsafeBytes { levels in
            unsafe colors.withUnsafeBufferPointer { colors in
                unsafe output.withUnsafeMutableBytes { bytes in
                    guard let start = unsafe bytes.baseAddress.map({ unsafe $0 + first * 3 }) else { return }
                    let count = levels.count / 4
                    var index = 0
                    while index < count - 4 {
                        let places = Self.places(
                            unsafe levels.loadUnaligned(fromByteOffset: index * 4, as: SIMD4<Float>.self))
                        for lane in 0..<4 {
                            let color = unsafe colors[Int(places[lane])].littleEndian
                            unsafe (start + (index + lane) * 3).storeBytes(of: color, as: UInt32.self)
                        }
                        index += 4
                    }
                    while index < count {
                        let level = unsafe levels.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
                        let color = unsafe colors[Int(Self.places(SIMD4(repeating: level))[0])]
                        for byte in 0..<3 {
                            let value = UInt8(truncatingIfNeeded: color >> UInt32(byte * 8))
                            unsafe (start + index * 3 + byte).storeBytes(of: value, as: UInt8.self)
                        }
                        index += 1
                    }
                }
            }
        }
    }

    /// The indices of levels' colors.
    @inline(__always)
    private static func places(_ levels: SIMD4<Float>) -> SIMD4<UInt32> {
        // Adding 2²³ leaves the rounded levels in the lowest bits. For -1 this gives an index after the last color.
        // SAFETY: both have 16 bytes, and every bit pattern is valid.
        let bits = unsafe unsafeBitCast(levels + 0x1p23, to: SIMD4<UInt32>.self)
        return bits &>> 7 & 511
    }
}
