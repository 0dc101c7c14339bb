internal import DepthMaps
internal import Geometry
internal import Synchronization

/// The surface of a volume as triangles (S. F. Frisken Gibson: Constrained elastic surface nets, 1998; with the separate pieces of
/// G. M. Nielson: Dual marching cubes, 2004): a vertex for each piece of the surface in a cell, the mean of its crossings of the cell's
/// edges, and a quadrilateral for each edge of the grid that it crosses, between the four cells around it.
///
/// So the mesh has no holes where voxels are known, and ends where they are not.
struct SurfaceNet {
    private let volume: FusedVolume
    private let pieces: [(shard: Int, blocks: Range<Int>)]
    /// The vertices of each piece, and the number of the first.
    private var parts: [NetPart] = []
    private var firsts: [Int] = []

    private static let none = UInt32.max

    /// The vertices of a volume.
    init(_ volume: FusedVolume, hasColors: Bool, hasNormals: Bool, hasConfidences: Bool) {
        self.volume = volume
        pieces = volume.pieces
        let results = pieces.map { _ in MutexBox(NetPart()) }
        parallelFor(count: pieces.count, minimum: 1, most: pieces.count) { [pieces] range in
            for index in range {
                let part = NetPart(
                    pieces[index], of: volume, hasColors: hasColors, hasNormals: hasNormals,
                    hasConfidences: hasConfidences)
                results[index].content.withLock { $0 = part }
            }
        }
        parts = results.map { $0.content.withLock { $0 } }
        firsts = parts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.vertices.positions.count) }
    }

    func mesh() -> TriangleMesh {
        var vertices = PointCloud()
        for part in parts { vertices.append(part.vertices) }
        let positions = vertices.positions
        let results = pieces.map { _ in MutexBox([Triangle]()) }
        parallelFor(count: pieces.count, minimum: 1, most: pieces.count) { range in
            for index in range {
                let triangles = triangles(of: index, positions)
                results[index].content.withLock { $0 = triangles }
            }
        }
        return TriangleMesh(
            vertices: vertices, triangles: results.flatMap { result in result.content.withLock { $0 } })
    }

    /// The triangles of the edges that end in the last corner of a piece's cells: the other cells around these edges come after
    /// it in all directions.
    private func triangles(of piece: Int, _ positions: [SIMD3<Float>]) -> [Triangle] {
        var triangles: [Triangle] = []
        var cells = BlockCells()
        let (shard, blocks) = pieces[piece]
        for block in blocks where parts[piece].tables[block - blocks.lowerBound] >= 0 {
            cells.load(block, of: shard, in: volume, hits: volume.minimumHits)
            let neighbors = (0..<8).map { table(of: cells.key.neighbor($0 & 1, $0 >> 1 & 1, $0 >> 2)) }
            func vertex(_ x: Int, _ y: Int, _ z: Int, _ edge: Int) -> UInt32 {
                guard let (part, start) = neighbors[x >> 2 | (y >> 2) << 1 | (z >> 2) << 2] else {
                    return Self.none
                }
                let place = start + (x & 3) + 4 * (y & 3) + 16 * (z & 3)
                let first = parts[part].numbers[place]
                guard first != Self.none else { return first }
                let piece = CellPieces.piece(of: edge, parts[part].pieces[place])
                return UInt32(firsts[part]) + first + UInt32(piece)
            }
            cells.forEachCrossed { x, y, z, cell in
                for axis in 0..<3 where cell.isCrossed(7 ^ 1 << axis, 7) {
                    // Axes in a circle: seen against the first one, the second turns counter-clockwise to the third.
                    let (u, v) = (step((axis + 1) % 3), step((axis + 2) % 3))
                    let edge = 4 * axis
                    let corners = [
                        vertex(x, y, z, edge + 3), vertex(x + u.x, y + u.y, z + u.z, edge + 2),
                        vertex(x + u.x + v.x, y + u.y + v.y, z + u.z + v.z, edge),
                        vertex(x + v.x, y + v.y, z + v.z, edge + 1),
                    ]
                    guard !corners.contains(Self.none) else { continue }
                    let isFront = cell.distances[7] >= 0
                    append(isFront ? corners : corners.reversed(), positions, to: &triangles)
                }
            }
        }
        return triangles
    }

    private func step(_ axis: Int) -> (x: Int, y: Int, z: Int) {
        (axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0)
    }

    /// Halves a quadrilateral along its shorter diagonal.
    private func append(_ corners: [UInt32], _ positions: [SIMD3<Float>], to triangles: inout [Triangle]) {
        func square(_ first: Int, _ second: Int) -> Float {
            let side = positions[Int(corners[first])] - positions[Int(corners[second])]
            return (side * side).sum()
        }
        let first = square(0, 2) <= square(1, 3) ? 0 : 1
        let (a, b, c, d) = (corners[first], corners[first + 1], corners[first + 2], corners[(first + 3) % 4])
        triangles += [Triangle(a, b, c), Triangle(a, c, d)]
    }

    /// The piece of a block, and the start of its cells in the numbers of the piece; `nil` without vertices.
    private func table(of key: VoxelKey) -> (part: Int, start: Int)? {
        let shard = key.shard
        guard let block = volume.shards[shard].existingBlock(key) else { return nil }
        // Pieces are in the order of shards and blocks.
        var (low, high) = (0, pieces.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            let piece = pieces[middle]
            if (piece.shard, piece.blocks.lowerBound) <= (shard, block) {
                low = middle
            } else {
                high = middle
            }
        }
        let table = parts[low].tables[block - pieces[low].blocks.lowerBound]
        return table < 0 ? nil : (low, table * VoxelShard.blockSize)
    }
}

/// The vertices of some blocks.
private struct NetPart: Sendable {
    var vertices = PointCloud()
    /// For each block, which of the tables in ``numbers`` is its; −1 without vertices.
    var tables: [Int] = []
    /// Tables of 64 numbers: the first vertex of each cell.
    var numbers: [UInt32] = []
    /// Tables of the same size: ``CellPieces/numbers``, to be added to the first vertex.
    var pieces: [UInt32] = []

    init() {}

    init(
        _ piece: (shard: Int, blocks: Range<Int>), of volume: FusedVolume, hasColors: Bool, hasNormals: Bool,
        hasConfidences: Bool
    ) {
        var cells = BlockCells()
        tables = [Int](repeating: -1, count: piece.blocks.count)
        for block in piece.blocks {
            cells.load(block, of: piece.shard, in: volume, hits: volume.minimumHits)
            cells.forEachCrossed { x, y, z, cell in
                let found = cell.pieces
                guard found.count > 0 else { return }
                let index = block - piece.blocks.lowerBound
                if tables[index] < 0 {
                    tables[index] = numbers.count / VoxelShard.blockSize
                    numbers += repeatElement(.max, count: VoxelShard.blockSize)
                    pieces += repeatElement(0, count: VoxelShard.blockSize)
                }
                let place = tables[index] * VoxelShard.blockSize + x + 4 * y + 16 * z
                numbers[place] = UInt32(truncatingIfNeeded: vertices.positions.count)
                pieces[place] = found.numbers
                let (color, confidence) = cells.attributes(of: cell, at: x, y, z, in: volume)
                for number in 0..<found.count {
                    let offset = SIMD3(Float(x), Float(y), Float(z)) + cell.center(of: number, in: found)
                    vertices.positions.append(volume.meters(offset, from: cells.key))
                    if hasNormals { vertices.normals.append(SurfaceCell.normal(cell.gradient(cell.known))) }
                    if hasColors { vertices.colors.append(LinearColor.color(color)) }
                    if hasConfidences { vertices.confidences.append(confidence) }
                }
            }
        }
    }
}
