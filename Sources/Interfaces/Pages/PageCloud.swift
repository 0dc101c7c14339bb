internal import Bytes
internal import DepthTypes
internal import Embedded
internal import Geometry
internal import Reconstruction
internal import Recordings
internal import Scenes

/// The fused surface of a recording in a page, or only its points where they are too sparse for a surface.
struct PageCloud: Sendable {
    /// The corners of the surface, and its triangles.
    let shape: PackedShape
    /// The parts of the recording that could not be used.
    let diagnostics: [Diagnostic]
    private let voxel: Float

    /// The maximum number of points without a surface; more are thinned evenly.
    private static let mostPoints = 90_000
    /// The maximum number of triangles; more are simplified.
    private static let mostTriangles = 90_000
    /// The maximum number of frames; more are thinned evenly.
    private static let mostFrames = 96
    /// Voxel edges to try: the second if the first leaves few points, as for a small object.
    private static let voxels: [Float] = [0.02, 0.005]

    /// Fuses a recording. Throws ``FusionError`` if that is impossible.
    init(_ recording: Recording) throws {
        var selection = FrameSelection()
        selection.step = max(1, recording.frames.count / Self.mostFrames)
        var found: (fused: FusedRecording, voxel: Float)?
        for voxel in Self.voxels where found.map({ $0.fused.pointCount < 12_000 }) ?? true {
            var options = FusionOptions(voxelSize: voxel)
            // Thins samples to about two per voxel of a view.
            options.stride = voxel > 0.01 ? max(1, (recording.depthSize?.width ?? 0) / 320) : 1
            found = (try FusedRecording(recording, options, selection, tool: ""), voxel)
        }
        guard let (fused, voxel) = found else { throw FusionError.noPoints }
        (self.voxel, diagnostics) = (voxel, fused.diagnostics)
        shape = try Self.surface(of: fused) ?? PackedShape(Self.thinned(fused.points()))
    }

    /// The surface; `nil` where most points are in none, or in too many pieces.
    private static func surface(of fused: FusedRecording) throws -> PackedShape? {
        let mesh = try fused.mesh(maximumTriangles: mostTriangles)
        // A closed surface has about two triangles for each point.
        guard mesh.triangleCount > min(fused.pointCount, mostTriangles) / 2,
            mesh.vertices.positions.count <= PackedShape.mostCorners
        else { return nil }
        return try PackedShape(mesh.vertices, mesh.triangles)
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
