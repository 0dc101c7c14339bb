internal import Bytes
internal import DepthMaps
public import Recordings
internal import Scenes

extension Recording {
    /// Writes frames into a folder that other programs read as a data set: pictures, depth, cameras and poses, and a cloud
    /// that is fused of them where the form has one.
    ///
    /// Without poses, odometry follows the camera by depth and color. The folder is complete or missing, never partial.
    ///
    /// - Parameters:
    ///   - form: The form, which also determines the unit of depth.
    ///   - path: The folder.
    ///   - replacingExisting: Whether a folder is replaced that holds files of a data set and no others.
    ///   - start: Uses frames from this time on, in seconds since the first frame.
    ///   - end: Uses frames up to and without this time.
    ///   - step: Uses every n-th of these frames.
    ///   - maximumFrames: The largest number of frames, evenly chosen; `nil` for all.
    ///   - takesSharpest: Whether the sharpest picture of each group of frames is used that `step` or `maximumFrames` makes.
    ///   - quality: The quality of JPEG pictures that are not copied from the recording, 1…100; `nil` for the default, 92.
    /// - Returns: What was written, with the frames that could not be decoded and other losses.
    /// - Throws: ``DataSetError``, ``FusionError`` if depth has no unit or the camera is unknown, ``OutputError``, the first
    ///   frame's error if none can be decoded, and `CancellationError` when the calling task is cancelled.
    @discardableResult
    public func writeDataSet(
        _ form: DataSetForm, to path: String, replacingExisting: Bool = false, from start: Double = 0,
        to end: Double = .infinity, every step: Int = 1, maximumFrames: Int? = nil,
        takingSharpest takesSharpest: Bool = false, quality: Int? = nil
    ) throws -> DataSet {
        for (name, count) in [("step", step), ("maximumFrames", maximumFrames ?? 1)] where count <= 0 {
            throw FusionError.notPositive(name: name, Double(count))
        }
        if let folder = FileIdentity(path: path),
            folder == FileIdentity(path: self.path)
                || FileIdentity.isInside([folder], path: self.path)
        {
            throw OutputError(path, .input)
        }
        var options = DataSetOptions()
        (options.selection.start, options.selection.end, options.selection.step) = (start, end, step)
        (options.maximumFrames, options.takesSharpest) = (maximumFrames, takesSharpest)
        if let quality { options.quality = quality }
        return try cancellable {
            let folder = try OutputFolder(path: path, replacing: replacingExisting ? DataSetForm.names : nil)
            let followed = try FollowedRecording(self, options.selection)
            var set = try DataSet(
                followed.recording, as: form, options, sourceName: self.path.lastPathComponent,
                to: folder)
            set.diagnostics.insert(contentsOf: followed.diagnostics, at: 0)
            try folder.publish()
            return set
        }
    }
}
