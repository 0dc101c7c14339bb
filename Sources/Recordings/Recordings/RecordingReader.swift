package import Bytes
internal import DepthMaps
package import DepthTypes
package import Scenes
internal import Synchronization

/// The frames of a recording: in order, for a ``SceneLoop``, or by index. Memory is reused.
package final class RecordingReader: SceneSequence {
    private struct State: ~Copyable {
        /// Decodes the movie, and frames by index.
        var decoder: FrameDecoder
        /// The number of frames that ``advance()`` reached.
        var reached = 0
        /// The number of frames that the decoder of the movie did not deliver.
        var lost = 0
        /// The last frame that was read by its index.
        var frame = FramePlanes()
    }

    package let recording: Recording
    /// The frames in order, by their indices.
    private let indices: [Int]
    /// Whether frames that the decoder of a movie does not deliver are skipped.
    private let skipsLost: Bool
    private let colorSize: PixelSize?
    /// How frames are turned.
    private let orientation: Orientation
    private let isUpright: Bool
    /// How frames are seen by the camera that measured the depth; `nil` for the pictures' view.
    private let surface: SurfaceView.Lens?
    /// The reader of ``measuring``.
    private let measured = Mutex<RecordingReader?>(nil)
    /// What is known of the frames without opening a movie beside depth.
    private let listed: SceneDescription
    private let state: Mutex<State>
    /// Decoders of separate files that are not in use.
    private let idle = Mutex<[FrameDecoder]>([])

    /// The frames of a recording, as stored or turned upright by gravity if the poses allow it.
    ///
    /// - Parameters:
    ///   - indices: The indices of the frames that ``advance()`` goes to, in ascending order; `nil` for all that the decoder of a
    ///     movie delivers. Reading one that is lost throws.
    ///   - surface: How frames are seen by the camera that measured the depth; `nil` for the pictures' view.
    ///   - colorSize: The size that color pictures need at least: those in separate files may be reduced, if that is faster.
    init(
        _ recording: Recording, isUpright: Bool = false, indices: [Int]? = nil,
        surface: SurfaceView.Lens?, colorAtLeast colorSize: PixelSize? = nil
    ) {
        (self.recording, self.isUpright, self.surface) = (recording, isUpright, surface)
        self.indices = indices ?? Array(recording.frames.indices)
        skipsLost = indices == nil && recording.layout.isMovie
        self.colorSize = colorSize
        orientation = isUpright ? recording.orientation ?? .up : .up
        listed = recording.description(turnedBy: orientation)
        state = Mutex(State(decoder: FrameDecoder(recording, surface: surface)))
    }

    /// The frames of a recording in the pictures' view; with `ofSurface`, as a pinhole camera sees them that is
    /// where the depth camera is.
    package convenience init(
        _ recording: Recording, isUpright: Bool = false, indices: [Int]? = nil,
        ofSurface: Bool = false, colorAtLeast colorSize: PixelSize? = nil
    ) {
        self.init(
            recording, isUpright: isUpright, indices: indices, surface: ofSurface ? .corrected : nil,
            colorAtLeast: colorSize)
    }

    /// The reader of the same frames as the camera sees them that measured the depth.
    var measuring: RecordingReader {
        measured.withLock { reader in
            let found = reader ?? RecordingReader(recording, isUpright: isUpright, surface: .kept)
            reader = found
            return found
        }
    }

    package func restarted() -> (any SceneSequence)? { RecordingReader(recording, isUpright: isUpright) }

    package var description: SceneDescription {
        var description = listed
        // The size of a movie beside depth is known once it is open.
        if recording.colorSize == nil, recording.movie != nil {
            description.colorSize = state.withLock { $0.decoder.movieSize }.map { $0.turned(by: orientation) }
        }
        return description
    }

    package var extent: SequenceExtent {
        var extent = SequenceExtent(recording.title)
        (extent.frameCount, extent.missingCount) = (
            recording.frameCount, recording.skippedCount + recording.cutCount
        )
        (extent.seconds, extent.rate) = (recording.seconds, recording.rate)
        return extent
    }

    package var diagnostics: [Diagnostic] {
        recording.diagnostics + state.withLock { $0.decoder.movieDiagnostics + Self.losses($0.lost) }
    }

    private static func losses(_ count: Int) -> [Diagnostic] {
        guard count > 0 else { return [] }
        let text = count == 1 ? "1 listed frame of the movie is" : "\(count) listed frames of the movie are"
        return [
            Diagnostic(
                .warning, "lost-frames", "\(text) not delivered by FFmpeg at the listed time, and skipped")
        ]
    }

    package var sound: SequenceSound? {
        if let movie = recording.movie {
            guard movie.hasSound, let time = recording.frames.first?.movie?.time else { return nil }
            return SequenceSound(in: .file(movie.path), start: movie.start + time)
        }
        let bytes = state.withLock { try? $0.decoder.sound() }
        return bytes.flatMap(\.self).map { SequenceSound(in: .bytes($0), start: recording.timeOrigin) }
    }

    package func prepare(_ planes: Set<PlaneID>) throws {
        guard planes.contains(.picture) else { return }
        try state.withLock { try $0.decoder.openMovie() }
    }

    package var framesAtOnce: Int { recording.layout.isMovie ? 1 : recording.framesAtOnce(8) }

    package func advance() throws -> Double? {
        try state.withLock { state in
            while state.reached < indices.count, !Interruption.isRequested {
                state.reached += 1
                let index = indices[state.reached - 1]
                if try !skipsLost || state.decoder.reachesFrame(at: index) {
                    return recording.frames[index].time ?? 0
                }
                state.lost += 1
            }
            if skipsLost { try state.decoder.endMovie() }
            return nil
        }
    }

    /// The index of the frame that ``advance()`` moved to.
    private func current(_ state: borrowing State) -> Int {
        precondition(state.reached > 0, "advance() goes to the first frame")
        return indices[state.reached - 1]
    }

    package func describe() -> SceneDescription { describe(at: state.withLock { current($0) }) }

    package func begin(_ planes: Set<PlaneID>, into frame: inout FramePlanes) throws {
        let planes = complete(planes)
        try state.withLock { state in
            guard let part = recording.frames[current(state)].movie else { return }
            try state.decoder.readMovie(planes, of: part, into: &frame)
        }
    }

    package func finish(
        _ planes: Set<PlaneID>, of description: SceneDescription, into frame: inout FramePlanes
    ) throws {
        guard let index = description.index else { return }
        var decoder = idle.withLock { $0.popLast() } ?? FrameDecoder(recording, surface: surface)
        let result = Result { () throws(ContainerError) in
            try decoder.readFiles(
                complete(planes), ofFrameAt: index, colorAtLeast: colorSize, into: &frame)
            try decoder.bringToSurface(&frame, ofFrameAt: index)
        }
        decoder.turning.turn(&frame, by: orientation)
        idle.withLock { $0.append(decoder) }
        try result.get()
    }

    /// These planes, and the depth that the colors of a surface need.
    private func complete(_ planes: Set<PlaneID>) -> Set<PlaneID> {
        surface != nil && planes.contains(.picture) ? planes.union([.depth]) : planes
    }

    /// The bytes of the file of a frame's picture; `nil` without a picture, for plain pixels, and for pictures in a movie.
    package func pictureBytes(ofFrameAt index: Int) throws(ContainerError) -> [UInt8]? {
        try state.withLock { (state) throws(ContainerError) in
            try state.decoder.pictureBytes(ofFrameAt: index)
        }
    }

    // MARK: Frames by index

    /// The description of a frame. Decodes nothing, unless the size of its depth is known only after decoding.
    func describe(at index: Int) -> SceneDescription {
        let item = recording.frames[index]
        let planes = item.planes
        // The size of pictures in a movie beside depth is known once it is open; their planes throw errors.
        if recording.colorSize == nil, planes.contains(.picture) { try? prepare([.picture]) }
        let common = description
        var scene = SceneDescription()
        (scene.index, scene.time, scene.highestConfidence) = (index, item.time ?? 0, 2)
        scene.pose = item.pose?.turned(quarters: orientation.quarterTurns)
        scene.colorSize = planes.contains(.picture) ? common.colorSize : nil
        scene.planes = (common.planes.isEmpty ? [.depth] : common.planes).filter {
            planes.contains(.plane($0, 0))
        }
        if planes.contains(.depth) {
            scene.depth =
                common.depth
                ?? (try? read([.depth], at: index)).map { read in
                    .init(size: read.frame.depth.size, quantity: .depth, scale: recording.scale)
                }
        }
        scene.eyes = common.eyes
        scene.cameras = recording.cameras(of: item, turnedBy: orientation)
        if let view = recording.surfaceView(of: item, surface) {
            let size = view.size.turned(by: orientation)
            if scene.colorSize != nil { scene.colorSize = size }
            scene.depth?.size = size
            scene.cameras.file = view.camera.calibration(view.size).oriented(by: orientation)
            scene.depthPose = view.pose.turnedRelative(quarters: orientation.quarterTurns)
        }
        if let part = item.movie {
            scene.lens = state.withLock { state in (try? state.decoder.lens(of: part)).flatMap(\.self) }
            scene.simulatedAperture = scene.lens?.fNumber
        }
        return scene
    }

    /// Decodes planes of the frame at an index, for a scene.
    func read(_ planes: Set<PlaneID>, at index: Int) throws -> (frame: FramePlanes, planes: Set<PlaneID>) {
        let planes = complete(planes)
        return try state.withLock { state in
            state.frame.clear()
            try state.decoder.read(planes, ofFrameAt: index, into: &state.frame)
            try state.decoder.bringToSurface(&state.frame, ofFrameAt: index)
            state.decoder.turning.turn(&state.frame, by: orientation)
            var taken = FramePlanes()
            taken.take(planes, of: state.frame)
            return (taken, planes)
        }
    }
}

extension Recording {
    /// What its frames have in common, turned.
    fileprivate func description(turnedBy orientation: Orientation) -> SceneDescription {
        var description = SceneDescription()
        description.colorSize = colorSize?.turned(by: orientation)
        if hasDepth, let size = depthSize?.turned(by: orientation) {
            description.setFrameDepth(
                size, scale, unitsPerMeter: coding.depth.storage.isFloat ? nil : unitsPerMeter)
        }
        if hasConfidence { description.planes.append(.confidence) }
        description.planes += mattes
        if let frame = frames.first { description.cameras = cameras(of: frame, turnedBy: orientation) }
        description.eyes = eyes
        return description
    }

    /// The camera of a frame, turned.
    fileprivate func cameras(of frame: RecordedFrame, turnedBy orientation: Orientation) -> CameraCandidates {
        let camera = calibration(of: frame)?.oriented(by: orientation)
        var cameras = CameraCandidates()
        if cameraOrigin == .given {
            cameras.given = camera
        } else {
            cameras.file = camera
        }
        return cameras
    }

    /// Opens the movie with the pictures beside depth, and closes it again. Throws if it cannot be opened.
    package func checkMovie() throws {
        var decoder = FrameDecoder(self)
        if !layout.isMovie { try decoder.openMovie() }
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
struct FrameTurning {
    private var color = FramePlane<RGB<UInt8>>()
    private var depth = FramePlane<Float>()
    private var codes = FramePlane<UInt8>()

    mutating func turn(_ frame: inout FramePlanes, by orientation: Orientation) {
        let quarters = orientation.quarterTurns
        guard quarters > 0 else { return }
        Self.turn(&frame.color, quarters, &color)
        Self.turn(&frame.depth, quarters, &depth)
        Self.turn(&frame.confidence, quarters, &codes)
        Self.turn(&frame.matte, quarters, &codes)
    }

    private static func turn<Sample>(
        _ plane: inout FramePlane<Sample>, _ quarters: Int, _ scratch: inout FramePlane<Sample>
    ) {
        guard !plane.isEmpty else { return }
        plane.turned(quarters: quarters, into: &scratch)
        swap(&plane, &scratch)
    }
}
