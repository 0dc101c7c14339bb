/// A path's costs along one row of pixels: for each pixel 16 bytes of a large number, then the disparities.
///
/// The large number is also stored outside a tile's vectors, so that paths can come from a tile that searched other
/// disparities. Pixels −1 and `width` hold zeros: paths start there.
struct PathRow: ~Copyable {
    static let fence: UInt8 = 200
    private let memory: LaneBuffer
    private let minima: LaneBuffer
    private let width: Int
    private let stride: Int
    private var content: Content

    /// Where values other than the large number are.
    private enum Content: Equatable {
        case nowhere
        case everywhere
        /// In the vectors of a row of tiles.
        case tiles(row: Int)
    }

    /// With `holdsZeros`, paths start at each of its pixels.
    init(width: Int, depth: Int, holdsZeros: Bool = false) {
        self.width = width
        stride = depth + 16
        memory = LaneBuffer(count: (width + 2) * stride + 16, filledWith: Self.fence)
        minima = LaneBuffer(count: 16 * (width + 2), filledWith: 0)
        content = holdsZeros ? .everywhere : .nowhere
        for column in -1...width where holdsZeros || column < 0 || column == width { fill(column, with: 0) }
    }

    private func fill(_ column: Int, with value: UInt8) {
        let place = path.place(column)
        for index in Swift.stride(from: 0, to: stride - 16, by: 16) {
            memory.lanes[costs: place + index] = Costs(repeating: value)
        }
    }

    /// Clears the elements that the vectors of this row of tiles will not overwrite.
    mutating func prepare(forTiles row: Int, of tiles: borrowing SearchTiles) {
        guard content != .tiles(row: row) else { return }
        if case .tiles(let old) = content {
            for column in 0..<width {
                let place = path.place(column)
                for vector in tiles.vectors(old, column / SearchTiles.side) {
                    memory.lanes[costs: place + Int(tiles.list[vector])] = Costs(repeating: Self.fence)
                }
            }
        } else if content == .everywhere {
            for column in 0..<width { fill(column, with: Self.fence) }
        }
        content = .tiles(row: row)
    }

    var path: Path { Path(lanes: memory.lanes, minima: minima.lanes, stride: stride) }
}

/// The part of a ``PathRow`` that the loops need.
struct Path {
    /// The costs.
    let lanes: Lanes
    /// The lowest cost of each pixel, sixteen times.
    private let minima: Lanes
    let stride: Int

    fileprivate init(lanes: Lanes, minima: Lanes, stride: Int) {
        (self.lanes, self.minima, self.stride) = (lanes, minima, stride)
    }

    /// The lowest cost of a pixel, in all lanes.
    subscript(least column: Int) -> Costs {
        @inline(__always) get { minima[costs: (column &+ 1) &<< 4] }
        @inline(__always) nonmutating set { minima[costs: (column &+ 1) &<< 4] = newValue }
    }

    /// The index of a pixel's first cost.
    @inline(__always) func place(_ column: Int) -> Int { (column &+ 1) &* stride &+ 16 }
}

/// The origin of a path, at one pixel.
struct Step {
    private let lanes: Lanes
    private let from: Int
    private let floor: Costs
    private let ceiling: Costs

    @inline(__always) init(_ path: Path, _ column: Int, _ largeStep: UInt8) {
        lanes = path.lanes
        from = path.place(column)
        floor = path[least: column]
        // Beside a tile that searched other disparities, the minimum may reach the sum of a cost and P2.
        ceiling = floor &+ lesser(Costs(repeating: largeStep), ~floor)
    }

    @_transparent func callAsFunction(_ cost: Costs, _ index: Int, _ smallStep: Costs) -> Costs {
        let at = from &+ index
        let beside = lesser(lanes[costs: at &- 1], lanes[costs: at &+ 1]) &+ smallStep
        return cost &+ (lesser(lesser(lanes[costs: at], ceiling), beside) &- floor)
    }
}

/// The paths from the row before: from its pixel behind, the same one, and the one ahead.
struct ThreeRows: ~Copyable {
    typealias Paths = (behind: Path, middle: Path, ahead: Path)
    private var behind: PathRow
    private var middle: PathRow
    private var ahead: PathRow

    init(width: Int, depth: Int, holdsZeros: Bool) {
        behind = PathRow(width: width, depth: depth, holdsZeros: holdsZeros)
        middle = PathRow(width: width, depth: depth, holdsZeros: holdsZeros)
        ahead = PathRow(width: width, depth: depth, holdsZeros: holdsZeros)
    }

    mutating func prepare(forTiles row: Int, of tiles: borrowing SearchTiles) {
        middle.prepare(forTiles: row, of: tiles)
        behind.prepare(forTiles: row, of: tiles)
        ahead.prepare(forTiles: row, of: tiles)
    }

    var paths: Paths { (behind.path, middle.path, ahead.path) }
}
