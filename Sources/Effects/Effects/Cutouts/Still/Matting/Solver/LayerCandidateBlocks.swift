/// The color candidates for blocks of a tile, gathered on first use.
struct LayerCandidateBlocks {
    /// A block, and its middle in pixels of the level.
    struct Block {
        let index: Int
        let x: Int
        let y: Int
    }

    private var blocks: [LayerCandidates] = []
    private(set) var isGathered: [Bool] = []
    private var left = 0
    private var top = 0
    private var across = 0
    private var width = 0
    private var height = 0

    private static var side: Int { LayerCandidates.blockSide }

    /// Clears all, and allocates blocks for a rectangle of a level.
    mutating func begin(columns: Range<Int>, rows: Range<Int>, width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        left = max(columns.lowerBound - Self.side / 2, 0) / Self.side
        top = max(rows.lowerBound - Self.side / 2, 0) / Self.side
        across = (columns.upperBound + Self.side / 2) / Self.side - left + 1
        let count = across * ((rows.upperBound + Self.side / 2) / Self.side - top + 1)
        while blocks.count < count { blocks.append(LayerCandidates()) }
        isGathered = [Bool](repeating: false, count: count)
    }

    /// The block whose candidates a pixel is compared with: one of the nearest four, nearer ones more often. This dithering
    /// hides the borders of blocks.
    @inline(__always)
    func block(of x: Int, _ y: Int) -> Block {
        let across = min(max(x + (3 * x + 5 * y) & 7 - 4, 0), width - 1) / Self.side
        let down = min(max(y + (5 * x + 3 * y + 4) & 7 - 4, 0), height - 1) / Self.side
        return Block(
            index: (down - top) * self.across + across - left, x: across * Self.side + Self.side / 2,
            y: down * Self.side + Self.side / 2)
    }

    mutating func gatherNothing(_ block: Block) {
        blocks[block.index].clear()
        isGathered[block.index] = true
    }

    /// Finds the candidates of a block around a pixel of a stored level.
    mutating func gather(
        _ block: Block, around column: Int, _ row: Int, in light: Span<SIMD4<Float>>, _ trimap: Trimap,
        noise: Float
    ) {
        blocks[block.index].gather(around: column, row, in: light, trimap, noise: noise)
        isGathered[block.index] = true
    }

    /// The evidence of a block's candidates for a pixel's light.
    @inline(__always)
    func evidence(_ block: Block, _ light: SIMD4<Float>, noise: Float) -> CoverageEvidence {
        blocks[block.index].evidence(light, noise: noise)
    }
}
