/// What the samples of a few rows see of the rim. Each ray continues that of the sample before it, so that its length costs
/// nothing.
struct HoleSights: Sendable {
    /// The rows of a strip.
    static let rowCount = 32

    private let width: Int
    /// For each sample of a hole: the steps to the rim in the directions of ``HoleDirection/all``; 0 if it is not seen.
    private(set) var steps: [SIMD8<Int32>]

    init(width: Int) {
        self.width = width
        steps = [SIMD8<Int32>](repeating: .zero, count: width * Self.rowCount)
    }

    /// Finds the rim from at most ``rowCount`` rows.
    mutating func look(from strip: Range<Int>, of holes: HoleGrid) {
        // Half of the directions lead to samples that come later, the others to earlier ones.
        for row in strip.reversed() {
            for column in (0..<width).reversed() { look(0..<4, row, column, strip, holes) }
        }
        for row in strip {
            for column in 0..<width { look(4..<8, row, column, strip, holes) }
        }
    }

    @inline(__always)
    private mutating func look(
        _ numbers: Range<Int>, _ row: Int, _ column: Int, _ strip: Range<Int>, _ holes: HoleGrid
    ) {
        let (cells, directions) = (holes.cells.span, HoleDirection.all)
        let index = row &* width &+ column
        guard cells[index] > 0 else { return }
        let start = index &- strip.lowerBound &* width
        for number in numbers {
            let direction = directions[number]
            let (nextRow, nextColumn) = (row &+ direction.rows, column &+ direction.columns)
            let isInside = nextColumn >= 0 && nextColumn < width && nextRow >= 0 && nextRow < holes.height
            let offset = direction.rows &* width &+ direction.columns
            if !isInside {
                steps[start][number] = 0
            } else if cells[index &+ offset] <= 0 {
                steps[start][number] = 1
            } else if strip.contains(nextRow) {
                let seen = steps[start &+ offset][number]
                steps[start][number] = seen > 0 ? seen &+ 1 : 0
            } else {
                steps[start][number] = Int32(direction.steps(row, column, in: holes, cells) ?? 0)
            }
        }
    }
}
