/// The squares of samples that are entirely in holes, from level to level twice as wide.
struct HoleScales: Sendable {
    /// The width of a level, and whether each of its squares is in holes. Squares across the plane's edge are if their part
    /// inside is.
    private var levels: [(width: Int, isHole: [Bool])]

    init(_ isHole: [Bool], _ width: Int, _ height: Int) {
        levels = [(width, isHole)]
        var size = (width: width, height: height)
        while max(size.width, size.height) > 1, let last = levels.last {
            let half = (width: (size.width + 1) / 2, height: (size.height + 1) / 2)
            var squares = [Bool](repeating: true, count: half.width * half.height)
            for row in 0..<size.height {
                for column in 0..<size.width where !last.isHole[row * size.width + column] {
                    squares[row / 2 * half.width + column / 2] = false
                }
            }
            levels.append((half.width, squares))
            size = half
        }
    }

    /// The level of the largest squares, `least` or above, of which one in a hole is at most `distance` squares from that of a
    /// sample; `nil` without any.
    func level(atRow row: Int, column: Int, least: Int = 0, within distance: Int = 1) -> Int? {
        (min(least, levels.count)..<levels.count).last { number in
            let (width, isHole) = levels[number]
            let (row, column) = (row >> number, column >> number)
            let columns = max(column - distance, 0)...min(column + distance, width - 1)
            return (max(row - distance, 0)...min(row + distance, isHole.count / width - 1)).contains { row in
                columns.contains { isHole[row * width + $0] }
            }
        }
    }
}
