/// Continues surfaces through holes that are too wide for rays: a membrane of planes, which bends where it must, and prefers
/// to do so at the photo's edges.
///
/// A pyramid of smaller planes is solved from its top; each level begins as the one above, and is relaxed. Rim samples far
/// nearer than what else is around the hole are occluders, and have almost no weight.
struct HoleContinuation {
    private static let occluderWeight: Float = 0.001
    /// How often each level is averaged in both directions: large ones begin with what is almost a solution.
    private static func sweeps(_ level: Level) -> Int { level.planes.count > 1 << 18 ? 2 : 8 }
    /// The difference of colors, of 255, that halves the influence of a neighbor.
    private static let colorStep: Float = 13
    /// How many levels above that of a hole's largest squares the samples around it are compared.
    private static let outlook = 3

    private let base: Level

    init(
        _ samples: [Float], _ holes: HoleGrid, _ rim: [RimSample], _ colors: SampleColors?, closeness: Float
    ) {
        let (width, height) = (holes.width, holes.height)
        let lowest = FarthestValues(rim, of: holes, closeness: closeness)
        var planes = [SIMD4<Float>](repeating: .zero, count: samples.count)
        for (index, sample) in zip(holes.rim, rim) {
            let (row, column) = (index / width, index % width)
            let level = holes.scales.level(atRow: row, column: column, within: 2) ?? 0
            let farthest = lowest.around(row, column, level: level + Self.outlook) + closeness
            var (count, nearer) = (0, 0)
            for direction in HoleDirection.all where direction.limit(row, column, in: holes) > 0 {
                let (x, y) = (direction.columns, direction.rows)
                guard holes.cells[index + y * width + x] > 0 else { continue }
                count += 1
                // A slope that goes on to the farthest value does not hide it.
                let reach = 1 << level
                if min(sample.value(columns: x * reach, rows: y * reach), sample.value) > farthest {
                    nearer += 1
                }
            }
            planes[index] = SIMD4(
                sample.value, sample.across, sample.along, 2 * nearer > count ? Self.occluderWeight : 1)
        }
        base = Level(
            width: width, height: height, planes: planes, isHole: holes.cells.map { $0 > 0 },
            colors: colors.map { colors in
                (0..<width * height).map {
                    SIMD4<UInt8>(colors.color($0 / width + 2, $0 % width + 2) * 255)
                }
            } ?? [])
    }

    /// The values of all samples of holes; 0 for others.
    func filled() -> [Float] {
        var levels = [base]
        while let last = levels.last, max(last.width, last.height) > 1 { levels.append(last.halved()) }
        var above: Level?
        while var level = levels.popLast() {
            if let above { level.relax(below: above, sweeps: Self.sweeps(level), colorStep: Self.colorStep) }
            above = level
        }
        return above?.planes.map(\.x) ?? []
    }
}

/// The farthest values of a rim, from level to level in squares twice as wide: means of those close to the least disparity.
private struct FarthestValues {
    /// The width of a level, and its values; infinite without any.
    private var levels: [(width: Int, values: [Float])] = []
    private let closeness: Float

    init(_ rim: [RimSample], of holes: HoleGrid, closeness: Float) {
        self.closeness = closeness
        var values = [Float](repeating: .infinity, count: holes.width * holes.height)
        for (index, sample) in zip(holes.rim, rim) { values[index] = sample.value }
        levels = [(holes.width, values)]
        while let (width, values) = levels.last, values.count > 1 {
            let height = values.count / width
            let halfWidth = (width + 1) / 2
            levels.append(
                (
                    halfWidth,
                    (0..<(height + 1) / 2 * halfWidth).map { half in
                        let (row, column) = (half / halfWidth * 2, half % halfWidth * 2)
                        return farthest(
                            of: values, width, row..<min(row + 2, height), column..<min(column + 2, width))
                    }
                ))
        }
    }

    /// The farthest value of the 3 × 3 squares of a level around a sample.
    func around(_ row: Int, _ column: Int, level: Int) -> Float {
        let number = min(level, levels.count - 1)
        let (width, values) = levels[number]
        let (row, column) = (row >> number, column >> number)
        return farthest(
            of: values, width, max(row - 1, 0)..<min(row + 2, values.count / width),
            max(column - 1, 0)..<min(column + 2, width))
    }

    private func farthest(of values: [Float], _ width: Int, _ rows: Range<Int>, _ columns: Range<Int>)
        -> Float
    {
        var least = Float.infinity
        for row in rows { for column in columns { least = min(least, values[row * width + column]) } }
        guard least < .infinity else { return .infinity }
        var (sum, count) = (Float(0), Float(0))
        for row in rows {
            for value in values[row * width + columns.lowerBound..<row * width + columns.upperBound]
            where value <= least + closeness {
                sum += value
                count += 1
            }
        }
        return sum / count
    }
}

/// A level of the pyramid.
private struct Level {
    let width: Int
    let height: Int
    /// Value, change from column to column, change from row to row, and weight, which is 0 without a value.
    var planes: [SIMD4<Float>]
    let isHole: [Bool]
    /// Empty without a photo.
    let colors: [SIMD4<UInt8>]

    func halved() -> Level {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        var sums = [SIMD4<Float>](repeating: .zero, count: halfWidth * halfHeight)
        var (colorSums, weights) = (colors.isEmpty ? [] : sums, sums.map(\.w))
        var isHole = [Bool](repeating: false, count: sums.count)
        for index in planes.indices {
            let (row, column, weight) = (index / width, index % width, planes[index].w)
            let half = row / 2 * halfWidth + column / 2
            isHole[half] = isHole[half] || self.isHole[index]
            weights[half] = max(weights[half], weight)
            var plane = planes[index].moved(column & 1 == 0 ? 0.5 : -0.5, row & 1 == 0 ? 0.5 : -0.5)
            plane.w = 1
            sums[half] += plane * weight
            if !colors.isEmpty {
                var color = SIMD4<Float>(colors[index])
                color.w = 1
                colorSums[half] += color
            }
        }
        return Level(
            width: halfWidth, height: halfHeight,
            planes: zip(sums, weights).map { sum, weight in
                weight > 0 ? SIMD4(sum.x, 2 * sum.y, 2 * sum.z, weight * sum.w) / sum.w : .zero
            }, isHole: isHole, colors: colorSums.map { SIMD4<UInt8>($0 / $0.w) })
    }

    /// Fills what has holes, and no surface behind occluders, as the level above, and then with weighted means of neighbors.
    mutating func relax(below above: Level, sweeps: Int, colorStep: Float) {
        let isFree = zip(isHole, planes).map { $0 && $1.w < 0.5 }
        for index in planes.indices where isFree[index] {
            let (row, column) = (index / width, index % width)
            let plane = above.planes[row / 2 * above.width + column / 2] * SIMD4(1, 0.5, 0.5, 0)
            planes[index] = plane.moved(column & 1 == 0 ? -0.5 : 0.5, row & 1 == 0 ? -0.5 : 0.5)
            planes[index].w = 1
        }
        let (width, height, colors) = (width, height, colors)
        let scale = 1 / (colorStep * colorStep)
        let neighbors = [(-1, 0), (1, 0), (0, -1), (0, 1)]
        // Moved, not copied.
        var planes: [SIMD4<Float>] = []
        swap(&planes, &self.planes)
        defer { swap(&planes, &self.planes) }
        for sweep in 0..<2 * sweeps {
            for number in isFree.indices {
                let index = sweep & 1 == 0 ? number : isFree.count - 1 - number
                guard isFree[index] else { continue }
                let (row, column) = (index / width, index % width)
                var sum = SIMD4<Float>.zero
                for (x, y) in neighbors
                where 0..<width ~= column + x && 0..<height ~= row + y {
                    let neighbor = index + y * width + x
                    let plane = planes[neighbor]
                    var weight = plane.w
                    if !colors.isEmpty {
                        let difference = SIMD4<Float>(colors[index]) - SIMD4<Float>(colors[neighbor])
                        weight /= 1 + (difference * difference).sum() * scale
                    }
                    var moved = plane.moved(Float(-x), Float(-y))
                    moved.w = 1
                    sum += moved * weight
                }
                if sum.w > 0 { planes[index] = sum / sum.w }
            }
        }
    }
}

extension SIMD4<Float> {
    /// A plane some columns and rows away.
    @inline(__always)
    fileprivate func moved(_ columns: Float, _ rows: Float) -> SIMD4<Float> {
        SIMD4(x + y * columns + z * rows, y, z, w)
    }
}
