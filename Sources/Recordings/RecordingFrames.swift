package import ByteParsing
internal import DepthModel
package import Sequences
internal import Synchronization

/// The frames of a recording in order.
package final class RecordingFrames: FrameSource {
    private struct State: ~Copyable {
        var decoder: FrameDecoder
        /// The index of the next frame.
        var next = 0
        /// Opened with the first picture that is wanted.
        var color: MovieColor?
    }

    /// The recording.
    package let recording: Recording
    private let state: Mutex<State>

    /// The frames of a recording from the first on.
    package init(_ recording: Recording) {
        self.recording = recording
        state = Mutex(State(decoder: FrameDecoder(recording)))
    }

    package var description: SequenceDescription {
        var description = SequenceDescription(layout: recording.layout.title)
        description.frameCount = recording.frames.count
        description.seconds = recording.seconds
        description.rate = recording.rate
        description.colorSize = recording.hasColor ? recording.colorSize : nil
        if recording.hasDepth, let size = recording.depthSize {
            description.depth = SequenceDescription.Depth(
                size: size, scale: recording.scale, unitsPerMeter: recording.unitsPerMeter)
        }
        description.hasConfidence = recording.hasConfidence
        if let convention = recording.convention {
            description.poses = SequenceDescription.Poses(
                count: recording.poseCount, convention: convention.words)
        }
        description.calibration = recording.frames.first.flatMap(recording.calibration)
        return description
    }

    package var diagnostics: [Diagnostic] { recording.diagnostics }

    package func advance() throws -> Double? {
        state.withLock { state in
            guard state.next < recording.frames.count else { return nil }
            state.next += 1
            return recording.frames[state.next - 1].time
        }
    }

    package func read(_ parts: FrameParts, into frame: inout SequenceFrame) throws {
        try state.withLock { state in
            precondition(state.next > 0, "advance() goes to the first frame")
            try state.decoder.read(parts, ofFrameAt: state.next - 1, into: &frame)
            guard parts.contains(.color), recording.movie != nil else { return }
            if state.color == nil { state.color = try MovieColor(recording) }
            try state.color?.read(recording.frames[state.next - 1], into: &frame.color)
        }
    }
}
