internal import DepthCore
internal import DepthModel
internal import PointClouds
package import Sequences
internal import Synchronization

/// Fuses frames of a recording into voxels by their poses: each voxel is the weighted mean of its points.
///
/// A sample's weight is 1/z² of its distance z, since the noise of depth cameras grows with it, and less if its confidence is
/// low. Memory grows with the occupied voxels, not with frames. The result does not depend on the number of cores.
package struct VoxelFusion {
    private static let bandCount = 8
    /// Narrower frames are skipped.
    private static let leastColumns = 4

    private let options: FusionOptions
    private let shards: [Place<VoxelShard>]
    /// The samples of each band of rows, by shard.
    private let bands: [Place<FusionBand>]
    private let hasConfidence: Bool
    /// Frames that were added.
    package private(set) var frameCount = 0
    /// Frames without pose or camera, with fewer than four columns of depth, or too far away.
    package private(set) var omittedCount = 0
    private var lastCheck = 0
    private var hasColor = false

    /// Starts without frames. `hasConfidence` if frames may have one.
    package init(_ options: FusionOptions, hasConfidence: Bool) {
        self.options = options
        self.hasConfidence = hasConfidence
        shards = (0..<VoxelShard.count).map { _ in Place(VoxelShard(hasConfidence: hasConfidence)) }
        bands = (0..<Self.bandCount).map { _ in Place(FusionBand()) }
    }

    /// The number of occupied voxels so far.
    package var voxelCount: Int { shards.reduce(0) { $0 + $1.content.withLock { $0.voxels.count } } }

    /// Adds a frame. One without pose, camera or four columns of depth is skipped and counted.
    package mutating func add(_ frame: SequenceFrame) {
        guard let pose = frame.pose, let camera = frame.calibration,
            frame.depth.width >= Self.leastColumns,
            let unprojection = try? Unprojection(
                camera, width: frame.depth.width, height: frame.depth.height, correctsLens: false),
            let placed = VoxelPose(pose, voxelSize: options.voxelSize)
        else {
            omittedCount += 1
            return
        }
        frameCount += 1
        hasColor = hasColor || !frame.color.isEmpty
        let number = UInt32(truncatingIfNeeded: frameCount)
        let (bands, shards, options) = (bands, shards, options)
        let work = FusionWork(frame: frame, rays: unprojection.rays, pose: placed, options: options)
        let rows = frame.depth.height
        parallelFor(count: bands.count, minimum: 1) { range in
            for index in range {
                let part = rows * index / bands.count..<rows * (index + 1) / bands.count
                bands[index].content.withLock { $0.collect(part, of: work) }
            }
        }
        // Shards add bands in order, so that sums are the same for any number of cores.
        let collected = bands.map { band in band.content.withLock { $0.samples } }
        parallelFor(count: shards.count, minimum: 1) { range in
            for index in range {
                shards[index].content.withLock { shard in
                    for band in collected { shard.add(band, shard: index, frame: number) }
                }
            }
        }
        guard options.removesGhosts else { return }
        checkFreeSpace(FreeSpaceView(frame.depth, camera, placed, frame: number))
    }

    /// Finds voxels that a frame sees through. This visits all voxels, so with more voxels it is done less often, at constant
    /// cost per frame.
    private mutating func checkFreeSpace(_ view: FreeSpaceView) {
        let interval = max(2, voxelCount / 50_000)
        guard frameCount - lastCheck >= interval else { return }
        let count = frameCount - lastCheck
        lastCheck = frameCount
        parallelFor(count: shards.count, minimum: 1) { [shards] range in
            for index in range { shards[index].content.withLock { $0.countMisses(view, count: count) } }
        }
    }

    /// The remaining voxels as a cloud. Consumes the fusion.
    package consuming func cloud(tool: String, comments: [String]) -> FusedCloud {
        let minimumHits = options.hits(of: frameCount)
        return FusedCloud(
            shards.map { $0.content.withLock { $0 } }, voxelSize: options.voxelSize, minimumHits: minimumHits,
            removesGhosts: options.removesGhosts, hasColor: hasColor, hasConfidence: hasConfidence,
            tool: tool,
            comments: comments)
    }
}

/// A value that one thread at a time works on.
final class Place<Content: Sendable>: Sendable {
    let content: Mutex<Content>

    init(_ content: Content) { self.content = Mutex(content) }
}
