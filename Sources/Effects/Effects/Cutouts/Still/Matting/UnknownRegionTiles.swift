internal import DepthMaps

/// The square tiles of a photo where a matte is not uniformly 0 or uniformly 255.
struct UnknownRegionTiles: Sendable {
    static var side: Int { 64 }

    /// Tiles in a row.
    let columns: Int
    /// The number of rows of tiles.
    let rows: Int
    /// The tiles that are not uniform, in reading order.
    let tiles: [Int]
    /// The index of every tile in `tiles`; −1 for uniform ones.
    let places: [Int]

    /// `matte` has the photo's size.
    init(_ matte: Matte) {
        self.init(width: matte.width, height: matte.height) { Self.isEven(matte, $0, $1) }
    }

    /// `isEven` gets the columns and rows of each tile.
    init(width: Int, height: Int, isEven: @Sendable (_ columns: Range<Int>, _ rows: Range<Int>) -> Bool) {
        let side = Self.side
        let (columns, rows) = ((width + side - 1) / side, (height + side - 1) / side)
        let isEven: [Bool] = parallelPixels(width: columns, height: rows, minimum: 1) { column, row in
            isEven(
                column * side..<min((column + 1) * side, width), row * side..<min((row + 1) * side, height))
        }
        var (tiles, places) = ([Int](), [Int](repeating: -1, count: isEven.count))
        for tile in isEven.indices where !isEven[tile] {
            places[tile] = tiles.count
            tiles.append(tile)
        }
        (self.columns, self.rows, self.tiles, self.places) = (columns, rows, tiles, places)
    }

    private static func isEven(_ matte: Matte, _ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
        let first = matte.coverage[rows.lowerBound * matte.width + columns.lowerBound]
        guard first == 0 || first == 255 else { return false }
        for y in rows {
            let samples = matte.coverage.span.extracting(
                y * matte.width + columns.lowerBound..<y * matte.width + columns.upperBound)
            var differing: UInt8 = 0
            for index in samples.indices { differing |= samples[index] ^ first }
            if differing != 0 { return false }
        }
        return true
    }
}
