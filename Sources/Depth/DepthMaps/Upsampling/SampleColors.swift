/// The photo's colors, 0…1, at the samples of a ``PaddedPlane``: the mean of up to 4 × 4 pixels around each center.
///
/// Each row holds a row of red, one of green and one of blue, each as long as a row of the plane, so that neighbors
/// load as vectors.
struct SampleColors: Sendable {
    /// Rows of three channels.
    let channels: [Float]
    /// Samples in a padded row.
    let stride: Int

    /// The colors of a photo at the samples of a plane of its view.
    init(_ photo: ColorImage, sampleColumns: Int, sampleRows: Int) {
        func colors<Sample>(_ pixels: [RGB<Sample>]) -> SampleColors {
            SampleColors(
                pixels, photo.width, photo.height, sampleColumns: sampleColumns, sampleRows: sampleRows)
        }
        self = photo.pixels.apply(colors, colors)
    }

    init<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>(
        _ pixels: [RGB<Sample>], _ width: Int, _ height: Int, sampleColumns: Int, sampleRows: Int
    ) {
        let stride = sampleColumns + 4
        let columns = PixelsOfSamples(of: width, in: sampleColumns)
        let rows = PixelsOfSamples(of: height, in: sampleRows)
        let scale = 1 / (Float(Sample.max) * Float(columns.count * rows.count))
        channels = parallelMapRows(width: 3 * stride, height: sampleRows + 4) { band, output in
            let pixels = pixels.span
            for row in band {
                let red = (row - band.lowerBound) * 3 * stride
                for column in 0..<stride {
                    var (r, g, b): (UInt32, UInt32, UInt32) = (0, 0, 0)
                    for y in 0..<rows.count {
                        let line = rows.indices[row * rows.count + y] * width
                        for x in 0..<columns.count {
                            let pixel = pixels[line + columns.indices[column * columns.count + x]]
                            r &+= UInt32(truncatingIfNeeded: pixel.red)
                            g &+= UInt32(truncatingIfNeeded: pixel.green)
                            b &+= UInt32(truncatingIfNeeded: pixel.blue)
                        }
                    }
                    output[red + column] = Float(r) * scale
                    output[red + stride + column] = Float(g) * scale
                    output[red + 2 * stride + column] = Float(b) * scale
                }
            }
        }
        self.stride = stride
    }

    /// The index of a sample's red in ``channels``; green and blue follow after one and two strides.
    @inline(__always)
    func place(_ row: Int, _ column: Int) -> Int { row &* 3 &* stride &+ column }

    /// The mean difference of the channels at two indices.
    @inline(__always)
    func difference(_ first: Int, _ second: Int) -> Float {
        let red = channels[first] - channels[second]
        let green = channels[first &+ stride] - channels[second &+ stride]
        let blue = channels[first &+ 2 &* stride] - channels[second &+ 2 &* stride]
        return (red.magnitude + green.magnitude + blue.magnitude) / 3
    }

    /// The color at a sample; the last element is 0.
    @inline(__always)
    func color(_ row: Int, _ column: Int) -> SIMD4<Float> {
        let place = place(row, column)
        return SIMD4(channels[place], channels[place &+ stride], channels[place &+ 2 &* stride], 0)
    }
}

/// The pixels along one axis whose mean is the color of each padded sample: the same number for all, around the sample's
/// center.
private struct PixelsOfSamples {
    /// The fraction of a sample that they cover: pixels near its border may belong to two surfaces.
    private static let share = 0.6
    /// Pixels of a sample.
    let count: Int
    /// The pixels of all samples, one sample after the other.
    let indices: [Int]

    init(of pixelCount: Int, in sampleCount: Int) {
        let ratio = Double(pixelCount) / Double(sampleCount)
        let count = min(max(Int((ratio * Self.share).rounded()), 1), 4)
        self.count = count
        indices = (-2..<sampleCount + 2).flatMap { index in
            let sample = min(max(index, 0), sampleCount - 1)
            return (0..<count).map { number in
                let share = 0.5 + (Double(number) - Double(count - 1) / 2) * Self.share / Double(count)
                return min(max(Int((Double(sample) + share) * ratio), 0), pixelCount - 1)
            }
        }
    }
}
