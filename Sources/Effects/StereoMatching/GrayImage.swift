internal import DepthMaps

/// Luma in 8 bits, row by row.
struct GrayImage: Sendable {
    var width: Int
    var height: Int
    var samples: [UInt8]

    init(width: Int, height: Int, samples: [UInt8]) {
        precondition(samples.count == width * height)
        self.width = width
        self.height = height
        self.samples = samples
    }

    /// The luma of gamma-coded colors (ITU-R BT.601 weights, as in JPEG).
    init(_ image: ColorImage) {
        let (width, height) = (image.width, image.height)
        func luma<Sample>(_ pixels: [RGB<Sample>]) -> [UInt8] {
            parallelMapRows(width: width, height: height) { rows, output in
                let pixels = pixels.span.extracting(rows.lowerBound * width..<rows.upperBound * width)
                for index in pixels.indices { output[index] = Self.luma(pixels[index]) }
            }
        }
        self.init(width: width, height: height, samples: image.pixels.apply(luma, luma))
    }

    @inline(__always) private static func luma<Sample>(_ pixel: RGB<Sample>) -> UInt8 {
        let shift = UInt32(Sample.bitWidth - 8)
        let (red, green) = (UInt32(truncatingIfNeeded: pixel.red), UInt32(truncatingIfNeeded: pixel.green))
        let blue = UInt32(truncatingIfNeeded: pixel.blue)
        let sum = 77 * (red >> shift) + 150 * (green >> shift) + 29 * (blue >> shift) + 128
        return UInt8(truncatingIfNeeded: sum >> 8)
    }

    /// Half the size: the mean of each 2 × 2 samples. A last odd row or column is dropped.
    func halved() -> GrayImage {
        let (newWidth, newHeight) = (max(1, width / 2), max(1, height / 2))
        let (width, height) = (width, height)
        let samples = samples
        let halved: [UInt8] = parallelMapRows(width: newWidth, height: newHeight) { rows, output in
            let source = samples.span
            for row in rows {
                let (top, bottom) = (2 * row * width, min(2 * row + 1, height - 1) * width)
                for column in 0..<newWidth {
                    let (left, right) = (2 * column, min(2 * column + 1, width - 1))
                    let sum =
                        UInt16(source[top + left]) + UInt16(source[top + right])
                        + UInt16(source[bottom + left]) + UInt16(source[bottom + right])
                    output[(row - rows.lowerBound) * newWidth + column] = UInt8((sum + 2) / 4)
                }
            }
        }
        return GrayImage(width: newWidth, height: newHeight, samples: halved)
    }

    /// A sample, with the border repeated beyond the picture.
    @inline(__always) func sample(_ column: Int, _ row: Int) -> UInt8 {
        samples[min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)]
    }

    /// The picture sampled at (x, y) + `offset(x, y)`, bilinearly, with its border repeated.
    func displaced(_ offset: @escaping @Sendable (_ x: Float, _ y: Float) -> SIMD2<Float>) -> GrayImage {
        let (width, height) = (width, height)
        let moved: [UInt8] = parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                for column in 0..<width {
                    let move = offset(Float(column), Float(row))
                    let x = min(max(Float(column) + move.x, 0), Float(width - 1))
                    let y = min(max(Float(row) + move.y, 0), Float(height - 1))
                    let (left, top) = (Int(x), Int(y))
                    let (u, v) = (x - Float(left), y - Float(top))
                    let upper =
                        Float(sample(left, top)) * (1 - u) + Float(sample(left + 1, top)) * u
                    let lower =
                        Float(sample(left, top + 1)) * (1 - u) + Float(sample(left + 1, top + 1)) * u
                    output[(row - rows.lowerBound) * width + column] = UInt8(
                        upper * (1 - v) + lower * v + 0.5)
                }
            }
        }
        return GrayImage(width: width, height: height, samples: moved)
    }

    /// The picture sampled where the map takes each pixel, as ``displaced(_:)`` does.
    func warped(_ map: Homography) -> GrayImage {
        displaced { x, y in
            let pixel = SIMD2(Double(x), Double(y))
            let move = map.mapped(pixel) - pixel
            return SIMD2(Float(move.x), Float(move.y))
        }
    }
}
