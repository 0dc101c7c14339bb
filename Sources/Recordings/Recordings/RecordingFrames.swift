package import Bytes
internal import DepthMaps
internal import DepthTypes
package import Sequences
internal import Synchronization

/// The frames of a recording in order.
package final class RecordingFrames: FrameSource {
    private struct State: ~Copyable {
        var decoder: FrameDecoder
        /// The index of the next frame.
        var next = 0
        var turning = FrameTurning()
        /// Opened when the first picture is requested.
        var color: MovieColor?
    }

    package let recording: ListedRecording
    private let state: Mutex<State>
    /// How frames are turned.
    private let orientation: Orientation

    /// The frames of a recording from the first on, as stored or turned upright by gravity if the poses allow it.
    package init(_ recording: ListedRecording, isUpright: Bool = false) {
        self.recording = recording
        orientation = isUpright ? recording.orientation ?? .up : .up
        state = Mutex(State(decoder: FrameDecoder(recording)))
    }

    package var description: SequenceDescription {
        var description = SequenceDescription(layout: recording.layout.title)
        description.frameCount = recording.frames.count
        description.missingCount = recording.skippedCount
        description.seconds = recording.seconds
        description.rate = recording.rate
        // The size of a movie is known once it is open.
        let color = recording.colorSize ?? state.withLock { $0.color?.size }
        description.colorSize = (recording.hasColor ? color : nil).map(turned)
        if recording.hasDepth, let size = recording.depthSize {
            description.depth = SequenceDescription.Depth(
                size: turned(size), scale: recording.scale, unitsPerMeter: recording.unitsPerMeter)
        }
        description.hasConfidence = recording.hasConfidence
        if recording.matteCount > 0 { description.mattes = [.matte] }
        if let convention = recording.convention {
            description.poses = SequenceDescription.Poses(
                count: recording.poseCount, convention: convention.words)
        }
        description.isCameraGiven = recording.cameraOrigin == .given
        description.calibration = recording.frames.first.flatMap(recording.calibration)?.oriented(
            by: orientation)
        return description
    }

    private func turned(_ size: PixelSize) -> PixelSize {
        orientation.swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    }

    package var diagnostics: [Diagnostic] { recording.diagnostics }

    package var sound: SequenceSound? {
        if let movie = recording.movie {
            guard let time = recording.frames.first?.movieTime else { return nil }
            return SequenceSound(in: .file(movie.path), start: time)
        }
        let bytes = state.withLock { try? $0.decoder.sound() }
        return bytes.flatMap(\.self).map { SequenceSound(in: .bytes($0), start: recording.timeOrigin) }
    }

    package func prepare(_ parts: FrameParts) throws {
        guard parts.contains(.color), recording.movie != nil else { return }
        try state.withLock { state in
            if state.color == nil { state.color = try MovieColor(recording) }
        }
    }

    package func advance() throws -> Double? {
        state.withLock { state in
            guard state.next < recording.frames.count else { return nil }
            state.next += 1
            return recording.frames[state.next - 1].time
        }
    }

    package func seek(to index: Int) throws -> Bool {
        guard recording.frames.indices.contains(index) else { return false }
        state.withLock { state in
            // A movie is read in order.
            if index < state.next - 1 { state.color = nil }
            state.next = index + 1
        }
        return true
    }

    package func read(_ parts: FrameParts, into frame: inout SequenceFrame) throws {
        try state.withLock { state in
            precondition(state.next > 0, "advance() goes to the first frame")
            try state.decoder.read(parts, ofFrameAt: state.next - 1, into: &frame)
            if parts.contains(.color), recording.movie != nil {
                if state.color == nil { state.color = try MovieColor(recording) }
                try state.color?.read(recording.frames[state.next - 1], into: &frame.color)
            }
            state.turning.turn(&frame, by: orientation)
        }
    }
}

/// Turns frames, in memory that is reused.
private struct FrameTurning {
    private var color = FramePlane<RGB<UInt8>>()
    private var depth = FramePlane<Float>()
    private var codes = FramePlane<UInt8>()

    mutating func turn(_ frame: inout SequenceFrame, by orientation: Orientation) {
        let quarters = orientation.quarterTurns
        guard quarters > 0 else { return }
        Self.turn(&frame.color, quarters, &color)
        Self.turn(&frame.depth, quarters, &depth)
        Self.turn(&frame.confidence, quarters, &codes)
        Self.turn(&frame.matte, quarters, &codes)
        frame.pose = frame.pose?.turned(quarters: quarters)
        frame.calibration = frame.calibration?.oriented(by: orientation)
    }

    private static func turn<Sample>(
        _ plane: inout FramePlane<Sample>, _ quarters: Int, _ scratch: inout FramePlane<Sample>
    ) {
        guard !plane.isEmpty else { return }
        plane.turned(quarters: quarters, into: &scratch)
        swap(&plane, &scratch)
    }
}
