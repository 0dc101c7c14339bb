import Testing

@testable import Effects

@Suite("Cells of a picture")
struct CellGridTests {
    /// One known cell of 4 × 3, of pictures whose last cells are cut off.
    private let grid = CellGrid<Float>(width: 31, height: 20, cell: 8) { columns, rows in
        columns.contains(0) && rows.contains(0) ? 6 : .nan
    }

    private func values(_ grid: CellGrid<Float>) -> [Float] {
        (0..<3).flatMap { row in (0..<4).map { grid.value(atColumn: $0 * 8 + 6, row: min(row * 8 + 7, 19)) } }
    }

    @Test("A cell has the pixels of a square, at the edge those that are left")
    func cells() {
        let counts = CellGrid<Float>(width: 31, height: 20, cell: 8) { Float($0.count * $1.count) }
        #expect(values(counts) == [64, 64, 64, 56, 64, 64, 64, 56, 32, 32, 32, 28])
    }

    @Test("Unknown cells take the mean of their known neighbors, ring by ring")
    func extended() {
        let once = values(grid.extended(passes: 1))
        #expect(once.map { $0.isNaN ? 0 : $0 } == [6, 6, 0, 0, 6, 6, 0, 0, 0, 0, 0, 0])
        #expect(values(grid.extended(passes: 3)).allSatisfy { $0 == 6 })
        // Between 6 and 12, the mean.
        let two = CellGrid<Float>(width: 3, height: 1, cell: 1) { columns, _ in
            [6, .nan, 12][columns.lowerBound]
        }
        #expect(two.extended(passes: 1).value(atColumn: 1, row: 0) == 9)
    }

    @Test("Cells are extended until none is left, only where a mask is set")
    func masked() {
        let line = CellGrid<Float>(width: 40, height: 1, cell: 1) { columns, _ in
            columns.contains(0) ? 6 : .nan
        }
        let mask = CellGrid<Bool>(width: 40, height: 1, cell: 1) { columns, _ in columns.lowerBound < 30 }
        let found = line.extended(where: mask)
        #expect((0..<30).allSatisfy { found.value(atColumn: $0, row: 0) == 6 })
        #expect((30..<40).allSatisfy { found.value(atColumn: $0, row: 0).isNaN })
    }

    @Test("A set cell sets all within a square")
    func dilated() {
        let one = CellGrid<Bool>(width: 7, height: 5, cell: 1) { columns, rows in
            columns.contains(1) && rows.contains(3)
        }
        let found = one.dilated(by: 2)
        for y in 0..<5 {
            for x in 0..<7 { #expect(found.value(atColumn: x, row: y) == (x <= 3 && y >= 1)) }
        }
    }

    @Test("A neighborhood ends at the edges")
    func neighborhoods() {
        let ones = CellGrid<Float>(width: 4, height: 3, cell: 1) { _, _ in 1 }
        let counts = ones.mapNeighborhoods(across: 1, down: 1) { _, around in
            var sum: Float = 0
            around.forEach { sum += $0 }
            return sum
        }
        let found = (0..<3).flatMap { row in (0..<4).map { counts.value(atColumn: $0, row: row) } }
        #expect(found == [4, 6, 6, 4, 6, 9, 9, 6, 4, 6, 6, 4])
    }
}
