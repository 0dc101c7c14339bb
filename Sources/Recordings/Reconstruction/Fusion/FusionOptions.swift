/// Which samples of a recording enter a fused cloud, and which voxels are kept.
public struct FusionOptions: Hashable, Sendable {
    /// The edge of a voxel, in meters.
    public var voxelSize: Float
    /// The smallest distance along the axis, in meters, inclusive.
    public var near: Float = 0
    /// The largest distance.
    public var far: Float = 1_000_000
    /// The lowest confidence of a sample, 0…2, if frames have confidences.
    public var minimumConfidence = 1
    /// Whether samples between two surfaces are kept.
    public var keepsEdges = false
    /// Uses every n-th sample of every n-th row.
    public var stride = 1
    /// Whether points have normals, towards the cameras.
    public var hasNormals = false
    /// Whether points are splats: flat discs on the surface, as large as voxels. They have normals, and are in the coordinates
    /// of the poses in every format.
    public var hasSplats = false

    /// All samples except flying and low-confidence ones, in voxels of this edge in meters.
    public init(voxelSize: Float = 0.01) { self.voxelSize = voxelSize }

    /// Throws ``FusionError/notPositive(name:_:)``.
    func validate() throws(FusionError) {
        guard voxelSize > 0, voxelSize.isFinite else {
            throw .notPositive(name: "edge of a voxel", Double(voxelSize))
        }
        guard (1...1_000_000).contains(stride) else { throw .notPositive(name: "stride", Double(stride)) }
    }
}
