/// How unknown samples get values from known ones.
package enum HoleFilling: String, CaseIterable, Hashable, Sendable {
    /// A membrane spanned from the rim of the hole: suits holes in surfaces.
    case smooth
    /// The farthest neighbor, from the rim inwards: suits the shadow of a near object in stereo.
    case farthest
}

extension DisparityMap {
    /// The map without unknown samples, unless all are unknown. Known samples stay; infinite samples stay and have no
    /// influence.
    public func filled() -> DisparityMap { filled(by: .smooth) }

    /// The map without unknown samples, filled by a method.
    package func filled(by method: HoleFilling) -> DisparityMap {
        let samples = reciprocalMeters
        let known = samples.map { $0.isFinite ? $0 : .nan }
        guard known.contains(where: \.isNaN), let range = statistics.range else { return self }
        let filled =
            method == .smooth
            ? HolePyramid(known, width, height).filled() : filledFromRim(known, width, height)
        return replacing(
            reciprocalMeters: samples.indices.map { index in
                samples[index].isNaN
                    ? min(max(filled[index], range.lowerBound), range.upperBound) : samples[index]
            })
    }
}

extension DepthMap {
    /// The map without unknown samples, filled in disparity. Known samples stay; samples that are not positive have no
    /// influence. See ``DisparityMap/filled()``.
    public func filled() -> DepthMap { filled(by: .smooth) }

    /// The map without unknown samples, filled by a method.
    package func filled(by method: HoleFilling) -> DepthMap {
        let filled = DepthMap(reciprocalOf: DisparityMap(reciprocalOf: self).filled(by: method)).meters
        return replacing(meters: meters.indices.map { meters[$0].isNaN ? filled[$0] : meters[$0] })
    }
}

/// Levels of half the size each, down to one without unknown samples. Holes are filled from the coarsest level up.
private struct HolePyramid {
    private let width: Int
    private let height: Int
    private let samples: [Float]

    init(_ samples: [Float], _ width: Int, _ height: Int) {
        (self.samples, self.width, self.height) = (samples, width, height)
    }

    func filled() -> [Float] {
        let holes = samples.indices.filter { samples[$0].isNaN }
        guard !holes.isEmpty, samples.count > 1 else { return samples }
        let coarse = reduced()
        let coarseSamples = coarse.filled()
        var result = samples
        for index in holes {
            result[index] = Self.interpolated(
                coarseSamples, coarse.width, coarse.height, index % width, index / width)
        }
        relax(&result, holes)
        return result
    }

    /// Half the size: the mean of the known samples of 2 × 2.
    private func reduced() -> HolePyramid {
        let (newWidth, newHeight) = ((width + 1) / 2, (height + 1) / 2)
        var reduced = [Float](repeating: .nan, count: newWidth * newHeight)
        for row in 0..<newHeight {
            for column in 0..<newWidth {
                var (sum, count) = (Float(0), Float(0))
                for y in 2 * row..<min(2 * row + 2, height) {
                    for x in 2 * column..<min(2 * column + 2, width) where !samples[y * width + x].isNaN {
                        sum += samples[y * width + x]
                        count += 1
                    }
                }
                if count > 0 { reduced[row * newWidth + column] = sum / count }
            }
        }
        return HolePyramid(reduced, newWidth, newHeight)
    }

    /// Bilinear between the centers of the coarse samples: weights 9, 3, 3 and 1 of 16.
    private static func interpolated(
        _ coarse: [Float], _ width: Int, _ height: Int, _ column: Int, _ row: Int
    ) -> Float {
        let (x, y) = (column / 2, row / 2)
        let nextX = min(max(x + (column % 2 == 0 ? -1 : 1), 0), width - 1)
        let nextY = min(max(y + (row % 2 == 0 ? -1 : 1), 0), height - 1)
        let upper = coarse[y * width + x] * 0.75 + coarse[y * width + nextX] * 0.25
        let lower = coarse[nextY * width + x] * 0.75 + coarse[nextY * width + nextX] * 0.25
        return upper * 0.75 + lower * 0.25
    }

    /// Gauss–Seidel sweeps over the holes: each sample becomes the mean of its neighbors.
    private func relax(_ samples: inout [Float], _ holes: [Int]) {
        for sweep in 0..<8 {
            for place in holes.indices {
                let index = sweep % 2 == 0 ? holes[place] : holes[holes.count - 1 - place]
                let column = index % width
                let left = samples[column > 0 ? index - 1 : index]
                let right = samples[column < width - 1 ? index + 1 : index]
                let above = samples[index >= width ? index - width : index]
                let below = samples[index + width < samples.count ? index + width : index]
                samples[index] = (left + right + above + below) * 0.25
            }
        }
    }
}

/// Ring by ring: each unknown sample beside known ones gets the smallest disparity of its eight neighbors.
///
/// Visits only the holes, at any width. In contrast, the cells of a matte (`CellGrid`) take means of their neighbors for a
/// given number of passes, on grids so small that each pass visits all cells.
private func filledFromRim(_ samples: [Float], _ width: Int, _ height: Int) -> [Float] {
    func neighbors(_ index: Int) -> [Int] {
        let (column, row) = (index % width, index / width)
        let columns = max(column - 1, 0)...min(column + 1, width - 1)
        return (max(row - 1, 0)...min(row + 1, height - 1)).flatMap { row in
            columns.map { row * width + $0 }
        }
    }
    var result = samples
    var isQueued = samples.map { !$0.isNaN }
    var ring = samples.indices.filter { index in
        samples[index].isNaN && neighbors(index).contains { !samples[$0].isNaN }
    }
    for index in ring { isQueued[index] = true }
    while !ring.isEmpty {
        let values = ring.map { index in
            neighbors(index).reduce(Float.infinity) { result[$1] < $0 ? result[$1] : $0 }
        }
        for (index, value) in zip(ring, values) { result[index] = value }
        var inner: [Int] = []
        for neighbor in ring.flatMap(neighbors) where !isQueued[neighbor] {
            isQueued[neighbor] = true
            inner.append(neighbor)
        }
        ring = inner
    }
    return result
}
