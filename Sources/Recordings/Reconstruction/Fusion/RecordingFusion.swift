package import Bytes
internal import DepthTypes
internal import Geometry
package import Recordings
package import Scenes

extension FusedRecording {
    /// Fuses frames of a recording. Frames that cannot be decoded are skipped and counted.
    ///
    /// Frames are decoded on all cores, a few at a time. `remarks` on the poses come first among the diagnostics. `tool` and
    /// `sourceName` are stored in the header of a file. Throws ``FusionError``.
    package init(
        _ recording: Recording, _ options: FusionOptions,
        _ selection: FrameSelection = FrameSelection(), remarks: [Diagnostic] = [],
        tool: String = "isobath \(isobathVersion)", sourceName: String = ""
    ) throws(FusionError) {
        try options.validate()
        try recording.requireMetricDepth()
        guard recording.poseCount > 0 else { throw .noPoses }
        let indices = selection.indices(in: recording)
        guard !indices.isEmpty else { throw .noFrames }
        // Checked with the frames that are decoded to be fused.
        var survey = ReprojectionCheck.Survey(recording)
        var audit = PoseAudit(driftOf: recording, indices)
        var fusion = SurfaceFusion(
            options, hasConfidence: recording.hasConfidence, limits: recording.limits)
        var losses = FusionLosses()
        // Frames that odometry could not follow are decoded all the same, since damaged ones are reported here.
        let posed =
            recording.hasEstimatedPoses ? indices : indices.filter { recording.frames[$0].pose != nil }
        try losses.forEach(posed, of: recording, ofSurface: true) { (frame) throws(FusionError) in
            if let frame {
                survey?.add(frame)
                audit.add(frame)
            }
            try fusion.add(frame)
        }
        let check = survey?.check()
        let outliers = Set(recording.outliers)
        let omitted = fusion.omittedCount + indices.count { !outliers.contains($0) } - posed.count
        let drift = audit.driftDiagnostic(voxelSize: options.voxelSize, fit: check?.error ?? 0)
        var diagnostics =
            remarks + (check?.diagnostics ?? []) + [drift].compactMap(\.self) + losses.diagnostics
        // Frames that odometry could not follow are reported by it.
        let others = recording.hasEstimatedPoses ? 0 : omitted - losses.frames.count - fusion.farCount
        for (count, reason) in [
            (others, "without pose, camera or depth of 4 columns"),
            (fusion.farCount, "whose pose is too far away for voxels of \(options.voxelSize) m"),
        ] where count > 0 {
            diagnostics.append(
                .warning(.lostTracking, "\(count == 1 ? "1 frame" : "\(count) frames") \(reason) skipped"))
        }
        if recording.hasConfidence, options.minimumConfidence > 0 {
            diagnostics.append(
                .note(
                    .omittedSamples, "samples of confidence below \(options.minimumConfidence) are skipped"))
        }
        let frames = fusion.frameCount
        let comments = Self.comments(recording, options, tool: tool, source: sourceName)
        let cloud = fusion.cloud(tool: tool, comments: comments)
        guard cloud.header.pointCount > 0 else {
            throw losses.frames.first.map { .unreadable($0.error) } ?? .noPoints
        }
        let voxels = cloud.header.pointCount + cloud.rareCount
        if cloud.rareCount > 0 {
            diagnostics.append(
                .note(
                    .omittedSamples,
                    "of \(voxels) voxels, \(cloud.rareCount) that fewer than \(FusedVolume.hits(of: frames)) frames saw are skipped"
                ))
        }
        if cloud.ghostCount > 0 {
            diagnostics.append(
                .note(
                    .omittedSamples,
                    "\(cloud.ghostCount) voxels are free again, since other frames saw through them"))
        }
        if cloud.colorlessCount > 0 {
            diagnostics.append(
                .note(.omittedSamples, "\(cloud.colorlessCount) points that no picture shows are gray"))
        }
        self.init(
            cloud: cloud, frameCount: frames, damagedFrames: losses.frames.map(\.index), check: check,
            diagnostics: diagnostics)
    }

    private static func comments(
        _ recording: Recording, _ options: FusionOptions, tool: String, source: String
    ) -> [String] {
        [
            "made by \(tool.percentEscaped)", "source \(source.percentEscaped)", "unit m",
            "accuracy \(recording.scale.accuracy.rawValue)",
            "axes world: those of \(recording.worldName)", "voxel \(options.voxelSize) m",
        ]
    }
}
