internal import Embedded
internal import Isobath
internal import Reconstruction
internal import Recordings
internal import Scenes

extension ConvertJob {
    /// Writes a data set of a recording, or of one picture.
    func writeDataSet(
        _ form: DataSetForm, _ input: Input, keeping originals: Set<FileIdentity>, _ reporter: Reporter
    ) throws {
        let path = input.path
        let output = destination.path(for: input)
        // The folder that is replaced may hold the input.
        if let identity = FileIdentity(path: output), FileIdentity.isInside([identity], path: path) {
            throw OutputError(output, .input)
        }
        guard try existing.wantsFolder(output, replacing: DataSetForm.names, keeping: originals) else {
            return existing.kept(output, reporter, of: path)
        }
        var file = input
        let opened = try open(&file, reporter)
        closeOnInterrupt()
        let name = OutputDestination.name(of: path)
        var missing = 0
        let set: DataSet
        let folder: OutputFolder
        if let recording = opened.recording {
            reporter.report(recording.diagnostics, of: path)
            let followed = try FollowedRecording(recording, selection)
            reporter.report(followed.diagnostics, of: path)
            missing = recording.skippedCount
            var options = DataSetOptions()
            (options.selection, options.maximumFrames, options.quality) = (
                selection, maximumFrames, quality
            )
            options.takesSharpest = takesSharpest
            folder = try existing.folder(output, replacing: DataSetForm.names, reporter)
            set = try DataSet(followed.recording, as: form, options, sourceName: name, to: folder)
        } else {
            guard let found = opened.still else { throw opened.needsRecording(for: "a data set") }
            reporter.report(opened.diagnostics, of: path)
            let scene = try scene(of: found, file, reporter)
            let photo = scene.description.colorSize == nil ? nil : try photo(of: found, file, reporter)
            folder = try existing.folder(output, replacing: DataSetForm.names, reporter)
            set = try DataSet(
                scene, photo: photo, as: form, quality: quality, sourceName: name, limits: limits, to: folder)
            reporter.report(scene.diagnostics, except: found.diagnostics, of: path)
        }
        reporter.report(set.diagnostics, of: path)
        let failures = FailureCount(path, reporter)
        for (index, error) in set.damagedFrames { failures.add(error, frame: index) }
        failures.summarize()
        guard try existing.publish(folder) else { return reporter.countSkipped(output) }
        reporter.countWritten(output)
        let losses = failures.losses(missing: missing)
        reporter.conclude(set.summary + losses + " → \(folder.path)/", of: path, isLossy: !losses.isEmpty)
        reporter.add([
            ("output", .text(folder.path)), ("frames", .integer(set.frameCount)),
            ("pictures", .integer(set.pictureCount)), ("poses", .integer(set.poseCount)),
            ("points", .optional(set.pointCount)),
        ])
        failures.record(missing: missing)
    }
}

extension DataSet {
    /// As in `80 frames, 182341 points`.
    fileprivate var summary: String {
        var text = frameCount == 1 ? "1 frame" : "\(frameCount) frames"
        if pictureCount < frameCount { text += ", \(pictureCount) with a picture" }
        if poseCount < frameCount { text += ", \(poseCount) with a pose" }
        return text + (pointCount.map { ", \($0) points" } ?? "")
    }
}
