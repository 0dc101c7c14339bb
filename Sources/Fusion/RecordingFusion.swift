internal import ByteParsing
internal import DepthCore
internal import DepthIO
internal import DepthModel
internal import PointClouds
package import Recordings
package import Sequences
internal import Synchronization

extension FrameSelection {
    /// The indices of the frames of a recording that are used.
    package func indices(in recording: ListedRecording) -> [Int] {
        let inside = recording.frames.indices.filter { contains(recording.frames[$0].time ?? 0) }
        return stride(from: 0, to: inside.count, by: step).map { inside[$0] }
    }
}

extension FusedRecording {
    /// Fuses frames of a recording. Frames that cannot be decoded are skipped and counted.
    ///
    /// Frames are decoded on all cores, a few at a time. `tool` and `sourceName` are stored in the header of a file. Throws
    /// ``FusionError``.
    package init(
        _ recording: ListedRecording, _ options: FusionOptions,
        _ selection: FrameSelection = FrameSelection(),
        tool: String = "isobath \(isobathVersion)", sourceName: String = ""
    ) throws(FusionError) {
        try options.validate()
        try Self.requireEnough(recording)
        let indices = selection.indices(in: recording)
        guard !indices.isEmpty else { throw .noFrames }
        let check = ReprojectionCheck(recording)
        var fusion = SurfaceFusion(options, hasConfidence: recording.hasConfidence)
        var losses = FusionLosses()
        Self.add(indices, of: recording, to: &fusion, &losses)
        var diagnostics = (check?.diagnostics ?? []) + losses.diagnostics
        if fusion.omittedCount > losses.frames.count {
            let count = fusion.omittedCount - losses.frames.count
            diagnostics.append(
                .warning(
                    .lostTracking,
                    "\(count == 1 ? "1 frame" : "\(count) frames") without pose, camera or depth of 4 columns skipped"
                ))
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
                    "of \(voxels) voxels, \(cloud.rareCount) that fewer than \(options.hits(of: frames)) frames saw are skipped"
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
        _ recording: ListedRecording, _ options: FusionOptions, tool: String, source: String
    ) -> [String] {
        [
            "made by \(tool.percentEscaped)", "source \(source.percentEscaped)", "unit m",
            "accuracy \(recording.scale.accuracy.rawValue)",
            "axes world: those of the recording's poses", "voxel \(options.voxelSize) m",
        ]
    }

    private static func requireEnough(_ recording: ListedRecording) throws(FusionError) {
        guard recording.hasDepth else { throw .noDepth }
        guard recording.scale.isMetric else { throw .noUnit }
        guard recording.poseCount > 0 else { throw .noPoses }
        guard recording.frames.contains(where: { recording.calibration(of: $0) != nil }) else {
            throw .noCamera
        }
    }

    /// A frame that is decoded together with others.
    private struct Slot: Sendable {
        var decoder: FrameDecoder
        var frame = SequenceFrame()
        var error: ContainerError?

        mutating func read(_ index: Int, _ recording: ListedRecording) {
            error = nil
            guard recording.frames[index].pose != nil else { return frame.clear() }
            do throws(ContainerError) {
                // Colors are needed at the resolution of the depth.
                try decoder.read(.all, ofFrameAt: index, colorAtLeast: recording.depthSize, into: &frame)
            } catch {
                self.error = error
                frame.depth.clear()
            }
        }
    }

    /// Decodes frames, a few at a time, and adds them in order.
    private static func add(
        _ indices: [Int], of recording: ListedRecording, to fusion: inout SurfaceFusion,
        _ losses: inout FusionLosses
    ) {
        let size = 8
        let slots = (0..<min(size, indices.count)).map { _ in Place(Slot(decoder: FrameDecoder(recording))) }
        // Without the movie, points have no colors.
        var color: MovieColor?
        do {
            color = try MovieColor(recording)
        } catch {
            losses.movie = error
        }
        for first in stride(from: 0, to: indices.count, by: size) where !Interruption.isRequested {
            let batch = indices[first..<min(first + size, indices.count)]
            parallelFor(count: batch.count, minimum: 1) { band in
                for place in band {
                    slots[place].content.withLock { $0.read(batch[batch.startIndex + place], recording) }
                }
            }
            for place in 0..<batch.count {
                let index = batch[batch.startIndex + place]
                slots[place].content.withLock { slot in
                    if let error = slot.error { losses.frames.append((index, error)) }
                    do {
                        try color?.read(recording.frames[index], into: &slot.frame.color)
                    } catch {
                        // A damaged picture affects only its own frame.
                        slot.frame.color.clear()
                        losses.pictures.append((index, error))
                    }
                    fusion.add(slot.frame)
                }
            }
        }
    }
}
