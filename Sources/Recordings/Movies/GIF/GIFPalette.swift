package import DepthMaps

/// The palette of an animated GIF, and the mapping of pixels to it.
///
/// At most 256 colors, by median cut (P. Heckbert, "Color image quantization for frame buffer display", 1982) of the colors
/// in 5 bits per channel. Pixels between them are dithered by a fixed 8 × 8 pattern, so that parts of a picture without
/// motion do not flicker.
package struct GIFPalette: Sendable {
    /// Up to 256 colors.
    let colors: [RGB<UInt8>]
    /// The nearest color of each color in 5 bits per channel.
    private let nearest: [UInt8]

    /// Bins of colors: a channel's range in 5 bits, the number of pixels, and their sum.
    private struct Bin {
        var color: SIMD3<Int>
        var count: Int
    }

    /// The colors that represent all these pictures best.
    package init(of pictures: [[RGB<UInt8>]]) {
        var counts = [Int](repeating: 0, count: 1 << 15)
        for pixel in pictures.joined() {
            counts[Self.bin(Int(pixel.red), Int(pixel.green), Int(pixel.blue))] += 1
        }
        let bins = counts.indices.filter { counts[$0] > 0 }.map { index in
            Bin(color: SIMD3(index >> 10, index >> 5 & 31, index & 31), count: counts[index])
        }
        colors = Self.boxes(bins).map(Self.mean)
        nearest = Self.nearestColors(colors)
    }

    private static func bin(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3
    }

    /// Repeatedly splits the box with the largest product of pixels and longest side.
    private static func boxes(_ bins: [Bin]) -> [[Bin]] {
        var boxes = bins.isEmpty ? [] : [bins]
        while boxes.count < 256 {
            let weights = boxes.map { box in
                Double(box.reduce(0) { $0 + $1.count }).squareRoot() * Double(sides(of: box).max())
            }
            guard let place = weights.indices.max(by: { weights[$0] < weights[$1] }), weights[place] > 0
            else {
                return boxes
            }
            let size = sides(of: boxes[place])
            let axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2
            let sorted = boxes[place].sorted {
                ($0.color[axis], $0.color.x, $0.color.y) < ($1.color[axis], $1.color.x, $1.color.y)
            }
            let half = sorted.reduce(0) { $0 + $1.count } / 2
            var (sum, cut) = (0, 0)
            while cut < sorted.count - 1, sum + sorted[cut].count <= half || cut == 0 {
                sum += sorted[cut].count
                cut += 1
            }
            boxes[place] = Array(sorted[..<cut])
            boxes.append(Array(sorted[cut...]))
        }
        return boxes
    }

    private static func sides(of box: [Bin]) -> SIMD3<Int> {
        guard box.count > 1 else { return .zero }
        var (low, high) = (box[0].color, box[0].color)
        for bin in box {
            low = pointwiseMin(low, bin.color)
            high = pointwiseMax(high, bin.color)
        }
        return high &- low
    }

    private static func mean(of box: [Bin]) -> RGB<UInt8> {
        var (sum, count) = (SIMD3<Int>.zero, 0)
        for bin in box {
            sum &+= (bin.color &* 8 &+ 4) &* bin.count
            count += bin.count
        }
        let mean = sum / max(count, 1)
        return RGB(
            red: UInt8(clamping: mean.x), green: UInt8(clamping: mean.y), blue: UInt8(clamping: mean.z))
    }

    private static func nearestColors(_ colors: [RGB<UInt8>]) -> [UInt8] {
        let palette = colors.map { SIMD4(Int32($0.red), Int32($0.green), Int32($0.blue), 0) }
        return parallelMapRows(width: 1 << 10, height: 32, minimum: 1) { rows, output in
            for index in rows.lowerBound << 10..<rows.upperBound << 10 {
                let color = SIMD4(
                    Int32(index >> 10) * 8 + 4, Int32(index >> 5 & 31) * 8 + 4, Int32(index & 31) * 8 + 4, 0)
                var (best, least) = (0, Int32.max)
                for place in palette.indices {
                    let offset = palette[place] &- color
                    let distance = (offset &* offset).wrappedSum()
                    if distance < least { (best, least) = (place, distance) }
                }
                output[index - (rows.lowerBound << 10)] = UInt8(truncatingIfNeeded: best)
            }
        }
    }

    /// Bayer's matrix of order 8, as thresholds around 0 that spread over about two bins.
    private static let pattern: [Int] = (0..<64).map { place in
        let (x, y) = (place % 8, place / 8)
        var value = 0
        for bit in 0..<3 {
            let (a, b) = (x >> bit & 1, y >> bit & 1)
            value |= (a ^ b) << (5 - 2 * bit) | b << (4 - 2 * bit)
        }
        return (value * 2 - 63) / 8
    }

    /// The number of each pixel's color.
    func indices(of picture: [RGB<UInt8>], width: Int) -> [UInt8] {
        let (nearest, pattern) = (nearest, Self.pattern)
        return parallelMapRows(width: width, height: picture.count / max(width, 1)) { rows, output in
            for row in rows {
                for column in 0..<width {
                    let pixel = picture[row * width + column]
                    let offset = pattern[row % 8 * 8 + column % 8]
                    func channel(_ code: UInt8) -> Int { min(max(Int(code) + offset, 0), 255) }
                    output[(row - rows.lowerBound) * width + column] =
                        nearest[Self.bin(channel(pixel.red), channel(pixel.green), channel(pixel.blue))]
                }
            }
        }
    }
}
