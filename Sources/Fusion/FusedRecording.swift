public import ByteParsing
internal import DepthCore
internal import DepthIO
public import PointClouds
public import Recordings
internal import Sequences

/// The frames of a recording as one cloud, in the coordinates of its poses, in meters.
public struct FusedRecording: Sendable {
    /// The points.
    package let cloud: FusedCloud
    /// Frames that are in it.
    public let frameCount: Int
    /// The indices of frames that could not be decoded.
    public let damagedFrames: [Int]
    /// Voxels that held points before rare ones and ghosts were left out.
    package let voxelCount: Int
    /// How depth and poses fit together; `nil` where that cannot be said.
    package let check: ReprojectionCheck?
    /// What was left out or is doubtful.
    public let diagnostics: [Diagnostic]

    /// The number of points: one for each voxel that stays.
    public var pointCount: Int { cloud.header.pointCount }

    /// All points in memory, with colors and confidences where frames have them.
    public func points() -> PointCloud { cloud.collected() }

    /// Writes the points in the format that the name's extension says, piece by piece: PLY, PCD, XYZ, OBJ, GLB or LAS. `-` is
    /// standard output, as PLY.
    ///
    /// Throws ``OutputError`` when the name has no known extension, when the file exists and `replacingExisting` is not set, and
    /// when it cannot be written, and then leaves no file.
    public func write(to path: String, replacingExisting: Bool = false, asText: Bool = false) throws {
        try cloud.writeFile(path, replacingExisting: replacingExisting, asText: asText)
    }

    /// The bytes of the file that ``write(to:replacingExisting:asText:)`` writes in a format.
    ///
    /// Throws ``CloudError`` where the format holds no points, or fewer than there are.
    public func encoded(as format: CloudFormat, asText: Bool = false) throws -> [UInt8] {
        try cloud.encodedFile(as: format, asText: asText)
    }
}

extension Recording {
    /// Fuses frames into one cloud: each voxel that holds points becomes one, the mean of their positions and colors.
    ///
    /// - Parameters:
    ///   - voxel: The edge of a voxel, in meters.
    ///   - start: Takes frames from this time on, in seconds since the first frame.
    ///   - end: Takes frames up to this time.
    ///   - step: Takes every n-th of these frames.
    /// - Throws: ``FusionError`` where frames have no depth in meters, no poses or no camera, and `CancellationError` when the task
    ///   that calls is cancelled. A frame that cannot be decoded is skipped: see ``FusedRecording/damagedFrames``.
    public func fused(
        voxel: Float, from start: Double = 0, to end: Double = .infinity, every step: Int = 1
    ) throws -> FusedRecording {
        try fused(FusionOptions(voxelSize: voxel), from: start, to: end, every: step)
    }

    /// Fuses frames into one cloud as options say; otherwise as ``fused(voxel:from:to:every:)``.
    public func fused(
        _ options: FusionOptions, from start: Double = 0, to end: Double = .infinity, every step: Int = 1
    ) throws -> FusedRecording {
        guard case .listed(let recording) = content else { throw FusionError.noPoses }
        guard step > 0 else { throw FusionError.notPositive(name: "step", Double(step)) }
        var selection = FrameSelection()
        (selection.start, selection.end, selection.step) = (start, end, step)
        return try cancellable { try FusedRecording(recording, options, selection) }
    }
}
