package import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Geometry
internal import Recordings
package import Scenes
internal import Synchronization

/// Fuses frames of a recording into a surface by their poses: voxels near it store the mean of their signed distances from the
/// surfaces of the frames (Curless and Levoy: A volumetric method for building complex models from range images, 1996).
///
/// A surfel's weight is 1/z² of its distance z, since the noise of depth cameras grows with it, and less if the surface is
/// seen at an angle, at edges, and if its confidence is low. Memory grows with the surface, not with frames, up to the limit
/// `memory-bytes`. The result does not depend on the number of cores.
package struct SurfaceFusion {
    private static let bandCount = 8
    /// With more blocks in a shard, not all of them are visited by each frame.
    private static let visitedBlocks = 1024

    private let options: FusionOptions
    private let shards: [MutexBox<VoxelShard>]
    /// The blocks near the surface in each band of rows.
    private let bands: [MutexBox<BlockSearch>]
    private let hasConfidence: Bool
    private let memory: FusionMemory
    /// Frames that were added.
    package private(set) var frameCount = 0
    /// Frames without pose or camera, with fewer than four columns of depth, or too far away.
    package private(set) var omittedCount = 0
    /// How many of these have a pose outside of the range of voxels.
    private(set) var farCount = 0
    private var hasColor = false

    /// Starts without frames. `hasConfidence` if frames may have one.
    package init(
        _ options: FusionOptions, hasConfidence: Bool, limits: DecodingLimits = DecodingLimits()
    ) {
        let memory = FusionMemory(limits, voxelSize: options.voxelSize)
        self.memory = memory
        self.options = options
        self.hasConfidence = hasConfidence
        shards = (0..<VoxelShard.count).map { _ in MutexBox(VoxelShard(hasConfidence: hasConfidence, memory))
        }
        bands = (0..<Self.bandCount).map { _ in MutexBox(BlockSearch()) }
    }

    /// The number of blocks of voxels so far.
    var blockCount: Int { shards.reduce(0) { $0 + $1.content.withLock { $0.keys.count } } }

    /// Adds a frame; `nil` for one that cannot be decoded. One without pose, camera or four columns of depth is skipped and counted.
    ///
    /// Throws ``FusionError/exceedsMemory(voxelSize:limit:)``. Do not use the fusion after that.
    package mutating func add(_ frame: DepthScene?) throws(FusionError) {
        guard let work = frame.flatMap(prepared) else {
            let pose = frame?.description.pose
            if pose.map({ VoxelPose($0, voxelSize: options.voxelSize) == nil }) ?? false { farCount += 1 }
            omittedCount += 1
            return
        }
        try memory.check(work.byteCount)
        frameCount += 1
        hasColor = hasColor || !work.surfels.colors.isEmpty
        let (bands, shards) = (bands, shards)
        let rows = work.surfels.height
        parallelFor(count: bands.count, minimum: 1) { range in
            for index in range {
                let part = rows * index / bands.count..<rows * (index + 1) / bands.count
                bands[index].content.withLock { $0.collect(part, of: work) }
            }
        }
        let found = bands.map { band in band.content.withLock { $0.blocks } }
        // Shards add bands in order, so that their blocks are in the same order for any number of cores.
        parallelFor(count: shards.count, minimum: 1) { range in
            var scratch = BlockScratch(work)
            for index in range {
                shards[index].content.withLock { shard in
                    let period = max(1, shard.keys.count / Self.visitedBlocks)
                    shard.add(work, found.map { $0[index] }, period: period, &scratch)
                }
            }
        }
        try memory.check()
    }

    /// A frame with its surface; `nil` if anything is missing, or if it is outside of the range of voxels.
    private func prepared(_ frame: DepthScene) -> FusionFrame? {
        guard let pose = frame.description.poseOfDepth, let depth = try? frame.depth(),
            let camera = depth.calibration, depth.width >= 4,
            // Frames come as a pinhole sees them.
            let unprojection = try? Unprojection(
                camera, width: depth.width, height: depth.height, correctsLens: false),
            let placed = VoxelPose(pose, voxelSize: options.voxelSize)
        else { return nil }
        // The camera and the visible points are each limited to half of the voxels' range.
        let rays = unprojection.rays
        let sides = [rays.columns.first, rays.columns.last, rays.rows.first, rays.rows.last]
        let widest = sides.reduce(0) { max($0, abs($1 ?? 0)) }
        let reach =
            Float(VoxelKey.reach / 2 - 64) * options.voxelSize / (1 + 2 * widest * widest).squareRoot()
        guard let surfels = SurfelGrid(frame, depth, camera, options, reach: reach) else { return nil }
        return FusionFrame(
            surfels: surfels, pose: placed, number: UInt32(truncatingIfNeeded: frameCount + 1),
            voxelSize: options.voxelSize)
    }

    /// The surface as a cloud. Consumes the fusion.
    package consuming func cloud(tool: String, comments: [String]) -> FusedCloud {
        let volume = FusedVolume(
            shards: shards.map { $0.content.withLock { $0 } }, voxelSize: options.voxelSize,
            minimumHits: FusedVolume.hits(of: frameCount), memory: memory)
        return FusedCloud(
            volume, hasColor: hasColor, hasConfidence: hasConfidence,
            hasNormals: options.hasNormals || options.hasSplats,
            splatSpacing: options.hasSplats ? .length(options.voxelSize) : nil, tool: tool, comments: comments
        )
    }
}
