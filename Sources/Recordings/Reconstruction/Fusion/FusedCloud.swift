internal import DepthMaps
package import Geometry
internal import Synchronization

/// The surface of a recording as a cloud, in the coordinates of the recording's poses.
///
/// Points are generated piece by piece from voxels, so that writing a file needs no memory for them.
package struct FusedCloud: CloudSource {
    private let volume: FusedVolume
    private let pieces: [(shard: Int, blocks: Range<Int>)]
    package let header: CloudHeader
    /// Points that are removed because too few frames saw them.
    package let rareCount: Int
    /// Voxels that became free because frames saw through them.
    package let ghostCount: Int
    /// Points without a color from any picture; they are gray.
    package let colorlessCount: Int

    init(
        _ volume: FusedVolume, hasColor: Bool, hasConfidence: Bool, hasNormals: Bool,
        splatSpacing: SplatSpacing?, tool: String, comments: [String]
    ) {
        self.volume = volume
        pieces = volume.pieces
        let counts = Self.counts(volume, pieces)
        (rareCount, ghostCount) = (counts.rare, volume.freedCount)
        colorlessCount = hasColor ? counts.colorless : 0
        let isEmpty = counts.points == 0
        header = CloudHeader(
            pointCount: counts.points, minimum: isEmpty ? .zero : counts.low,
            maximum: isEmpty ? .zero : counts.high, hasColors: hasColor, hasNormals: hasNormals,
            hasConfidences: hasConfidence, splatSpacing: splatSpacing, tool: tool.percentEscaped,
            comments: comments)
    }

    /// What is known of some points.
    private struct Counts: Sendable {
        var points = 0
        var rare = 0
        var colorless = 0
        var low = SIMD3<Float>(repeating: .infinity)
        var high = SIMD3<Float>(repeating: -.infinity)
    }

    private static func counts(
        _ volume: FusedVolume, _ pieces: [(shard: Int, blocks: Range<Int>)]
    ) -> Counts {
        let parts = pieces.map { _ in MutexBox(Counts()) }
        parallelFor(count: pieces.count, minimum: 1, most: pieces.count) { range in
            for index in range {
                var counts = Counts()
                add(pieces[index], of: volume, to: &counts)
                parts[index].content.withLock { [counts] in $0 = counts }
            }
        }
        return parts.reduce(into: Counts()) { sum, part in
            let counts = part.content.withLock { $0 }
            sum.points += counts.points
            sum.rare += counts.rare
            sum.colorless += counts.colorless
            sum.low = pointwiseMin(sum.low, counts.low)
            sum.high = pointwiseMax(sum.high, counts.high)
        }
    }

    private static func add(
        _ piece: (shard: Int, blocks: Range<Int>), of volume: FusedVolume, to counts: inout Counts
    ) {
        visit(piece, of: volume, hits: volume.minimumHits) { cells, cell, place, offset, _ in
            let position = volume.meters(offset, from: cells.key)
            counts.points += 1
            counts.low = pointwiseMin(counts.low, position)
            counts.high = pointwiseMax(counts.high, position)
            if cells.attributes(of: cell, at: place.x, place.y, place.z, in: volume).color.w == 0 {
                counts.colorless += 1
            }
        }
        guard volume.minimumHits > 1 else { return }
        var all = 0
        visit(piece, of: volume, hits: 1) { _, _, _, _, _ in all += 1 }
        counts.rare = max(0, all - counts.points)
    }

    /// Passes the points of a piece to `body`: their cell, its index along each axis, the position in voxels from the block's
    /// first one, and the gradient.
    private static func visit(
        _ piece: (shard: Int, blocks: Range<Int>), of volume: FusedVolume, hits: Int,
        _ body: (BlockCells, SurfaceCell, SIMD3<Int>, SIMD3<Float>, SIMD3<Float>) -> Void
    ) {
        var cells = BlockCells()
        for block in piece.blocks {
            cells.load(block, of: piece.shard, in: volume, hits: hits)
            cells.forEachCrossed { x, y, z, cell in
                let gradient = cell.gradient(cell.sure)
                guard let point = cell.point(gradient) else { return }
                let corner = SIMD3(Float(x), Float(y), Float(z))
                body(cells, cell, SIMD3(x, y, z), corner + point, gradient)
            }
        }
    }

    /// The surface as a mesh, within `maximumError` meters, and of `maximumTriangles` at most.
    ///
    /// Throws ``FusionError/exceedsMemory(voxelSize:limit:)``.
    package func mesh(maximumError: Float?, maximumTriangles: Int?) throws(FusionError) -> FusedMesh {
        let isSimplified = maximumError ?? 0 > 0 || maximumTriangles != nil
        try volume.memory.check(
            (header.pointCount + rareCount) * FusedMesh.bytesPerPoint(isSimplified: isSimplified))
        return FusedMesh(volume, header, maximumError: maximumError, maximumTriangles: maximumTriangles)
    }

    package var pieceCount: Int { pieces.count }

    package func append(piece index: Int, to cloud: inout PointCloud) {
        Self.visit(pieces[index], of: volume, hits: volume.minimumHits) {
            cells, cell, place, offset, gradient in
            cloud.positions.append(volume.meters(offset, from: cells.key))
            if header.hasNormals { cloud.normals.append(SurfaceCell.normal(gradient)) }
            guard header.hasColors || header.hasConfidences else { return }
            let (color, confidence) = cells.attributes(of: cell, at: place.x, place.y, place.z, in: volume)
            if header.hasColors { cloud.colors.append(LinearColor.color(color)) }
            if header.hasConfidences { cloud.confidences.append(confidence) }
        }
    }
}
