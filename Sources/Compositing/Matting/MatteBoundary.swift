internal import DepthCore

/// Corrects a plane of values that grow with nearness around the edge of a matte's subject, where a depth map knows less than
/// the matte: each pixel gets the value of the subject or of what is behind, by the matte, wherever the subject is the nearer
/// of the two.
struct MatteBoundary {
    private let matte: [UInt8]
    private let width: Int
    private let height: Int
    /// Pixels in a cell, across and down.
    private let cell: Int
    private let columns: Int
    private let rows: Int
    /// The subject's value in each cell near it, `nan` elsewhere.
    private var subject: [Float]
    /// The same of what is behind.
    private var background: [Float]
    /// The least difference between the two that matters.
    private let leastDifference: Float

    /// Coverage below which a pixel is background: 16 %. Mattes of cameras have wide faint rims.
    static var leastCoverage: UInt8 { 40 }
    /// Coverage from which a pixel is subject alone.
    static var fullCoverage: UInt8 { 240 }

    /// How far from the subject the background's values are not trusted, in cells: a third of the largest disc's radius, 48 pixels at
    /// 12 MP, which is 4 samples and more of a phone's map.
    private static var reach: Int { 6 }

    /// `matte` has the size of the plane of values. Subject and background that differ by `leastDifference` or less are
    /// left as they are.
    init(_ matte: Matte, _ nearness: [Float], _ width: Int, _ height: Int, leastDifference: Float) {
        self.leastDifference = leastDifference
        self.matte = matte.coverage
        self.width = width
        self.height = height
        let cell = max(Int(SyntheticAperture.maximumRadius(width: width, height: height) / 18), 1)
        self.cell = cell
        let (columns, rows) = ((width + cell - 1) / cell, (height + cell - 1) / cell)
        self.columns = columns
        self.rows = rows
        let cells = Self.means(matte.coverage, nearness, width, height, cell, columns, rows)
        // Edges of depth lie beside those of the matte, and a map takes more of the background for the subject than the reverse.
        subject = Self.eroded(cells.map(\.x), columns, rows, by: 2)
        background = Self.eroded(cells.map(\.y), columns, rows, by: Self.reach)
        Self.extend(&subject, columns, rows, passes: 40)
        Self.extend(&background, columns, rows, passes: Self.reach + 8)
    }

    /// For each cell the mean value of pixels that are all subject, and of those that are all background: `nan` where it has others.
    private static func means(
        _ matte: [UInt8], _ nearness: [Float], _ width: Int, _ height: Int, _ cell: Int, _ columns: Int,
        _ rows: Int
    ) -> [SIMD2<Float>] {
        parallelMapRows(width: columns, height: rows) { band, output in
            for row in band {
                for column in 0..<columns {
                    var sum: Float = 0
                    var (least, most) = (UInt8.max, UInt8.min)
                    let across = column * cell..<min((column + 1) * cell, width)
                    let down = row * cell..<min((row + 1) * cell, height)
                    for y in down {
                        for index in y * width + across.lowerBound..<y * width + across.upperBound {
                            sum += nearness[index]
                            least = min(least, matte[index])
                            most = max(most, matte[index])
                        }
                    }
                    let mean = sum / Float(across.count * down.count)
                    output[(row - band.lowerBound) * columns + column] = SIMD2(
                        least >= fullCoverage ? mean : .nan, most < leastCoverage ? mean : .nan)
                }
            }
        }
    }

    /// Without the cells that have an unknown one within `reach`.
    private static func eroded(_ cells: [Float], _ columns: Int, _ rows: Int, by reach: Int) -> [Float] {
        parallelMapRows(width: columns, height: rows) { band, output in
            for row in band {
                for column in 0..<columns {
                    var value = cells[row * columns + column]
                    if !value.isNaN {
                        for y in max(row - reach, 0)...min(row + reach, rows - 1) {
                            for x in max(column - reach, 0)...min(column + reach, columns - 1)
                            where cells[y * columns + x].isNaN { value = .nan }
                        }
                    }
                    output[(row - band.lowerBound) * columns + column] = value
                }
            }
        }
    }

    /// Gives unknown cells the mean of their known neighbors, cell by cell outwards.
    private static func extend(_ cells: inout [Float], _ columns: Int, _ rows: Int, passes: Int) {
        for _ in 0..<passes {
            let known = cells
            cells = parallelMapRows(width: columns, height: rows) { band, output in
                for row in band {
                    for column in 0..<columns {
                        let value = known[row * columns + column]
                        output[(row - band.lowerBound) * columns + column] =
                            value.isNaN ? mean(around: column, row, of: known, columns, rows) : value
                    }
                }
            }
        }
    }

    private static func mean(
        around column: Int, _ row: Int, of cells: [Float], _ columns: Int, _ rows: Int
    ) -> Float {
        var (sum, count) = (Float(0), Float(0))
        for y in max(row - 1, 0)...min(row + 1, rows - 1) {
            for x in max(column - 1, 0)...min(column + 1, columns - 1) where !cells[y * columns + x].isNaN {
                sum += cells[y * columns + x]
                count += 1
            }
        }
        return count > 0 ? sum / count : .nan
    }

    /// Settles the values, and leaves in `coverage` how much of each pixel has its value.
    func settle(_ nearness: inout [Float], _ coverage: inout [UInt8]) {
        let old = nearness
        let matte = matte
        nearness = parallelMapRows(width: width, height: height) { band, output in
            for row in band {
                for column in 0..<width {
                    let index = row * width + column
                    output[(row - band.lowerBound) * width + column] =
                        settled(old[index], matte[index], column, row)
                }
            }
        }
        coverage = parallelMapRows(width: width, height: height) { band, output in
            for row in band {
                for column in 0..<width {
                    let index = row * width + column
                    let share = hasBoth(column, row) && matte[index] >= Self.leastCoverage
                    output[(row - band.lowerBound) * width + column] =
                        share ? Self.share(matte[index]) : 255
                }
            }
        }
    }

    /// What is above the least coverage, of all that can be.
    @inline(__always)
    private static func share(_ coverage: UInt8) -> UInt8 {
        UInt8((Int(coverage) - Int(leastCoverage)) * 255 / (255 - Int(leastCoverage)))
    }

    @inline(__always)
    private func hasBoth(_ column: Int, _ row: Int) -> Bool {
        let index = row / cell * columns + column / cell
        return subject[index] - background[index] > leastDifference
    }

    /// The values of the subject and of what is behind it, where a pixel is near both and the first is the nearer.
    @inline(__always)
    func sides(_ column: Int, _ row: Int) -> (near: Float, far: Float)? {
        let index = row / cell * columns + column / cell
        let sides = (near: subject[index], far: background[index])
        return sides.near - sides.far > leastDifference ? sides : nil
    }

    @inline(__always)
    private func settled(_ value: Float, _ coverage: UInt8, _ column: Int, _ row: Int) -> Float {
        let index = row / cell * columns + column / cell
        let (near, far) = (subject[index], background[index])
        guard near - far > leastDifference else { return value }
        let middle = (near + far) / 2
        if coverage < Self.leastCoverage {
            return value > middle && value < near + (near - far) / 2 ? far : value
        }
        return value < middle || coverage < Self.fullCoverage ? near : value
    }
}
