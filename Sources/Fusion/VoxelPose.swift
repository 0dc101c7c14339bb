internal import DepthModel

/// A pose in voxels: the camera's position is split into a whole number of voxels and the rest, so that Float32 is exact enough
/// however far from the origin it is.
struct VoxelPose {
    let voxelSize: Float
    /// The voxel that the camera is in.
    let base: SIMD3<Int>
    /// The camera's place in it, in voxels, −½…½.
    let rest: SIMD3<Float>
    let right: SIMD3<Float>
    let down: SIMD3<Float>
    let forward: SIMD3<Float>

    /// `nil` where the camera is farther from the origin than voxels reach.
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

    /// What leads from a place in voxels about ``base``, and 1, to the coordinate of an axis of the camera, in meters.
    func row(_ axis: SIMD3<Float>, _ size: Float) -> SIMD4<Float> {
        SIMD4(axis * size, -(axis * rest).sum() * size)
    }
}
