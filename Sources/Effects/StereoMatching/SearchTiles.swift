/// The disparities that are compared in each part of the picture.
///
/// The picture is divided into tiles of 16 × 16 pixels. Each has a list of vectors of sixteen consecutive disparities. The
/// result for a copy of half the size determines which are needed: two or three per tile at occlusions, one elsewhere,
/// instead of six or more.
struct SearchTiles: Sendable {
    /// Pixels along a tile's side.
    static let side = 16
    /// Disparities on either side of a predicted one that are also searched: a pixel of the small copy is two.
    private static let reach = 3
    /// How many pixels of the small copy must predict a disparity: a single one is more often an error than an object.
    private static let leastVotes = 2
    /// Pixels of the small copy around a tile whose disparities are also searched, because edges are off by as much.
    private static let border = 2

    /// Tiles in a row.
    let across: Int
    /// All disparities that are searched in any tile.
    let disparities: Range<Int>
    /// Tile t has the vectors from `ends[t]` to `ends[t + 1]`.
    private let ends: [Int32]
    /// Each vector's first disparity, relative to the first of `disparities`.
    private let starts: [UInt8]

    /// The numbers to store per pixel: a vector may begin at its last disparity.
    var depth: Int { disparities.count + 16 }

    /// All disparities everywhere.
    init(all disparities: Range<Int>, width: Int, height: Int) {
        precondition(disparities.count % 16 == 0 && disparities.count <= 256)
        let (across, down) = Self.count(width, height)
        (self.across, self.disparities) = (across, disparities)
        let vectors = disparities.count / 16
        starts = (0..<across * down).flatMap { _ in (0..<vectors).map { UInt8($0 * 16) } }
        ends = (0...across * down).map { Int32($0 * vectors) }
    }

    /// Disparities near the result for a copy of half the size.
    init(around found: CoarseDisparities, disparities: Range<Int>, width: Int, height: Int) {
        precondition(disparities.count % 16 == 0 && disparities.count <= 256)
        let (across, down) = Self.count(width, height)
        (self.across, self.disparities) = (across, disparities)
        var starts: [UInt8] = []
        var ends: [Int32] = [0]
        var votes = [Int](repeating: 0, count: disparities.count + 2 * Self.reach)
        let half = Self.side / 2
        for row in 0..<down {
            let rows = Self.clamped(row * half - Self.border..<(row + 1) * half + Self.border, found.height)
            for column in 0..<across {
                let columns = Self.clamped(
                    column * half - Self.border..<(column + 1) * half + Self.border, found.width)
                for index in votes.indices { votes[index] = 0 }
                found.count(rows, columns, from: disparities.lowerBound - Self.reach, into: &votes)
                Self.cover(votes, disparities.count, &starts)
                ends.append(Int32(starts.count))
            }
        }
        (self.starts, self.ends) = (starts, ends)
    }

    /// Vectors that contain every disparity with votes and all disparities within reach of it.
    private static func cover(_ votes: [Int], _ count: Int, _ starts: inout [UInt8]) {
        var next = 0
        let before = starts.count
        for index in votes.indices where votes[index] >= leastVotes {
            // `votes` begins at −reach.
            let low = max(index - 2 * reach, next)
            let high = min(index, count - 1)
            var start = low
            while start <= high {
                starts.append(UInt8(start))
                start += 16
                next = start
            }
        }
        if starts.count == before { starts += (0..<count / 16).map { UInt8($0 * 16) } }
    }

    private static func count(_ width: Int, _ height: Int) -> (across: Int, down: Int) {
        ((width + side - 1) / side, (height + side - 1) / side)
    }

    private static func clamped(_ range: Range<Int>, _ count: Int) -> Range<Int> {
        let low = min(max(range.lowerBound, 0), max(0, count - 1))
        return low..<max(low, min(range.upperBound, count))
    }

    /// The range of a tile's vectors in ``list``.
    @inline(__always) func vectors(_ row: Int, _ column: Int) -> Range<Int> {
        let tile = row &* across &+ column
        return Int(ends[tile])..<Int(ends[tile + 1])
    }

    /// The first disparities of all vectors; ``vectors(_:_:)`` returns the vectors of a tile.
    var list: [UInt8] { starts }
}
