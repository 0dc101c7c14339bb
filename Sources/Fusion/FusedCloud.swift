internal import DepthCore
package import PointClouds

/// The voxels of a recording as a cloud: one point each, in the coordinates of the recording's poses.
///
/// Points are generated piece by piece from voxels, so that writing a file needs no memory for them.
package struct FusedCloud: CloudSource {
    private let shards: [VoxelShard]
    private let voxelSize: Float
    private let minimumHits: Int
    private let removesGhosts: Bool
    /// The voxels of each piece: a shard, and a range in it.
    private let pieces: [(shard: Int, range: Range<Int>)]
    package let header: CloudHeader
    /// Voxels that are removed because too few frames saw them.
    package let rareCount: Int
    /// Voxels that are removed because later frames saw through them.
    package let ghostCount: Int
    /// Points without a color from any picture; they are gray.
    package let colorlessCount: Int

    init(
        _ shards: [VoxelShard], voxelSize: Float, minimumHits: Int, removesGhosts: Bool, hasColor: Bool,
        hasConfidence: Bool, tool: String, comments: [String]
    ) {
        self.shards = shards
        self.voxelSize = voxelSize
        self.minimumHits = minimumHits
        self.removesGhosts = removesGhosts
        var pieces: [(shard: Int, range: Range<Int>)] = []
        var (count, rare, ghosts, colorless) = (0, 0, 0, 0)
        var low = SIMD3<Float>(repeating: .infinity)
        var high = -low
        for (index, shard) in shards.enumerated() {
            for start in stride(from: 0, to: shard.voxels.count, by: 1 << 15) {
                pieces.append((index, start..<min(start + 1 << 15, shard.voxels.count)))
            }
            for voxel in shard.voxels {
                guard voxel.stays(minimumHits: minimumHits, removesGhosts: removesGhosts) else {
                    if voxel.hits < minimumHits { rare += 1 } else { ghosts += 1 }
                    continue
                }
                count += 1
                if voxel.colors.w == 0 { colorless += 1 }
                let point = voxel.position(voxelSize)
                low = low.replacing(with: point, where: point .< low)
                high = high.replacing(with: point, where: point .> high)
            }
        }
        self.pieces = pieces
        (rareCount, ghostCount, colorlessCount) = (rare, ghosts, hasColor ? colorless : 0)
        header = CloudHeader(
            pointCount: count, minimum: count == 0 ? .zero : low, maximum: count == 0 ? .zero : high,
            hasColors: hasColor, hasNormals: false, hasConfidences: hasConfidence, tool: tool.percentEscaped,
            comments: comments)
    }

    package var pieceCount: Int { pieces.count }

    package func append(piece index: Int, to cloud: inout PointCloud) {
        let (shard, range) = pieces[index]
        let voxels = shards[shard].voxels
        for place in range {
            let voxel = voxels[place]
            guard voxel.stays(minimumHits: minimumHits, removesGhosts: removesGhosts) else { continue }
            cloud.positions.append(voxel.position(voxelSize))
            if header.hasColors { cloud.colors.append(voxel.color) }
            if header.hasConfidences {
                // Levels 0, 1 and 2 as 0, ½ and 1.
                cloud.confidences.append(shards[shard].confidences[place] / voxel.offsets.w / 2)
            }
        }
    }
}

extension Voxel {
    /// The mean of its points, in meters.
    fileprivate func position(_ size: Float) -> SIMD3<Float> {
        let offset = SIMD3<Double>(SIMD3(offsets.x, offsets.y, offsets.z) / offsets.w)
        let center = SIMD3(Double(key.x), Double(key.y), Double(key.z))
        return SIMD3<Float>((center + offset) * Double(size))
    }

    /// Their mean color; gray without any.
    fileprivate var color: RGB<UInt8> {
        guard colors.w > 0 else { return RGB(red: 128, green: 128, blue: 128) }
        let mean = colors / colors.w + 0.5
        return RGB(
            red: UInt8(min(max(mean.x, 0), 255)), green: UInt8(min(max(mean.y, 0), 255)),
            blue: UInt8(min(max(mean.z, 0), 255)))
    }
}
