public import Bytes
public import DepthTypes
public import Scenes

/// A recording of color, depth and poses, or a movie with depth: scenes in temporal order.
///
/// Each frame is a ``DepthScene``, upright, which every effect takes:
///
/// ```swift
/// let recording = try Recording(contentsOf: "capture.r3d")
/// try recording.scene(at: 12).blurred().write(to: "soft.jpg")
/// for frame in recording.frames(from: 0, to: 5) {
///     print(frame.description.time ?? 0, try frame.depth().meters.filter(\.isFinite).min() ?? .nan)
/// }
/// ```
///
/// ``SceneDescription/index``, ``SceneDescription/time`` and ``SceneDescription/pose`` identify a frame and its viewpoint.
///
/// Opening lists the frames and the location of their parts, and reads no pixels. Stored poses are camera-to-world with axes
/// as in OpenCV, and times are seconds from the first frame, in every layout.
public struct Recording: Sendable {
    /// The file or folder.
    package let path: String
    /// The layout of its files.
    package let layout: RecordingLayout
    /// The name of the layout for people; for other movies, their container and codecs.
    package let title: String
    /// The frames, by time. Listed frames whose files are missing are skipped.
    package private(set) var frames: [RecordedFrame]
    /// The size of the first color picture; `nil` without one, and in a movie beside depth.
    package let colorSize: PixelSize?
    /// The size of the first depth map; `nil` without one, and if it is known only after decoding.
    package internal(set) var depthSize: PixelSize?
    /// The size of the first confidence map; `nil` without one, and if it is known only after decoding.
    package let confidenceSize: PixelSize?
    /// The default camera, for frames that declare none, in pixels of ``cameraFrame``.
    package let intrinsics: Intrinsics?
    /// The frame that intrinsics are for; `nil` without intrinsics.
    package let cameraFrame: PixelSize?
    /// The origin of the camera's values.
    package let cameraOrigin: CameraSource
    /// How poses are stored; `nil` without poses.
    package private(set) var convention: PoseConvention?
    /// Whether poses were estimated, in the camera of the first followed frame, because the recording has none.
    package private(set) var hasEstimatedPoses = false
    /// Frames whose stored poses were removed, since they contradict the others.
    package private(set) var outliers: [Int] = []
    /// The upward direction in the world of the poses, if the recording's app aligns it with gravity; `nil` if it is not known.
    package private(set) var up: SIMD3<Double>?
    /// Where the world of the stored poses is in that of ``frames``: the identity unless the recording was moved.
    package private(set) var storedWorld = CameraPose.identity
    /// The world of the poses of ``frames``, in words.
    package private(set) var worldName = "the recording's poses"
    /// Whether frames have times; otherwise 30 frames a second are assumed.
    package let hasTimes: Bool
    /// The rate that a movie states, in frames per second; `nil` for others.
    let nominalRate: Double?
    /// Defects and assumptions.
    public let diagnostics: [Diagnostic]
    /// The scale of depth values.
    package let scale: DepthScale
    /// How many listed frames are skipped because their files are missing.
    package let skippedCount: Int
    /// How many frames a movie declares behind its end.
    let cutCount: Int
    /// The number of existing depth maps, or pictures of a recording without depth, that the recording does not list.
    package let unlistedCount: Int
    /// The topics of a bag; `nil` for other layouts.
    package let topics: [BagTopic]?
    /// The eyes of a spatial video; `nil` for others.
    package let eyes: RecordedEyes?
    /// The movie with parts of frames; `nil` if all are stored separately.
    let movie: StoredMovie?
    /// The sound, if it is not in the movie.
    let sound: (any FramePart)?
    /// The stored time of the first frame, in seconds; 0 if the recording has no times.
    package let timeOrigin: Double
    let coding: FrameCoding
    /// The limits of reading its frames.
    package let limits: DecodingLimits
    /// The reader of ``scene(at:)``.
    private(set) var shared = SharedReader()

    /// How many frames there are.
    public var frameCount: Int { frames.count }

    /// Seconds from the first frame to the last; `nil` if the recording has no times.
    public var seconds: Double? { hasTimes ? frames.last?.time : nil }

    /// The time of each frame, in seconds since the first. Decodes nothing.
    public var times: [Double] { frames.map { $0.time ?? 0 } }

    /// The pose of each frame, turned upright like the frame; `nil` if unknown, as after tracking was lost.
    public var poses: [CameraPose?] {
        let quarters = (orientation ?? .up).quarterTurns
        return frames.map { $0.pose?.turned(quarters: quarters) }
    }

    /// A frame as a scene. Decodes nothing, unless the size of its depth is known only after decoding.
    ///
    /// A scene stays valid as long as it is referenced. Going back in a movie decodes it from its start.
    ///
    /// - Throws: ``RecordingError/noFrame(_:count:)`` if `index` is not in `0..<frameCount`.
    public func scene(at index: Int) throws -> DepthScene {
        guard frames.indices.contains(index) else { throw RecordingError.noFrame(index, count: frameCount) }
        return scene(at: index, from: shared.reader(of: self))
    }

    /// The frames in temporal order, from `start` up to and without `end`, in seconds since the first frame.
    ///
    /// Each is decoded when its planes are read. Their memory is reused for the next frame, unless the scene is retained.
    /// Planes of a damaged frame throw its error.
    public func frames(from start: Double = 0, to end: Double = .infinity) -> some Sequence<DepthScene> {
        var selection = FrameSelection()
        (selection.start, selection.end) = (start, end)
        let reader = RecordingReader(self, isUpright: true)
        return selection.indices(in: self).lazy.map { scene(at: $0, from: reader) }
    }

    private func scene(at index: Int, from reader: RecordingReader) -> DepthScene {
        var measured: (@Sendable () -> DepthScene)?
        if surfaceView(of: frames[index], .kept) != nil {
            measured = { scene(at: index, from: reader.measuring) }
        }
        let buffer = FrameBuffer(
            reader.describe(at: index), diagnostics: diagnostics.ofFrame, measured: measured
        ) { planes in
            try reader.read(planes, at: index)
        }
        return DepthScene(buffer)
    }
}

extension SceneSequence {
    /// The frame at an index, as a scene; all of its planes are decoded. The sequence is at that frame afterwards.
    ///
    /// Throws ``RecordingError/noFrame(_:count:)`` if the sequence ends before this frame, and errors of reading.
    package func scene(at index: Int) throws -> DepthScene {
        for passed in 0...max(0, index) {
            guard try advance() != nil else { throw RecordingError.noFrame(index, count: passed) }
        }
        let planes = Set<PlaneID>.everything
        var frame = FramePlanes()
        let description = describe()
        try begin(planes, into: &frame)
        try finish(planes, of: description, into: &frame)
        let read = (frame, planes)
        return DepthScene(FrameBuffer(description, diagnostics: diagnostics.ofFrame) { _ in read })
    }
}

extension Recording {
    /// Stored units per meter; `nil` if samples are in meters, or have no unit.
    package var unitsPerMeter: Double? { scale.hasUnit ? coding.depth.unitsPerMeter : nil }

    /// How many frames have a pose.
    package var poseCount: Int { frames.count { $0.pose != nil } }

    /// Whether any frame has a confidence map.
    package var hasConfidence: Bool { frames.contains { $0.confidence != nil } }

    /// Whether any frame has a depth map.
    package var hasDepth: Bool { frames.contains(where: \.hasDepth) }

    /// Whether any frame has a color picture.
    package var hasColor: Bool { frames.contains(where: \.hasColor) }

    /// The kinds of mattes that frames have.
    package var mattes: [PlaneKind] {
        PlaneKind.mattesOfFrames.filter { kind in frames.contains { $0.planes.contains(.plane(kind, 0)) } }
    }

    /// How many frames have a matte.
    package var matteCount: Int { frames.count { $0.matte != nil } }

    /// How many frames have a color picture.
    package var colorCount: Int { frames.count(where: \.hasColor) }

    /// Frames a second: the rate that a movie states, otherwise the reciprocal of the median interval; `nil` if the recording has
    /// no times, or only one frame.
    package var rate: Double? {
        if let nominalRate { return nominalRate }
        guard hasTimes, let median = medianInterval(frames), median > 0 else { return nil }
        return FrameTimes.rate(1 / median)
    }

    /// The camera of a frame; `nil` if unknown.
    package func calibration(of frame: RecordedFrame) -> CameraCalibration? {
        guard let camera = frame.intrinsics ?? intrinsics, let size = camera.size ?? cameraFrame else {
            return nil
        }
        return camera.calibration(size)
    }

    /// Whether another camera measured the depth than the one of the pictures.
    package var isRegistered: Bool { coding.registration != nil }

    /// How the camera that measured the depth sees a frame; `nil` if it does so as the pictures do.
    func surfaceView(of frame: RecordedFrame, _ lens: SurfaceView.Lens?) -> SurfaceView? {
        guard let lens else { return nil }
        if let registration = coding.registration {
            return cameraOrigin == .given ? nil : SurfaceView(registration, lens)
        }
        guard lens == .corrected, let camera = calibration(of: frame), camera.lens != nil, let depthSize
        else { return nil }
        return SurfaceView(through: camera, depth: depthSize, picture: colorSize ?? depthSize)
    }

    /// The same recording with estimated poses for frames, by their indices.
    package func withEstimatedPoses(_ poses: [Int: CameraPose]) -> Recording {
        var recording = copy
        for (index, pose) in poses { recording.frames[index].pose = pose }
        (recording.hasEstimatedPoses, recording.convention, recording.up) = (true, nil, nil)
        recording.worldName = "the first followed frame's camera"
        return recording
    }

    /// Removes the poses of these frames.
    package mutating func leaveOut(_ indices: [Int]) {
        guard !indices.isEmpty else { return }
        self = copy
        for index in indices { frames[index].pose = nil }
        outliers = indices
    }

    /// The same recording in another world of this name, in which the present world is at the pose `world`.
    package func moved(to world: CameraPose, named name: String) -> Recording {
        var recording = copy
        recording.worldName = name
        for index in frames.indices { recording.frames[index].pose = frames[index].pose.map(world.appending) }
        recording.storedWorld = world.appending(storedWorld)
        recording.up = up.map(world.turned)
        return recording
    }

    /// The same recording with these of its frames, by their indices in ascending order.
    package func keeping(_ indices: [Int]) -> Recording {
        var recording = copy
        recording.frames = indices.map { frames[$0] }
        recording.outliers = []
        return recording
    }

    /// The same recording with a reader of its own.
    var copy: Recording {
        var recording = self
        recording.shared = SharedReader()
        return recording
    }

    /// How many frames may be decoded at once: up to `most`, as long as they need less than a quarter of the limit of memory.
    package func framesAtOnce(_ most: Int) -> Int {
        // Decoding takes about 16 bytes for a sample of depth, and 8 for a pixel.
        let depth = depthSize.map { 16 * $0.width * $0.height } ?? 0
        let color = colorSize.map { 8 * $0.width * $0.height } ?? 0
        return max(1, min(most, limits[.memoryBytes] / 4 / max(1, depth + color)))
    }

    /// The path of a frame's color picture from a folder; `nil` if it is inside another file.
    package func colorPath(of frame: RecordedFrame, from folder: String) -> String? {
        frame.color?.path.map { $0.relativePath(from: folder) ?? $0 }
    }

    /// The path of a frame's depth map from a folder; `nil` if it is inside another file.
    package func depthPath(of frame: RecordedFrame, from folder: String) -> String? {
        frame.depth?.path.map { $0.relativePath(from: folder) ?? $0 }
    }
}

/// The median of the intervals between frames; `nil` for fewer than two.
func medianInterval(_ frames: [RecordedFrame]) -> Double? {
    let times = frames.compactMap(\.time)
    let intervals = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
    return intervals.isEmpty ? nil : intervals[intervals.count / 2]
}

extension FrameSelection {
    /// The indices of the frames of a recording that are used.
    package func indices(in recording: Recording) -> [Int] {
        let inside = recording.frames.indices.filter { contains(recording.frames[$0].time ?? 0) }
        return stride(from: 0, to: inside.count, by: step).map { inside[$0] }
    }
}
