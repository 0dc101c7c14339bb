internal import DepthModel
internal import Sequences

/// A frame that detects free space: a voxel well in front of everything at its pixel and the surrounding ones has
/// disappeared, or was an error.
struct FreeSpaceView {
    /// The frame's number.
    let frame: UInt32
    private let depth: [Float]
    private let width: Int
    private let height: Int
    private let base: SIMD3<Int>
    /// Rows of the transform from voxels relative to ``base`` to the camera, in meters.
    private let rows: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    private let focal: SIMD2<Float>
    private let center: SIMD2<Float>
    private let voxelSize: Float

    /// The voxel must be nearer than the measured depth by this fraction of its distance, plus two voxels.
    private static let marginShare: Float = 0.03

    init(_ depth: FramePlane<Float>, _ camera: CameraCalibration, _ pose: VoxelPose, frame: UInt32) {
        self.frame = frame
        self.depth = depth.samples
        (width, height) = (depth.width, depth.height)
        base = pose.base
        voxelSize = pose.voxelSize
        let size = pose.voxelSize
        rows = (pose.row(pose.right, size), pose.row(pose.down, size), pose.row(pose.forward, size))
        let scaled = camera.scaled(toWidth: width, height: height)
        focal = SIMD2(Float(scaled.focalLengthX), Float(scaled.focalLengthY))
        center = SIMD2(Float(scaled.principalPointX), Float(scaled.principalPointY))
    }

    func seesThrough(_ voxel: Voxel) -> Bool {
        let key = voxel.key
        let weight = voxel.offsets.w
        let place = SIMD4<Float>(
            Float(key.x - base.x) + voxel.offsets.x / weight,
            Float(key.y - base.y) + voxel.offsets.y / weight,
            Float(key.z - base.z) + voxel.offsets.z / weight, 1)
        let z = (rows.2 * place).sum()
        guard z > 0.05 else { return false }
        let u = (rows.0 * place).sum() / z * focal.x + center.x
        let v = (rows.1 * place).sum() / z * focal.y + center.y
        // The pixels around the nearest one must agree.
        guard u >= 1, v >= 1, u < Float(width) - 2, v < Float(height) - 2 else { return false }
        let farthest = z + max(2 * voxelSize, Self.marginShare * z)
        let middle = Int(v + 0.5) * width + Int(u + 0.5)
        guard depth[middle] > farthest else { return false }
        for row in [middle - width, middle, middle + width] {
            // Comparisons with `nan` are false.
            guard depth[row - 1] > farthest, depth[row] > farthest, depth[row + 1] > farthest else {
                return false
            }
        }
        return true
    }
}
