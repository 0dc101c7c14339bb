package import DepthCore

/// The noise of a photo, to be added where blur has removed it.
///
/// Measured in blocks of 8 × 8 pixels, in steps of brightness: among the blocks of a step, the flattest tenth shows noise
/// alone. New noise has the same deviation and the same correlation of neighbors, and is equal in all colors, as phones
/// remove the noise of colors. It depends only on position, so a photo always gets the same.
package struct Grain: Sendable {
    /// The deviation in 8-bit codes, for ``steps`` steps of brightness.
    private let deviations: [Float]
    /// Noise of deviation 1, `side` × `side`, repeated.
    private let noise: [Float]
    /// The area in pixels that one independent sample of noise covers.
    private let grainArea: Float

    private static let steps = 16
    private static let block = 8
    private static let side = 512
    /// The tenth percentile of the deviation of 64 normal samples is the true one over this.
    private static let bias: Float = 1.12
    /// Less noise, in codes, is rounding, or a shade.
    private static let leastDeviation: Float = 0.7

    /// Measures the noise of a photo; `nil` if it is not visible.
    package init?(of photo: ColorImage) {
        switch photo.pixels {
        case .uint8(let pixels): self.init(pixels, photo.width, photo.height)
        case .uint16(let pixels): self.init(pixels, photo.width, photo.height)
        }
    }

    private init?<Sample>(_ pixels: [RGB<Sample>], _ width: Int, _ height: Int) {
        let blocks = NoiseBlock.blocks(pixels, width, height, Self.block)
        var steps = [[NoiseBlock]](repeating: [], count: Self.steps)
        for block in blocks where block.mean > 1 && block.mean < 254 {
            steps[Int(block.mean) * Self.steps / 256].append(block)
        }
        var (deviations, flattest): ([Float?], [NoiseBlock]) = ([], [])
        for step in steps {
            let flat = step.sorted { $0.variance < $1.variance }.prefix(step.count / 10)
            // Fewer blocks may all show texture.
            deviations.append(flat.count < 8 ? nil : flat.last.map { $0.variance.squareRoot() * Self.bias })
            if flat.count >= 8 { flattest += flat }
        }
        // Texture may fill all blocks of a few steps, but noise is similar in all.
        let known = deviations.compactMap(\.self).sorted()
        guard !known.isEmpty, known[known.count / 2] >= Self.leastDeviation else { return nil }
        let greatest = 1.5 * known[known.count / 2]
        self.deviations = Self.filled(deviations).map { min($0, greatest) }
        let variance = flattest.reduce(0) { $0 + $1.variance }
        let correlation = min(max(flattest.reduce(0) { $0 + $1.covariance } / variance, 0), 0.66)
        // Three taps (a, 1, a) give neighbors the correlation 2a / (1 + 2a²).
        let tap =
            correlation < 0.01
            ? 0 : (1 - (1 - 2 * correlation * correlation).squareRoot()) / (2 * correlation)
        noise = Self.noise(tap)
        let gain = (1 + 2 * tap) * (1 + 2 * tap) / (1 + 2 * tap * tap)
        grainArea = gain * gain
    }

    /// Missing deviations are those of the nearest step of brightness.
    private static func filled(_ deviations: [Float?]) -> [Float] {
        let known = deviations.indices.filter { deviations[$0] != nil }
        return deviations.indices.map { index in
            known.min { abs($0 - index) < abs($1 - index) }.flatMap { deviations[$0] } ?? 0
        }
    }

    /// Correlated noise of deviation 1. The sum of four uniform bytes is nearly normal.
    private static func noise(_ tap: Float) -> [Float] {
        let white = (0..<side * side).map { index -> Float in
            // The finalizer of MurmurHash3.
            var hash = UInt32(truncatingIfNeeded: index) &* 0x9e37_79b9
            hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
            hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
            hash ^= hash >> 16
            let sum = (hash & 255) + (hash >> 8 & 255) + (hash >> 16 & 255) + (hash >> 24)
            // The deviation of a uniform byte is 73.9, and four add up to twice that.
            return (Float(sum) - 510) / 147.8
        }
        func smoothed(_ samples: [Float], stride: Int) -> [Float] {
            let scale = 1 / (1 + 2 * tap * tap).squareRoot()
            return samples.indices.map { index in
                let next = samples[(index + stride) % samples.count]
                let last = samples[(index + samples.count - stride) % samples.count]
                return (samples[index] + tap * (next + last)) * scale
            }
        }
        return smoothed(smoothed(white, stride: 1), stride: side)
    }

    /// How much of the noise a disc of this radius removes, as a factor of its deviation: from 0 to 1.
    func removed(byRadius radius: Float) -> Float {
        let area = Float.pi * radius * radius
        return radius < 0.5 ? 0 : (1 - min(grainArea / max(area, grainArea), 1)).squareRoot()
    }

    /// Adds an amount of noise, 0 to 1, to a pixel.
    @inline(__always)
    func add<Sample: FixedWidthInteger>(_ amount: Float, to pixel: inout RGB<Sample>, column: Int, row: Int) {
        let scale = Float(Int(Sample.max) / 255)
        let mean = (Float(pixel.red) + Float(pixel.green) + Float(pixel.blue)) / (3 * scale)
        let deviation = deviations[min(Int(mean) * Self.steps / 256, Self.steps - 1)]
        let change = noise[(row % Self.side) * Self.side + column % Self.side] * deviation * amount * scale
        func changed(_ value: Sample) -> Sample {
            Sample(min(max(Float(value) + change, 0), Float(Sample.max)).rounded())
        }
        pixel = RGB(red: changed(pixel.red), green: changed(pixel.green), blue: changed(pixel.blue))
    }
}

/// What a block of pixels shows of a photo's noise, in 8-bit codes of the mean color, apart from a shade across it.
private struct NoiseBlock: BitwiseCopyable, Sendable {
    var mean: Float
    var variance: Float
    /// That of horizontal neighbors.
    var covariance: Float

    static func blocks<Sample>(_ pixels: [RGB<Sample>], _ width: Int, _ height: Int, _ side: Int)
        -> [NoiseBlock]
    {
        let columns = width / side
        return parallelMapRows(width: columns, height: height / side, minimum: 1) { rows, output in
            for row in rows {
                for column in 0..<columns {
                    output[(row - rows.lowerBound) * columns + column] = NoiseBlock(
                        pixels, width, (column * side, row * side), side)
                }
            }
        }
    }

    private init<Sample>(_ pixels: [RGB<Sample>], _ width: Int, _ corner: (x: Int, y: Int), _ side: Int) {
        let scale = 1 / Float(3 * (Int(Sample.max) / 255))
        func code(_ column: Int, _ row: Int) -> Float {
            let pixel = pixels[(corner.y + row) * width + corner.x + column]
            return (Float(pixel.red) + Float(pixel.green) + Float(pixel.blue)) * scale
        }
        // Least squares: a plane through the block, whose coordinates are 0 in its middle.
        let (count, middle) = (Float(side * side), Float(side - 1) / 2)
        let moment = count * (count - 1) / 12
        var (sum, across, down) = (Float(0), Float(0), Float(0))
        for row in 0..<side {
            for column in 0..<side {
                let value = code(column, row)
                sum += value
                across += value * (Float(column) - middle)
                down += value * (Float(row) - middle)
            }
        }
        mean = sum / count
        let slope = SIMD2(across, down) / moment
        var (squares, products) = (Float(0), Float(0))
        for row in 0..<side {
            var last: Float = 0
            for column in 0..<side {
                let plane = mean + slope.x * (Float(column) - middle) + slope.y * (Float(row) - middle)
                let rest = code(column, row) - plane
                squares += rest * rest
                products += last * rest
                last = rest
            }
        }
        variance = squares / (count - 3)
        covariance = products / (count - Float(side))
    }
}
