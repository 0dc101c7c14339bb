/// Which samples of a recording become part of a fused cloud, and which voxels stay.
package struct FusionOptions: Hashable, Codable, Sendable {
    /// The edge of a voxel, in meters.
    package var voxelSize: Float
    /// The least distance along the axis, in meters; samples at it stay.
    package var near: Float = 0
    /// The greatest distance.
    package var far: Float = 1_000_000
    /// The least confidence of a sample, 0…2, where frames have one.
    package var minimumConfidence = 1
    /// Whether samples between two surfaces stay.
    package var keepsEdges = false
    /// Takes every n-th sample of every n-th row.
    package var stride = 1
    /// In how many frames a voxel has to be seen; `nil` for 2 where there are 8 frames or more, else 1.
    package var minimumHits: Int?
    /// Whether voxels go that later frames see through more often than they were seen.
    package var removesGhosts = true

    /// All samples but flying and unsure ones, in voxels of this edge.
    package init(voxelSize: Float) {
        precondition(voxelSize > 0 && voxelSize.isFinite, "a voxel has a size")
        self.voxelSize = voxelSize
    }

    /// In how many of `frameCount` frames a voxel has to be seen.
    package func hits(of frameCount: Int) -> Int { minimumHits ?? (frameCount >= 8 ? 2 : 1) }
}
