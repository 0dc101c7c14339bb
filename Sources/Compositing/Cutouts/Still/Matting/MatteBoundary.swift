internal import DepthCore

/// Corrects a plane of values that grow with nearness around the edge of a matte's subject, where the depth map has less
/// detail than the matte. Each pixel gets the value of the subject or of the background, by the matte, if the subject is the
/// nearer of the two. Values between both are kept.
struct MatteBoundary {
    private let matte: [UInt8]
    private let width: Int
    private let height: Int
    /// The subject's value in each cell near it, `nan` elsewhere.
    private let subject: CellGrid<Float>
    /// The background's value in the same cells.
    private let background: CellGrid<Float>
    /// The largest value in the cells around each.
    private let highest: CellGrid<Float>
    /// The smallest difference between the two that matters.
    private let leastDifference: Float

    /// Coverage below which a pixel is background: 6 %. Mattes of cameras have wide faint rims.
    static var leastCoverage: UInt8 { 16 }
    /// The coverage at or above which a pixel contains only the subject.
    static var fullCoverage: UInt8 { 240 }

    /// How far from the subject the background's values are unreliable, in cells: a third of the largest disc's radius, 48
    /// pixels at 12 MP, which is at least 4 samples of a phone's map.
    private static var reach: Int { 6 }

    /// How far the subject's value may extend beside it, in cells: at least 8 pixels at 12 MP, two samples of a phone's map.
    private static var blurReach: Int { 1 }

    /// `matte` has the size of the plane of values. Subject and background that differ by `leastDifference` or less are left
    /// unchanged.
    init(_ matte: Matte, _ nearness: [Float], _ width: Int, _ height: Int, leastDifference: Float) {
        self.leastDifference = leastDifference
        self.matte = matte.coverage
        self.width = width
        self.height = height
        let coverage = matte.coverage
        let cell = max(Int(SyntheticAperture.maximumRadius(width: width, height: height) / 18), 1)
        let cells = CellGrid(width: width, height: height, cell: cell) { columns, rows in
            Self.means(coverage, nearness, width, columns, rows)
        }
        // Edges of depth are offset from those of the matte, and maps more often assign background to the subject than the
        // reverse.
        subject = cells.map(\.x).eroded(by: 2).extended(passes: 40)
        background = cells.map(\.y).eroded(by: Self.reach).extended(passes: Self.reach + 8)
        highest = cells.map(\.z).greatest(within: Self.blurReach)
    }

    /// The mean value of a cell's pixels if all are subject, and if all are background, otherwise `nan`; and their maximum.
    private static func means(
        _ matte: [UInt8], _ nearness: [Float], _ width: Int, _ columns: Range<Int>, _ rows: Range<Int>
    ) -> SIMD3<Float> {
        var sum: Float = 0
        var high = -Float.infinity
        var (least, most) = (UInt8.max, UInt8.min)
        for row in rows {
            for index in row * width + columns.lowerBound..<row * width + columns.upperBound {
                sum += nearness[index]
                high = nearness[index] > high ? nearness[index] : high
                least = min(least, matte[index])
                most = max(most, matte[index])
            }
        }
        let mean = sum / Float(columns.count * rows.count)
        return SIMD3(least >= fullCoverage ? mean : .nan, most < leastCoverage ? mean : .nan, high)
    }

    /// Sets the values, and writes to `coverage` how much of each pixel has its value.
    func settle(_ nearness: inout [Float], _ coverage: inout [UInt8]) {
        let old = nearness
        nearness = parallelMapRows(width: width, height: height) { band, output in
            for row in band {
                let start = row * width
                forEachCell(of: row) { columns, sides in
                    for index in start + columns.lowerBound..<start + columns.upperBound {
                        output[index - band.lowerBound * width] =
                            sides.map { $0.settled(old[index], matte[index]) } ?? old[index]
                    }
                }
            }
        }
        coverage = parallelMapRows(width: width, height: height) { band, output in
            for row in band {
                let start = row * width
                forEachCell(of: row) { columns, sides in
                    for index in start + columns.lowerBound..<start + columns.upperBound {
                        let isShared =
                            matte[index] >= Self.leastCoverage
                            && sides.map { !$0.isBetween(old[index], matte[index]) } ?? false
                        output[index - band.lowerBound * width] = isShared ? Self.share(matte[index]) : 255
                    }
                }
            }
        }
    }

    /// Calls `body` with the columns of each cell that a row crosses, and the values on both sides there.
    @inline(__always)
    private func forEachCell(
        of row: Int, _ body: (_ columns: Range<Int>, _ sides: Sides?) -> Void
    ) {
        for first in stride(from: 0, to: width, by: subject.cell) {
            body(first..<min(first + subject.cell, width), sides(first, row))
        }
    }

    /// The coverage above the minimum, as a fraction of the possible range.
    @inline(__always)
    private static func share(_ coverage: UInt8) -> UInt8 {
        UInt8((Int(coverage) - Int(leastCoverage)) * 255 / (255 - Int(leastCoverage)))
    }

    /// The values of the subject and the background, if a pixel is near both and the subject is nearer.
    @inline(__always)
    func sides(_ column: Int, _ row: Int) -> Sides? {
        let sides = Sides(
            near: subject.value(atColumn: column, row: row),
            far: background.value(atColumn: column, row: row),
            highest: highest.value(atColumn: column, row: row))
        return sides.near - sides.far > leastDifference ? sides : nil
    }

    /// The values of subject and background around a cell.
    struct Sides {
        var near: Float
        var far: Float
        /// The largest value around the cell.
        var highest: Float

        @inline(__always)
        fileprivate func settled(_ value: Float, _ coverage: UInt8) -> Float {
            if isBetween(value, coverage) { return value }
            // An enlarged map falls from one side to the other over many pixels. The subject's pixels get the value
            // from farther inside, all others the background's value.
            if coverage < leastCoverage {
                let least = isBesideSubject ? far + (near - far) / 8 : (near + far) / 2
                return value > least && value < near + (near - far) / 2 ? far : value
            }
            return value < near || coverage < fullCoverage ? near : value
        }

        /// Whether a pixel that the subject covers only partly is on a surface between both: a table that connects them, or a
        /// headrest.
        @inline(__always)
        fileprivate func isBetween(_ value: Float, _ coverage: UInt8) -> Bool {
            coverage < fullCoverage && value > far + (near - far) / 4 && !isBesideSubject
        }

        /// Whether something around is about as near as the subject.
        @inline(__always)
        private var isBesideSubject: Bool { highest >= near - (near - far) / 4 }
    }
}

extension CellGrid<Float> {
    /// The largest values up to `reach` cells away.
    fileprivate func greatest(within reach: Int) -> CellGrid {
        mapSquares(within: reach) { value, other in other > value ? other : value }
    }

    /// Removes cells with an unknown cell up to `reach` away.
    fileprivate func eroded(by reach: Int) -> CellGrid {
        mapSquares(within: reach) { value, other in other.isKnown ? value : .nan }
    }

    /// Combines each cell with those up to `reach` away, first horizontally, then vertically.
    private func mapSquares(within reach: Int, _ join: @Sendable (Float, Float) -> Float) -> CellGrid {
        @Sendable func joined(_ value: Float, _ around: Neighborhood) -> Float {
            var value = value
            around.forEach { value = join(value, $0) }
            return value
        }
        return mapNeighborhoods(across: reach, down: 0, joined).mapNeighborhoods(
            across: 0, down: reach, joined)
    }
}
