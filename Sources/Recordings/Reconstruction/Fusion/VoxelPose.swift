internal import DepthTypes

/// A pose in voxels. The camera's position is split into integer voxels and a fraction, so that Float32 is exact enough at
/// any distance from the origin.
struct VoxelPose {
    let voxelSize: Float
    /// The voxel that contains the camera.
    let base: SIMD3<Int>
    /// The camera's position in it, in voxels, −½…½.
    let rest: SIMD3<Float>
    let right: SIMD3<Float>
    let down: SIMD3<Float>
    let forward: SIMD3<Float>

    /// `nil` if the camera is outside the range of voxels.
    init?(_ pose: CameraPose, voxelSize: Float) {
        let place = pose.position / Double(voxelSize)
        let nearest = place.rounded(.toNearestOrAwayFromZero)
        let limit = Double(VoxelKey.reach) / 2
        guard abs(nearest.x) < limit, abs(nearest.y) < limit, abs(nearest.z) < limit else { return nil }
        self.voxelSize = voxelSize
        base = SIMD3(Int(nearest.x), Int(nearest.y), Int(nearest.z))
        rest = SIMD3<Float>(place - nearest)
        right = SIMD3<Float>(pose.right)
        down = SIMD3<Float>(pose.down)
        forward = SIMD3<Float>(pose.forward)
    }

    /// The center of a voxel in the camera's axes, in meters.
    @inline(__always)
    func camera(_ voxel: VoxelKey) -> SIMD3<Float> {
        let place =
            (SIMD3(Float(voxel.x &- base.x), Float(voxel.y &- base.y), Float(voxel.z &- base.z)) - rest)
            * voxelSize
        return SIMD3((place * right).sum(), (place * down).sum(), (place * forward).sum())
    }
}
