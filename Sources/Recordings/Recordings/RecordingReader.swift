package import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Scenes
package import Sequences
internal import Synchronization

/// Reads the frames of a recording, in order or by index, into buffers that are reused. One thread reads at a time.
package final class RecordingReader: FrameSource {
    private struct State: ~Copyable {
        var decoder: FrameDecoder
        /// The index of the next frame.
        var next = 0
        var turning = FrameTurning()
        /// The last frame that was read by its index.
        var frame = SequenceFrame()
    }

    package let recording: Recording
    private let state: Mutex<State>
    /// How frames are turned.
    private let orientation: Orientation
    /// What is known of the frames without opening a movie beside depth.
    private let listed: SequenceDescription

    /// The frames of a recording from the first on, as stored or turned upright by gravity if the poses allow it.
    package init(_ recording: Recording, isUpright: Bool = false) {
        self.recording = recording
        orientation = isUpright ? recording.orientation ?? .up : .up
        listed = recording.description(turnedBy: orientation)
        state = Mutex(State(decoder: FrameDecoder(recording)))
    }

    package var description: SequenceDescription {
        var description = listed
        // The size of a movie beside depth is known once it is open.
        if recording.colorSize == nil, recording.movie != nil {
            description.colorSize = state.withLock { $0.decoder.movieSize }.map { $0.turned(by: orientation) }
        }
        return description
    }

    package var diagnostics: [Diagnostic] {
        recording.diagnostics + state.withLock { $0.decoder.movieDiagnostics }
    }

    package var sound: SequenceSound? {
        if let movie = recording.movie {
            guard movie.hasSound, let time = recording.frames.first?.movie?.time else { return nil }
            return SequenceSound(in: .file(movie.path), start: movie.start + time)
        }
        let bytes = state.withLock { try? $0.decoder.sound() }
        return bytes.flatMap(\.self).map { SequenceSound(in: .bytes($0), start: recording.timeOrigin) }
    }

    package func prepare(_ parts: FrameParts) throws {
        guard parts.contains(.color) else { return }
        try state.withLock { try $0.decoder.openMovie() }
    }

    /// Skips frames that the decoder of a movie does not deliver; ``diagnostics`` report them.
    package func advance() throws -> Double? {
        try state.withLock { state in
            while state.next < recording.frames.count, !Interruption.isRequested {
                state.next += 1
                if try !recording.layout.isMovie || state.decoder.reachesFrame(at: state.next - 1) {
                    return recording.frames[state.next - 1].time
                }
            }
            if recording.layout.isMovie { try state.decoder.endMovie() }
            return nil
        }
    }

    package func read(_ parts: FrameParts, into frame: inout SequenceFrame) throws {
        try state.withLock { state in
            precondition(state.next > 0, "advance() goes to the first frame")
            try state.decoder.read(parts, ofFrameAt: state.next - 1, into: &frame)
            state.turning.turn(&frame, by: orientation)
        }
    }

    /// Decodes parts of the frame at an index, for a scene.
    func read(_ parts: FrameParts, at index: Int) throws -> DepthScene.FramePlanes {
        try state.withLock { state in
            try state.decoder.read(parts, ofFrameAt: index, into: &state.frame)
            state.turning.turn(&state.frame, by: orientation)
            var taken = SequenceFrame()
            taken.take(parts, of: state.frame)
            (taken.index, taken.time, taken.scale) = (state.frame.index, state.frame.time, state.frame.scale)
            (taken.pose, taken.calibration) = (state.frame.pose, state.frame.calibration)
            taken.lens = state.frame.lens
            return (taken, parts)
        }
    }
}

extension Recording {
    /// The description of its frames, turned.
    fileprivate func description(turnedBy orientation: Orientation) -> SequenceDescription {
        var description = SequenceDescription(layout: title)
        description.frameCount = frames.count
        description.missingCount = skippedCount + cutCount
        (description.seconds, description.rate) = (seconds, rate)
        description.colorSize = colorSize?.turned(by: orientation)
        if hasDepth, let size = depthSize?.turned(by: orientation) {
            description.depth = SequenceDescription.Depth(
                size: size, scale: scale, unitsPerMeter: unitsPerMeter)
        }
        (description.hasConfidence, description.mattes) = (hasConfidence, mattes)
        if let convention {
            description.poses = SequenceDescription.Poses(count: poseCount, convention: convention.words)
        }
        description.isCameraGiven = cameraOrigin == .given
        description.calibration = frames.first.flatMap(calibration)?.oriented(by: orientation)
        description.eyes = eyes
        return description
    }
}

extension PixelSize {
    fileprivate func turned(by orientation: Orientation) -> PixelSize {
        orientation.swapsAxes ? PixelSize(width: height, height: width) : self
    }
}

/// The reader of a recording's scenes, created with the first one.
final class SharedReader: Sendable {
    private let reader = Mutex<RecordingReader?>(nil)

    /// The reader of the recording that owns this.
    func reader(of recording: Recording) -> RecordingReader {
        reader.withLock { reader in
            // A reader that held its own recording would never be released.
            let found = reader ?? RecordingReader(recording.copy, isUpright: true)
            reader = found
            return found
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
