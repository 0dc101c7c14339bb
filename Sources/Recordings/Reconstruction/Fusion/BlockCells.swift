internal import DepthMaps

/// The cells of a block: cubes between the centers of eight voxels, the last of which are in the blocks after it. Its memory is
/// reused from block to block.
struct BlockCells {
    /// The first voxel of the block.
    private(set) var key = VoxelKey.none
    /// The distances of 5 × 5 × 5 voxels from the surface, in voxels.
    private var distances = [Float](repeating: 0, count: edge * edge * edge)
    /// A bit for each voxel of a row: whether it is in front of the surface, or behind it. Unknown voxels are neither.
    private var front = [UInt8](repeating: 0, count: edge * edge)
    private var back = [UInt8](repeating: 0, count: edge * edge)
    /// A bit for each voxel of a row: whether enough frames saw it near the surface.
    private var sure = [UInt8](repeating: 0, count: edge * edge)
    /// The blocks that these voxels are in: a shard, and the index of the first voxel there; −1 where missing.
    private var sources = [(shard: Int, start: Int)](repeating: (0, -1), count: 8)

    private static let edge = VoxelShard.edge + 1

    /// Reads a block. `hits` frames must have seen a voxel near the surface for it to count.
    mutating func load(_ block: Int, of shard: Int, in volume: FusedVolume, hits: Int) {
        key = volume.shards[shard].keys[block]
        sources[0] = (shard, block * VoxelShard.blockSize)
        for index in 1..<8 {
            let neighbor = key.neighbor(index & 1, index >> 1 & 1, index >> 2)
            let found = volume.shards[neighbor.shard].existingBlock(neighbor)
            sources[index] = (neighbor.shard, found.map { $0 * VoxelShard.blockSize } ?? -1)
        }
        for row in front.indices { (front[row], back[row], sure[row]) = (0, 0, 0) }
        for z in 0..<Self.edge {
            for y in 0..<Self.edge {
                read(0..<4, y, z, volume, hits)
                read(4..<5, y, z, volume, hits)
            }
        }
    }

    /// Reads voxels of a row that are in one block.
    private mutating func read(_ columns: Range<Int>, _ y: Int, _ z: Int, _ volume: FusedVolume, _ hits: Int)
    {
        let (shard, start) = sources[columns.lowerBound >> 2 | (y >> 2) << 1 | (z >> 2) << 2]
        guard start >= 0 else { return }
        let row = y + Self.edge * z
        for x in columns {
            let place = start + (x & 3) + 4 * (y & 3) + 16 * (z & 3)
            let seen = Int(volume.shards[shard].colors[place].w)
            guard seen > 0 else { continue }
            if seen >= hits { sure[row] |= 1 << UInt8(x) }
            let distance = Float(volume.shards[shard].distances[place]) * VoxelShard.unit
            distances[x + Self.edge * row] = distance
            if distance < 0 { back[row] |= 1 << UInt8(x) } else { front[row] |= 1 << UInt8(x) }
        }
    }

    /// A bit for each of four cells of a row: whether the surface goes through it.
    private func crossed(_ y: Int, _ z: Int) -> UInt8 {
        let row = y + Self.edge * z
        let rows = (row, row + 1, row + Self.edge, row + Self.edge + 1)
        let inFront = front[rows.0] | front[rows.1] | front[rows.2] | front[rows.3]
        let behind = back[rows.0] | back[rows.1] | back[rows.2] | back[rows.3]
        return (inFront | inFront >> 1) & (behind | behind >> 1) & 15
    }

    /// Passes the cells that the surface goes through to `body`, with their index along each axis.
    func forEachCrossed(_ body: (_ x: Int, _ y: Int, _ z: Int, SurfaceCell) -> Void) {
        for row in 0..<VoxelShard.edge * VoxelShard.edge {
            let (y, z) = (row & 3, row >> 2)
            let crossed = crossed(y, z)
            for x in 0..<VoxelShard.edge where crossed >> UInt8(x) & 1 == 1 { body(x, y, z, cell(x, y, z)) }
        }
    }

    private func cell(_ x: Int, _ y: Int, _ z: Int) -> SurfaceCell {
        var values = SIMD8<Float>.zero
        var (known, sure): (UInt8, UInt8) = (0, 0)
        for corner in 0..<8 {
            let row = y + corner >> 1 & 1 + Self.edge * (z + corner >> 2)
            let column = x + corner & 1
            values[corner] = distances[column + Self.edge * row]
            known |= ((front[row] | back[row]) >> UInt8(column) & 1) << UInt8(corner)
            sure |= (self.sure[row] >> UInt8(column) & 1) << UInt8(corner)
        }
        return SurfaceCell(distances: values, known: known, sure: sure)
    }

    /// The sum of the linear light of a cell's corners, nearer ones of the surface more, and that of the weights; and the same of
    /// their confidences.
    func attributes(
        of cell: SurfaceCell, at x: Int, _ y: Int, _ z: Int, in volume: FusedVolume
    ) -> (color: SIMD4<Float>, confidence: Float) {
        var color = SIMD4<Float>.zero
        var (confidence, weights): (Float, Float) = (0, 0)
        for corner in 0..<8 where cell.known >> UInt8(corner) & 1 == 1 {
            let (column, row, layer) = (x + corner & 1, y + corner >> 1 & 1, z + corner >> 2)
            let (shard, start) = sources[column >> 2 | (row >> 2) << 1 | (layer >> 2) << 2]
            let place = start + (column & 3) + 4 * (row & 3) + 16 * (layer & 3)
            let weight = 1 / (abs(cell.distances[corner]) + 0.1)
            let light = volume.shards[shard].colors[place]
            if light.x > 0 { color += SIMD4(Float(light.x), Float(light.y), Float(light.z), 1) * weight }
            guard !volume.shards[shard].confidences.isEmpty else { continue }
            confidence += Float(volume.shards[shard].confidences[place]) * weight
            weights += weight
        }
        return (color, weights > 0 ? min(confidence / weights / 65534, 1) : 0)
    }
}

/// A cube between the centers of eight voxels: corner i is at x = i & 1, y = i >> 1 & 1, z = i >> 2.
struct SurfaceCell {
    /// The signed distance of each corner from the surface, in voxels.
    let distances: SIMD8<Float>
    /// A bit for each corner: whether a frame saw it near the surface.
    let known: UInt8
    /// The same: whether enough frames did.
    let sure: UInt8

    /// Corners of opposite sign differ by less where a surface is between them, in voxels: more is an edge between the front
    /// of one surface and the back of another.
    private static let mostDifference = 1.75 * FusionFrame.mostVoxels

    /// The mean difference of the distance along an axis, between corners with their bit in `bits`; `nan` if it is unknown.
    private func slope(_ axis: Int, _ bits: UInt8) -> Float {
        let step = 1 << axis
        var (sum, count): (Float, Float) = (0, 0)
        for corner in 0..<8 where corner & step == 0 && has(corner, corner | step, bits) {
            sum += distances[corner | step] - distances[corner]
            count += 1
        }
        return sum / count
    }

    /// Whether both corners have their bit.
    private func has(_ first: Int, _ second: Int, _ bits: UInt8) -> Bool {
        bits >> UInt8(first) & bits >> UInt8(second) & 1 == 1
    }

    /// Whether enough frames saw the corner behind the surface.
    private func isSure(_ first: Int, _ second: Int) -> Bool {
        sure >> UInt8(distances[first] < 0 ? first : second) & 1 == 1
    }

    /// The direction in which the distance grows: out of the surface, towards cameras; 0 along axes where it is unknown. `bits` are the
    /// corners to use.
    func gradient(_ bits: UInt8) -> SIMD3<Float> {
        let slopes = SIMD3(slope(0, bits), slope(1, bits), slope(2, bits))
        return slopes.replacing(with: 0, where: slopes .!= slopes)
    }

    /// Whether the surface goes through the edge between two corners. It is enough that many frames saw the corner behind it: at
    /// an angle, cameras see the surface, but not the space in front of it.
    func isCrossed(_ first: Int, _ second: Int) -> Bool {
        has(first, second, known) && isSure(first, second)
            && (distances[first] < 0) != (distances[second] < 0)
            && abs(distances[first] - distances[second]) < Self.mostDifference
    }

    /// The pieces of the surface in the cell: closed lines over its faces, or parts of them where corners are unknown. Each goes
    /// through some edges of the cell; edge 4a + b + 2c is along axis a, at b along the next axis and c along the one after.
    var pieces: CellPieces {
        var crossed: UInt16 = 0
        for edge in 0..<12 {
            let (first, second) = Self.ends(of: edge)
            if isCrossed(first, second) { crossed |= 1 << UInt16(edge) }
        }
        var pieces = CellPieces(crossed)
        for face in 0..<6 {
            let (axis, side) = (face >> 1, face & 1)
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3)
            // The edges around the face, in a circle, and the corner between each and the following one.
            let edges = [4 * next + 2 * side, 4 * last + side + 2, 4 * next + 2 * side + 1, 4 * last + side]
            let corner = side << axis
            let corners = [corner | 1 << next, corner | 1 << next | 1 << last, corner | 1 << last, corner]
            let isAmbiguous = edges.allSatisfy { crossed >> UInt16($0) & 1 == 1 }
            for index in 0..<4 where isAmbiguous ? distances[corners[index]] < 0 : true {
                // With four crossings, a line goes around each corner behind the surface.
                let others = isAmbiguous ? [edges[(index + 1) % 4]] : Array(edges[(index + 1)...])
                for other in others { pieces.join(edges[index], other) }
            }
        }
        pieces.number()
        return pieces
    }

    /// The corners at both ends of an edge.
    private static func ends(of edge: Int) -> (Int, Int) {
        let axis = edge >> 2
        let first = (edge & 1) << ((axis + 1) % 3) | (edge >> 1 & 1) << ((axis + 2) % 3)
        return (first, first | 1 << axis)
    }

    /// The mean of the points where a piece of the surface goes through edges, 0…1 each.
    func center(of piece: Int, in pieces: CellPieces) -> SIMD3<Float> {
        var (sum, count): (SIMD3<Float>, Float) = (.zero, 0)
        for edge in 0..<12 where pieces.piece(of: edge) == piece {
            let (first, second) = Self.ends(of: edge)
            var place = SIMD3(Float(first & 1), Float(first >> 1 & 1), Float(first >> 2))
            place[edge >> 2] = distances[first] / (distances[first] - distances[second])
            sum += place
            count += 1
        }
        return sum / max(count, 1)
    }

    /// The gradient with length 1; along z if it is zero.
    static func normal(_ gradient: SIMD3<Float>) -> SIMD3<Float> {
        let length = (gradient * gradient).sum().squareRoot()
        return length > 0 ? gradient / length : SIMD3(0, 0, 1)
    }

    /// The point of the surface in the middle of the cell, 0…1 each; `nil` if the surface leaves the cell before it gets there.
    ///
    /// Of the cells in a row along the axis that the surface is steepest to, one has the point: the mean distance of the corners
    /// on its faces changes its sign there. So a surface gets one point for each square of a voxel, no matter how noise moves it
    /// in its cells, and a mean of four distances has half of the noise of one.
    func point(_ gradient: SIMD3<Float>) -> SIMD3<Float>? {
        let steepness = SIMD3(abs(gradient.x), abs(gradient.y), abs(gradient.z))
        let axis = steepness.x >= max(steepness.y, steepness.z) ? 0 : steepness.y >= steepness.z ? 1 : 2
        let step = 1 << axis
        var (first, second, count): (Float, Float, Float) = (0, 0, 0)
        var place = SIMD3<Float>.zero
        for corner in 0..<8 where corner & step == 0 && has(corner, corner | step, sure) {
            first += distances[corner]
            second += distances[corner | step]
            place += SIMD3(Float(corner & 1), Float(corner >> 1 & 1), Float(corner >> 2))
            count += 1
        }
        guard count > 0, (first < 0) != (second < 0), abs(first - second) < Self.mostDifference * count else {
            return nil
        }
        place /= count
        place[axis] = first / (first - second)
        return place
    }
}
