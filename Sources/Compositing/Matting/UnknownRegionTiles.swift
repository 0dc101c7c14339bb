internal import DepthCore

/// The squares of a photo in which a matte is neither 0 everywhere nor 255 everywhere.
struct UnknownRegionTiles: Sendable {
    /// Pixels on a side.
    static var side: Int { 64 }

    /// Tiles in a row.
    let columns: Int
    /// The number of rows of tiles.
    let rows: Int
    /// The tiles that are not even, in reading order.
    let tiles: [Int]
    /// The place of every tile in `tiles`; −1 for the even ones.
    let places: [Int]

    /// `matte` has the photo's size.
    init(_ matte: Matte) {
        let columns = (matte.width + Self.side - 1) / Self.side
        let rows = (matte.height + Self.side - 1) / Self.side
        let isEven: [Bool] = parallelMapRows(width: columns, height: rows, minimum: 1) { band, output in
            for row in band {
                for column in 0..<columns {
                    output[(row - band.lowerBound) * columns + column] = Self.isEven(matte, column, row)
                }
            }
        }
        var (tiles, places) = ([Int](), [Int](repeating: -1, count: isEven.count))
        for tile in isEven.indices where !isEven[tile] {
            places[tile] = tiles.count
            tiles.append(tile)
        }
        (self.columns, self.rows, self.tiles, self.places) = (columns, rows, tiles, places)
    }

    private static func isEven(_ matte: Matte, _ column: Int, _ row: Int) -> Bool {
        let columns = column * side..<min((column + 1) * side, matte.width)
        let first = matte.coverage[row * side * matte.width + columns.lowerBound]
        guard first == 0 || first == 255 else { return false }
        for y in row * side..<min((row + 1) * side, matte.height) {
            let samples = matte.coverage.span.extracting(
                y * matte.width + columns.lowerBound..<y * matte.width + columns.upperBound)
            var differing: UInt8 = 0
            for index in samples.indices { differing |= samples[index] ^ first }
            if differing != 0 { return false }
        }
        return true
    }
}
