import Testing

@testable import StereoMatching

@Suite("SearchTiles")
struct SearchTilesTests {
    /// Two halves of a picture of 64 × 32 pixels, matched at half its size.
    private static func halves(_ left: Int16, _ right: Int16) -> CoarseDisparities {
        let row = [Int16](repeating: left, count: 16) + [Int16](repeating: right, count: 16)
        return CoarseDisparities(width: 32, height: 16, samples: (0..<16).flatMap { _ in row })
    }

    private static func starts(_ tiles: SearchTiles, _ row: Int, _ column: Int) -> [Int] {
        tiles.vectors(row, column).map { Int(tiles.list[$0]) + tiles.disparities.lowerBound }
    }

    @Test("A tile searches three disparities on either side of twice what the small copy has")
    func one() {
        let tiles = SearchTiles(around: Self.halves(10, 20), disparities: -16..<64, width: 64, height: 32)
        #expect(tiles.across == 4)
        #expect(Self.starts(tiles, 0, 0) == [17] && Self.starts(tiles, 1, 3) == [37])
        // Tiles beside the edge reach over it by two pixels of the small copy.
        #expect(Self.starts(tiles, 0, 1) == [17, 37] && Self.starts(tiles, 1, 2) == [17, 37])
    }

    @Test("Vectors of a tile hold each disparity once")
    func disjoint() {
        let tiles = SearchTiles(around: Self.halves(10, 13), disparities: 0..<32, width: 64, height: 32)
        #expect(Self.starts(tiles, 0, 1) == [17])
        let wide = SearchTiles(around: Self.halves(5, 12), disparities: 0..<32, width: 64, height: 32)
        #expect(Self.starts(wide, 0, 1) == [7, 23])
    }

    @Test("Where the small copy has nothing in the range, all of it is searched")
    func outside() {
        let tiles = SearchTiles(around: Self.halves(10, 200), disparities: 0..<48, width: 64, height: 32)
        #expect(Self.starts(tiles, 0, 3) == [0, 16, 32])
        let all = SearchTiles(all: 0..<48, width: 64, height: 32)
        #expect(Self.starts(all, 1, 2) == [0, 16, 32])
    }

    @Test("A single pixel's disparity is not searched")
    func single() {
        var found = Self.halves(10, 10)
        found.samples[3 * 32 + 3] = 25
        let tiles = SearchTiles(around: found, disparities: 0..<64, width: 64, height: 32)
        #expect(Self.starts(tiles, 0, 0) == [17])
    }
}
