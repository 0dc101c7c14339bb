internal import Bytes
internal import DepthTypes
internal import Embedded
internal import Geometry
internal import Reconstruction
internal import Recordings
internal import Scenes

/// The fused surface of a recording in a page, or only its points where they are too sparse for a surface.
struct PageCloud: Sendable {
    /// The corners of the surface, and its triangles: those that no picture shows, then those that each frame's picture shows.
    let shape: PackedShape
    private let voxel: Float

    /// The maximum number of points without a surface; more are thinned evenly.
    private static let mostPoints = 90_000
    /// The maximum number of triangles; more are simplified.
    private static let mostTriangles = 90_000
    /// The maximum number of pictures on the surface; of more, some are used, spread evenly.
    private static let mostPictures = 48

    /// A fused recording, as `cloud` fuses it.
    struct Fused: Sendable {
        /// The recording with its own poses except wrong ones, or with those that odometry estimates.
        let recording: Recording
        /// How poses were estimated, and the parts of the recording that could not be used.
        let diagnostics: [Diagnostic]
        fileprivate let cloud: FusedRecording
        fileprivate let voxel: Float

        /// The maximum number of frames; more are thinned evenly.
        private static let mostFrames = 96
        /// With more points, voxels become larger: the surface would lose its details all the same.
        private static let mostPoints = 500_000
        /// If memory does not suffice, voxels become larger, too, up to this many times.
        private static let largestFactor: Float = 64

        /// Fuses a recording. Throws ``FusionError`` if that is impossible.
        init(_ recording: Recording) throws(FusionError) {
            var selection = FrameSelection()
            selection.step = max(1, recording.frames.count / Self.mostFrames)
            let followed = try FollowedRecording(recording, selection)
            try followed.recording.requireMetricDepth()
            guard let usual = SceneVoxel(of: followed.recording, selection)?.size else {
                throw .noPoints
            }
            var options = FusionOptions(voxelSize: usual)
            var found: FusedRecording?
            while found == nil {
                do throws(FusionError) {
                    let fused = try FusedRecording(followed.recording, options, selection, tool: "")
                    if fused.pointCount <= Self.mostPoints { found = fused } else { options.voxelSize *= 2 }
                } catch {
                    guard case .exceedsMemory = error, options.voxelSize < usual * Self.largestFactor
                    else { throw error }
                    options.voxelSize *= 2
                }
            }
            guard let found else { throw .noPoints }
            (self.recording, cloud, voxel) = (followed.recording, found, options.voxelSize)
            var diagnostics = followed.diagnostics + found.diagnostics
            if voxel > usual {
                let text = "the surface is large, so the page has it in voxels of \(voxel.short) m"
                diagnostics.append(.note(.omittedSamples, text))
            }
            self.diagnostics = diagnostics
        }
    }

    /// The surface of a recording with the pictures of some frames, or its points.
    init(_ fused: Fused, shownBy views: [PictureView?]) throws {
        voxel = fused.voxel
        let step = max(1, (views.count + Self.mostPictures - 1) / Self.mostPictures)
        let used = views.indices.map { $0 % step == 0 ? views[$0] : nil }
        shape =
            try Self.surface(of: fused, shownBy: used)
            ?? PackedShape(Self.thinned(fused.cloud.points()))
    }

    /// The surface; `nil` where most points are in none, or in too many pieces.
    private static func surface(of fused: Fused, shownBy views: [PictureView?]) throws -> PackedShape? {
        let mesh = try fused.cloud.mesh(maximumTriangles: mostTriangles)
        // A closed surface has about two triangles for each point.
        guard mesh.triangleCount > min(fused.cloud.pointCount, mostTriangles) / 2,
            mesh.vertices.positions.count <= PackedShape.mostCorners
        else { return nil }
        let pictures = SurfacePictures(mesh, views, tolerance: 2 * fused.voxel)
        return try PackedShape(mesh.vertices, [pictures.unseen] + pictures.seen)
    }

    private static func thinned(_ cloud: PointCloud) -> PointCloud {
        let count = cloud.positions.count
        let indices = stride(from: 0, to: count, by: max(1, (count + mostPoints - 1) / mostPoints))
        return PointCloud(
            positions: indices.map { cloud.positions[$0] },
            colors: cloud.colors.isEmpty ? [] : indices.map { cloud.colors[$0] })
    }

    /// The parameters for the page's script. Lengths are meters.
    var record: JSONValue { .object(shape.fields + [("voxel", .number(Double(voxel)))]) }

    /// Adds the data for the page's script.
    func append(to blocks: inout DataBlocks) {
        blocks.append("cloud-positions", base64: shape.positions)
        blocks.append("cloud-colors", base64: shape.colors)
        if let triangles = shape.triangles { blocks.append("cloud-triangles", base64: triangles) }
    }
}
