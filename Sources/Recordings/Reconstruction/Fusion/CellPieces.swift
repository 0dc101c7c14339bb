/// Which edges of a cell the pieces of the surface in it go through: at most four pieces.
struct CellPieces {
    /// The number of each edge's piece in two bits each, while ``crossed`` has its bit.
    private(set) var numbers: UInt32 = 0
    private let crossed: UInt16
    /// While edges are joined, the first edge of each edge's piece.
    private var owners: SIMD16<UInt8> = SIMD16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    private(set) var count = 0

    /// Separate pieces for all edges whose bit is set.
    init(_ crossed: UInt16) { self.crossed = crossed }

    private func isCrossed(_ edge: Int) -> Bool { crossed >> UInt16(edge) & 1 == 1 }

    /// Makes one piece of those of two edges, if both are crossed.
    mutating func join(_ first: Int, _ second: Int) {
        guard isCrossed(first), isCrossed(second) else { return }
        let (a, b) = (min(owners[first], owners[second]), max(owners[first], owners[second]))
        owners.replace(with: a, where: owners .== b)
    }

    /// Numbers the pieces from 0, in the order of their first edges.
    mutating func number() {
        (numbers, count) = (0, 0)
        for edge in 0..<12 where isCrossed(edge) {
            if Int(owners[edge]) == edge {
                numbers |= UInt32(count) << UInt32(2 * edge)
                count += 1
            } else {
                numbers |= (numbers >> (2 * UInt32(owners[edge])) & 3) << UInt32(2 * edge)
            }
        }
    }

    /// The number of the piece that goes through an edge; −1 if the surface does not cross it.
    func piece(of edge: Int) -> Int { isCrossed(edge) ? Self.piece(of: edge, numbers) : -1 }

    /// The number of the piece that goes through a crossed edge.
    static func piece(of edge: Int, _ numbers: UInt32) -> Int { Int(numbers >> UInt32(2 * edge) & 3) }
}
