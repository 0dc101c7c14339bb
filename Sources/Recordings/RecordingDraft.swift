package import ByteParsing
internal import DepthModel

/// What a layout's reader finds, before it is checked what of it can be used.
struct RecordingDraft {
    var layout: RecordingLayout
    /// Everything that is listed, in order; a part is set where its file is there.
    var frames: [RecordedFrame] = []
    /// How maps and pictures are stored.
    var coding = FrameCoding()
    /// The movie that has the color, where frames are in one.
    var movie: StoredMovie?
    /// The sound, where it is in a file beside the movie.
    var sound: (any FramePart)?
    /// The camera of frames that have none of their own.
    var intrinsics: Intrinsics?
    /// The frame that intrinsics are for; `nil` for that of the color picture, or of the depth where there is no color.
    var cameraFrame: PixelSize?
    /// Whether intrinsics without a frame of their own are for the depth.
    var cameraIsOfDepth = false
    /// Where the camera is known from.
    var cameraOrigin = CameraSource.file
    /// How poses are stored; `nil` for a layout without poses.
    var convention: PoseConvention?
    /// Sizes that the recording itself states.
    var colorSize: PixelSize?
    var depthSize: PixelSize?
    /// How many files of depth and color the recording's list names that are not there.
    var missingDepth = 0
    var missingColor = 0
    /// Whether a list or a file for each frame says which files are frames, so that others beside them are left.
    var isListed = false
    /// Whether frames without a picture or a depth map are frames.
    var keepsBareFrames = false
    /// What is wrong or was assumed so far.
    var diagnostics: [Diagnostic] = []

    init(_ layout: RecordingLayout) { self.layout = layout }

    /// Adds a frame. Throws where there are too many.
    mutating func append(_ frame: RecordedFrame, _ limits: DecodingLimits) throws(ContainerError) {
        try limits.check(.frames, frames.count + 1)
        frames.append(frame)
    }

    /// Adds a warning.
    mutating func warn(_ code: Diagnostic.Code, _ message: String) {
        diagnostics.append(.warning(code, message))
    }

    /// Adds a note.
    mutating func note(_ code: Diagnostic.Code, _ message: String) {
        diagnostics.append(.note(code, message))
    }
}

extension Diagnostic.Code {
    /// Files that a recording lists are missing.
    package static let missingFiles: Self = "missing-files"
    /// No file says which unit the depth has; the layout's is assumed.
    package static let assumedDepthUnit: Self = "assumed-depth-unit"
    /// Depth maps or pictures that no list names.
    package static let unlistedFiles: Self = "unlisted-files"
    /// The recording holds more than is read: another device, or pictures that belong to no frame.
    package static let unusedParts: Self = "unused-parts"
    /// There are poses and cameras, and neither depth nor color.
    package static let noImages: Self = "no-images"
    /// Times go back.
    package static let unsortedTimes: Self = "unsorted-times"
    /// Frames without a pose.
    package static let lostTracking: Self = "lost-tracking"
    /// Time passed without frames.
    package static let gaps: Self = "gaps"
    /// The recording is cut off.
    package static let cutOff: Self = "cut-off"
    /// Lines of a list that cannot be read.
    package static let unreadableLines: Self = "unreadable-lines"
    /// Another convention of poses fits better.
    package static let poseConvention: Self = "pose-convention"
    /// The recording has no times.
    package static let assumedTimes: Self = "assumed-times"
}
