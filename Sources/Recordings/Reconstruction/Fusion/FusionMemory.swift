internal import Bytes
internal import Synchronization

/// The memory of a fusion, bounded by `memory-bytes`: of voxels, of frames, and of the mesh.
///
/// Voxels may take half of the limit. Arrays are copied while they grow, and frames are decoded at the same time.
final class FusionMemory: Sendable {
    private let limit: Int
    private let voxelSize: Float
    /// The bytes of all blocks of voxels.
    private let voxels = Atomic<Int>(0)

    init(_ limits: DecodingLimits, voxelSize: Float) {
        limit = limits[.memoryBytes]
        self.voxelSize = voxelSize
    }

    /// Reserves memory for voxels. Returns whether there was enough; after `false`, ``check(_:)`` throws.
    func reserve(_ byteCount: Int) -> Bool {
        voxels.wrappingAdd(byteCount, ordering: .relaxed).newValue <= limit / 2
    }

    /// Throws ``FusionError/exceedsMemory(voxelSize:limit:)`` if the voxels, or the voxels with other bytes, need too much.
    func check(_ other: Int = 0) throws(FusionError) {
        let held = voxels.load(ordering: .relaxed)
        guard held <= limit / 2, other <= limit - held else {
            throw .exceedsMemory(voxelSize: voxelSize, limit: limit)
        }
    }
}
