/// A frame during fusion: its surface, as small planes, and where it is.
struct FusionFrame: Sendable {
    /// The surface that the camera sees.
    let surfels: SurfelGrid
    let pose: VoxelPose
    /// The frame's number, starting at 1.
    let number: UInt32
    /// The edge of a voxel, in meters.
    let voxelSize: Float

    /// How far from the surface voxels are measured, in voxels: at least, and at most where the depth is noisy.
    private static let bands: ClosedRange<Float> = 3...4

    /// The distance from the surface within which voxels are measured, in meters, at a distance `z` from the camera: three
    /// standard deviations of the noise, within limits.
    @inline(__always)
    func band(at z: Float) -> Float {
        max(leastBand, min(3 * surfels.noise * z * z, mostBand))
    }

    /// The bytes of the surfels, and of the blocks that their rays go through at most.
    var byteCount: Int {
        let (spacing, pixels) = (BlockSearch.spacing(self), surfels.planes.count)
        // Arrays of blocks double as they grow.
        let blocks = BlockSearch.blocksOfRay * 2 * MemoryLayout<VoxelKey>.stride
        return pixels * (MemoryLayout<SIMD4<Float>>.stride + MemoryLayout<SIMD4<UInt16>>.stride + 1)
            + pixels / (spacing * spacing) * blocks
    }

    /// The limits of ``band(at:)``, in meters.
    var leastBand: Float { Self.bands.lowerBound * voxelSize }
    var mostBand: Float { Self.bands.upperBound * voxelSize }
    /// The largest distance that a voxel stores, in voxels.
    static var mostVoxels: Float { bands.upperBound }
}
