public import Bytes
internal import DepthMaps
public import Geometry
public import Recordings
internal import Scenes

/// The frames of a recording as one cloud, in meters, in the coordinates of its poses. Without poses, the first followed frame's
/// camera is the world.
public struct FusedRecording: Sendable {
    /// The points.
    package let cloud: FusedCloud
    /// Frames that are in it.
    public let frameCount: Int
    /// The indices of frames that could not be decoded.
    public let damagedFrames: [Int]
    /// How well depth and poses match; `nil` if that cannot be determined.
    package let check: ReprojectionCheck?
    /// Remarks on omitted and doubtful content.
    public let diagnostics: [Diagnostic]

    /// The number of points: about one for each square of a voxel's edge of the surface.
    public var pointCount: Int { cloud.header.pointCount }

    /// All points in memory, with colors and confidences if frames have them, and with normals by the options.
    public func points() -> PointCloud { cloud.collected() }

    /// The surface as triangles, in memory, with the attributes of points, and at most `maximumTriangles` of them if that is
    /// possible. Pieces of fewer than 50 triangles are omitted. Counter-clockwise seen from the cameras.
    ///
    /// Corners are within `maximumError` meters of the planes of the triangles they replace, unless the maximum number requires
    /// more.
    ///
    /// - Throws: ``FusionError/exceedsMemory(voxelSize:limit:)`` if the mesh needs more memory than the recording's limit allows.
    public func mesh(
        maximumError: Float? = nil, maximumTriangles: Int? = nil
    ) throws(FusionError) -> TriangleMesh {
        try cloud.mesh(maximumError: maximumError, maximumTriangles: maximumTriangles).mesh
    }

    /// Writes the points in the format of the name's extension, piece by piece: PLY, PCD, OBJ, GLB or LAS. `-` is
    /// standard output, as PLY.
    ///
    /// Throws ``OutputError`` when the extension is unknown, when the file exists and `replacingExisting` is not set, and
    /// when it cannot be written. No file remains then.
    public func write(to path: String, replacingExisting: Bool = false, asText: Bool = false) throws {
        try cloud.writeFile(path, replacingExisting: replacingExisting, asText: asText)
    }

    /// The bytes of the file that ``write(to:replacingExisting:asText:)`` writes in a format.
    ///
    /// Throws ``CloudError`` if the format cannot hold points, or not as many.
    public func encoded(as format: CloudFormat, asText: Bool = false) throws -> [UInt8] {
        try cloud.encodedFile(as: format, asText: asText)
    }
}

extension Recording {
    /// Fuses frames into one surface: the zero of the mean signed distance from the surfaces of all frames. A point is the
    /// surface in a voxel, with the mean color of the frames there, in linear light.
    ///
    /// Without poses, odometry follows the camera by depth and color, and the first frame's camera is the world. Frames that
    /// cannot be followed are skipped, and reported in ``FusedRecording/diagnostics``.
    ///
    /// - Parameters:
    ///   - voxel: The edge of a voxel, in meters.
    ///   - start: Uses frames from this time on, in seconds since the first frame.
    ///   - end: Uses frames up to and without this time.
    ///   - step: Uses every n-th of these frames.
    ///
    /// - Throws: ``FusionError`` if frames have no depth in meters or no camera, or if almost no frame can be followed, and `CancellationError` when the calling task is cancelled. A frame that cannot be decoded is skipped: see
    ///   ``FusedRecording/damagedFrames``.
    public func fused(
        voxel: Float, from start: Double = 0, to end: Double = .infinity, every step: Int = 1
    ) throws -> FusedRecording {
        try fused(FusionOptions(voxelSize: voxel), from: start, to: end, every: step)
    }

    /// Fuses frames into one surface by these options; otherwise as ``fused(voxel:from:to:every:)``.
    ///
    /// With `axes`, the world is turned upright: y points up (``CloudAxes/opengl``) or down (``CloudAxes/opencv``). Gravity
    /// shows what is up if the poses are aligned with it; else the floor does, and is at height 0.
    ///
    /// - Throws: Also ``FusionError/noFloor`` and ``FusionError/severalFloors(degrees:)`` if it is not known what is up.
    public func fused(
        _ options: FusionOptions, from start: Double = 0, to end: Double = .infinity, every step: Int = 1,
        uprightIn axes: CloudAxes? = nil
    ) throws -> FusedRecording {
        guard step > 0 else { throw FusionError.notPositive(name: "step", Double(step)) }
        var selection = FrameSelection()
        (selection.start, selection.end, selection.step) = (start, end, step)
        return try cancellable {
            let followed = try FollowedRecording(self, selection, uprightIn: axes)
            return try FusedRecording(
                followed.recording, options, selection, remarks: followed.diagnostics)
        }
    }
}
