/// The coding order of the coefficients of a block (H.265 §6.5.3 to §6.5.5).
struct ScanOrder: Sendable {
    /// The coordinates of each position, as x | y << 3: of samples in blocks of 4 × 4, and of sub-blocks in larger ones.
    let positions: [UInt8]

    /// The order of `size` × `size` positions (1, 2, 4 or 8): diagonal (0), horizontal (1) or vertical (2).
    private init(size: Int, kind: Int) {
        var positions: [UInt8] = []
        func add(_ x: Int, _ y: Int) { positions.append(UInt8(x | y << 3)) }
        switch kind {
        case 1: for y in 0..<size { for x in 0..<size { add(x, y) } }
        case 2: for x in 0..<size { for y in 0..<size { add(x, y) } }
        default:
            for sum in 0...(2 * size - 2) {
                for x in max(0, sum - size + 1)...min(sum, size - 1) { add(x, sum - x) }
            }
        }
        self.positions = positions
    }

    /// All orders, by kind, then by the base-2 logarithm of the size.
    private static let all = (0..<3).map { kind in (0..<4).map { ScanOrder(size: 1 << $0, kind: kind) } }

    static func of(size log2: Int, kind: Int) -> [UInt8] { all[kind][log2].positions }

    /// The order for a prediction mode: across its direction in small blocks (§7.4.9.11).
    static func kind(mode: Int, transformSize log2: Int) -> Int {
        guard log2 <= 3 else { return 0 }
        if (6...14).contains(mode) { return 2 }
        return (22...30).contains(mode) ? 1 : 0
    }
}
