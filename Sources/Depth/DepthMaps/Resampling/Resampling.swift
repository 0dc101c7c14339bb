/// How a plane is scaled to another size.
///
/// No method blends with unknown or infinite samples.
package enum ResamplingMethod: String, CaseIterable, Hashable, Sendable {
    /// The sample whose area contains the new sample's center.
    case nearest
    /// Linear between the centers of the four samples around. If the nearest is unknown or infinite, so is the new sample;
    /// otherwise only the finite ones are used. Meant for enlarging.
    case bilinear
    /// The mean over the new sample's area. Unknown if less than half of it is known, infinite if more of it is infinite than
    /// finite. Meant for reducing.
    case area
}

extension FloatPlane {
    /// The plane at another size, with the same field of view; accuracy and camera stay.
    ///
    /// A ``DepthMap`` is blended in meters. For far surfaces, convert to ``DisparityMap`` first.
    package func resampled(toWidth newWidth: Int, height newHeight: Int, by method: ResamplingMethod) -> Self
    {
        replacing(
            samples: resample(samples, from: (width, height), to: (newWidth, newHeight), by: method),
            width: newWidth, height: newHeight)
    }
}

extension Matte {
    /// The matte at another size, with the same field of view.
    package func resampled(
        toWidth newWidth: Int, height newHeight: Int, by method: ResamplingMethod
    ) -> Matte {
        guard (newWidth, newHeight) != (width, height) else { return self }
        guard method != .area else {
            return Matte(width: newWidth, height: newHeight, coverage: averaged(newWidth, newHeight))
        }
        let samples = resample(
            coverage.map { Float($0) }, from: (width, height), to: (newWidth, newHeight), by: method)
        return Matte(width: newWidth, height: newHeight, coverage: samples.map { UInt8($0 + 0.5) })
    }

    /// The means of areas, without a copy of the matte in floating point.
    private func averaged(_ newWidth: Int, _ newHeight: Int) -> [UInt8] {
        precondition(!coverage.isEmpty || newWidth * newHeight == 0, "nothing has no values")
        let (width, coverage) = (width, coverage)
        let columns = ResamplingAxis(width, to: newWidth, by: .area)
        let lines = ResamplingAxis(height, to: newHeight, by: .area)
        return parallelMapRows(width: newWidth, height: newHeight, minimum: 4) { rows, output in
            var sums = [Double](repeating: 0, count: width)
            for row in rows {
                let taps = lines.taps(of: row)
                var down = 0.0
                for column in sums.indices { sums[column] = 0 }
                for (offset, place) in taps.places.enumerated() {
                    let line = coverage.span.extracting(droppingFirst: (taps.first + offset) * width)
                    let weight = Double(lines.weights[place])
                    for column in sums.indices { sums[column] += Double(line[column]) * weight }
                    down += weight
                }
                for column in 0..<newWidth {
                    let taps = columns.taps(of: column)
                    var (sum, across) = (0.0, 0.0)
                    for (offset, place) in taps.places.enumerated() {
                        let weight = Double(columns.weights[place])
                        sum += sums[taps.first + offset] * weight
                        across += weight
                    }
                    output[(row - rows.lowerBound) * newWidth + column] = UInt8(sum / (across * down) + 0.5)
                }
            }
        }
    }
}

extension GainMap {
    /// The map at another size, with the same field of view.
    package func resampled(
        toWidth newWidth: Int, height newHeight: Int, by method: ResamplingMethod
    ) -> GainMap {
        GainMap(
            width: newWidth, height: newHeight,
            factors: factors.map {
                resample($0, from: (width, height), to: (newWidth, newHeight), by: method)
            }, parameters: parameters)
    }
}

private func resample(
    _ samples: [Float], from size: (width: Int, height: Int), to newSize: (width: Int, height: Int),
    by method: ResamplingMethod
) -> [Float] {
    precondition(newSize.width >= 0 && newSize.height >= 0, "a size is not negative")
    guard size != newSize else { return samples }
    precondition(!samples.isEmpty || newSize.width * newSize.height == 0, "nothing has no values")
    switch method {
    case .nearest: return nearest(samples, size.width, size.height, newSize.width, newSize.height)
    case .bilinear: return bilinear(samples, size.width, size.height, newSize.width, newSize.height)
    case .area: return areaMean(samples, size.width, size.height, newSize.width, newSize.height)
    }
}

private func nearest(
    _ samples: [Float], _ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int
) -> [Float] {
    let columns = ResamplingAxis.nearest(of: width, at: newWidth)
    let sourceRows = ResamplingAxis.nearest(of: height, at: newHeight)
    return parallelMapRows(width: newWidth, height: newHeight) { rows, output in
        for row in rows {
            let source = samples.span.extracting(droppingFirst: sourceRows[row] * width)
            let start = (row - rows.lowerBound) * newWidth
            for column in 0..<newWidth {
                output[start + column] = source[columns[column]]
            }
        }
    }
}

private func bilinear(
    _ samples: [Float], _ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int
) -> [Float] {
    let columns = InterpolationTap.taps(of: newWidth, in: width)
    let sourceRows = InterpolationTap.taps(of: newHeight, in: height)
    return parallelMapRows(width: newWidth, height: newHeight) { rows, output in
        for row in rows {
            let y = sourceRows[row]
            let upper = samples.span.extracting(y.first * width..<(y.first + 1) * width)
            let lower = samples.span.extracting(y.second * width..<(y.second + 1) * width)
            let start = (row - rows.lowerBound) * newWidth
            for column in 0..<newWidth {
                let x = columns[column]
                let corners = SIMD4(upper[x.first], upper[x.second], lower[x.first], lower[x.second])
                output[start + column] = blend(corners, x.fraction, y.fraction)
            }
        }
    }
}

/// Interpolates between the corners of a square, in reading order; non-finite corners are not blended.
private func blend(_ corners: SIMD4<Float>, _ x: Float, _ y: Float) -> Float {
    let upper = corners[0] + (corners[1] - corners[0]) * x
    let lower = corners[2] + (corners[3] - corners[2]) * x
    let value = upper + (lower - upper) * y
    guard !value.isFinite else { return value }
    let nearest = corners[(x < 0.5 ? 0 : 1) + (y < 0.5 ? 0 : 2)]
    guard nearest.isFinite else { return nearest }
    let weights = SIMD4((1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y)
    var (sum, weight) = (Float(0), Float(0))
    for corner in 0..<4 where corners[corner].isFinite {
        sum += corners[corner] * weights[corner]
        weight += weights[corner]
    }
    return sum / weight
}

private func areaMean(
    _ samples: [Float], _ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int
) -> [Float] {
    let columns = ResamplingAxis(width, to: newWidth, by: .area)
    let sourceRows = ResamplingAxis(height, to: newHeight, by: .area)
    return parallelMapRows(width: newWidth, height: newHeight) { rows, output in
        for row in rows {
            let down = sourceRows.taps(of: row)
            for column in 0..<newWidth {
                let across = columns.taps(of: column)
                var mean = AreaMean()
                for (y, place) in down.places.enumerated() {
                    let line = samples.span.extracting(droppingFirst: (down.first + y) * width + across.first)
                    let weight = Double(sourceRows.weights[place])
                    for (x, place) in across.places.enumerated() {
                        mean.add(line[x], weight * Double(columns.weights[place]))
                    }
                }
                output[(row - rows.lowerBound) * newWidth + column] = mean.value
            }
        }
    }
}

/// Sums samples and the areas that they cover. Rows are not summed before columns, as pictures are, because the known samples
/// differ from column to column.
private struct AreaMean {
    private var sum = 0.0
    private var finite = 0.0
    private var infinite = 0.0
    private var unknown = 0.0

    mutating func add(_ sample: Float, _ area: Double) {
        if sample.isFinite {
            sum += Double(sample) * area
            finite += area
        } else if sample == .infinity {
            infinite += area
        } else {
            unknown += area
        }
    }

    var value: Float {
        guard finite + infinite >= unknown, finite + infinite > 0 else { return .nan }
        return finite >= infinite ? Float(sum / finite) : .infinity
    }
}
