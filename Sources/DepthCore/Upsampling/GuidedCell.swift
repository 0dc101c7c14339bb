/// What a cell's 4 × 4 samples are like.
enum GuidedCell: UInt8, Sendable {
    /// None of the four corners is finite, and all are unknown.
    case empty
    /// All are finite, and differ by less than a jump.
    case even
    /// There is a jump, or something is not finite.
    case edge
}

/// Samples with two more on each side, copies of the outermost, so that every cell has 4 × 4.
struct PaddedPlane: Sendable {
    /// Samples, 0 where they are not finite.
    let values: [Float]
    /// 1 where the sample is finite, else 0.
    let weights: [Float]
    /// The samples as they were.
    let originals: [Float]
    /// How far each sample lies between its neighbors on both sides, as one that saw two surfaces does; 0 on surfaces
    /// and for lines one sample wide.
    let mixing: [Float]
    /// Samples in a padded row.
    let stride: Int
    private let height: Int

    init(_ plane: LowResolutionPlane) {
        stride = plane.width + 4
        height = plane.height + 4
        let (width, lastRow) = (plane.width, plane.height - 1)
        var originals: [Float] = []
        originals.reserveCapacity(stride * height)
        for row in -2..<plane.height + 2 {
            let start = min(max(row, 0), lastRow) * width
            for column in -2..<width + 2 {
                originals.append(plane.samples[start + min(max(column, 0), width - 1)])
            }
        }
        self.originals = originals
        values = originals.map { $0.isFinite ? $0 : 0 }
        weights = originals.map { $0.isFinite ? 1 : 0 }
        mixing = Self.mixing(originals, stride, height)
    }

    private static func mixing(_ samples: [Float], _ stride: Int, _ height: Int) -> [Float] {
        @Sendable func between(_ before: Float, _ value: Float, _ after: Float) -> Float {
            let (rise, next) = (value - before, after - value)
            return rise * next > 0 && (rise + next).isFinite ? min(rise.magnitude, next.magnitude) : 0
        }
        return parallelMapRows(width: stride, height: height) { rows, output in
            let samples = samples.span
            for row in rows {
                let (above, below) = (max(row - 1, 0) * stride, min(row + 1, height - 1) * stride)
                for column in 0..<stride {
                    let value = samples[row * stride + column]
                    let left = samples[row * stride + max(column - 1, 0)]
                    let right = samples[row * stride + min(column + 1, stride - 1)]
                    output[(row - rows.lowerBound) * stride + column] = max(
                        between(left, value, right),
                        between(samples[above + column], value, samples[below + column]))
                }
            }
        }
    }

    /// The kinds of all cells, row by row: one more than samples in each direction.
    func cells(jump: Float) -> [GuidedCell] {
        let columns = stride - 3
        return parallelMapRows(width: columns, height: height - 3) { rows, output in
            for row in rows {
                for column in 0..<columns {
                    let place = row * stride + column
                    output[(row - rows.lowerBound) * columns + column] = kind(at: place, jump)
                }
            }
        }
    }

    private func kind(at place: Int, _ jump: Float) -> GuidedCell {
        let values = square(values, at: place)
        let known = square(weights, at: place).treeSum
        let range = values.max() - values.min()
        if known == 16 { return range <= jump && range.isFinite ? .even : .edge }
        let corners = [1, 2].flatMap { row in [1, 2].map { originals[place + row * stride + $0] } }
        return corners.allSatisfy(\.isNaN) ? .empty : .edge
    }

    /// The 4 × 4 samples from a place in a padded plane of this size.
    @inline(__always)
    func square(_ samples: [Float], at place: Int) -> SIMD16<Float> {
        let samples = samples.span
        return SIMD16(
            rows: four(samples, place), four(samples, place + stride), four(samples, place + 2 * stride),
            four(samples, place + 3 * stride))
    }

    @inline(__always)
    private func four(_ samples: Span<Float>, _ place: Int) -> SIMD4<Float> {
        SIMD4(samples[place], samples[place + 1], samples[place + 2], samples[place + 3])
    }
}

/// The photo's colors, 0…1, at the samples of a ``PaddedPlane``.
struct PaddedGuide: Sendable {
    let red: [Float]
    let green: [Float]
    let blue: [Float]

    init<Sample: FixedWidthInteger>(
        _ pixels: [RGB<Sample>], _ width: Int, _ height: Int, _ sampleColumns: Int, _ sampleRows: Int
    ) {
        let columns = (-2..<sampleColumns + 2).map {
            InterpolationTap(min(max($0, 0), sampleColumns - 1), of: sampleColumns, in: width)
        }
        let rows = (-2..<sampleRows + 2).map {
            InterpolationTap(min(max($0, 0), sampleRows - 1), of: sampleRows, in: height)
        }
        let scale = 1 / Float(Sample.max)
        var (red, green, blue): ([Float], [Float], [Float]) = ([], [], [])
        for row in rows {
            for column in columns {
                let color = Self.color(pixels, width, column, row) * scale
                red.append(color.x)
                green.append(color.y)
                blue.append(color.z)
            }
        }
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    private static func color<Sample: FixedWidthInteger>(
        _ pixels: [RGB<Sample>], _ width: Int, _ x: InterpolationTap, _ y: InterpolationTap
    ) -> SIMD3<Float> {
        func at(_ column: Int, _ row: Int) -> SIMD3<Float> {
            let pixel = pixels[row * width + column]
            return SIMD3(Float(pixel.red), Float(pixel.green), Float(pixel.blue))
        }
        let upper = at(x.first, y.first) * (1 - x.fraction) + at(x.second, y.first) * x.fraction
        let lower = at(x.first, y.second) * (1 - x.fraction) + at(x.second, y.second) * x.fraction
        return upper * (1 - y.fraction) + lower * y.fraction
    }
}
