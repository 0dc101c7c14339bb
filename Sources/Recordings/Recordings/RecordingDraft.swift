package import Bytes
internal import DepthTypes
internal import Scenes

/// The result of a layout's reader, before it is checked for usable parts.
struct RecordingDraft {
    var layout: RecordingLayout
    /// Everything that is listed, in order; a part is set if its file exists.
    var frames: [RecordedFrame] = []
    /// How maps and pictures are stored.
    var coding = FrameCoding()
    /// The name of the layout for people; `nil` for the layout's own.
    var title: String?
    /// The movie with parts of frames, if there is one.
    var movie: StoredMovie?
    /// The rate that a movie states, in frames per second.
    var rate: Double?
    /// The scale of depth; `nil` if it follows from the first depth map.
    var scale: DepthScale?
    /// Whether depth needs the camera that the recording states, which the caller's cannot replace.
    var needsOwnCamera = false
    /// How many frames a movie declares behind its end.
    var cutCount = 0
    /// The eyes of a spatial video.
    var eyes: RecordedEyes?
    /// The sound, if it is in a file beside the movie.
    var sound: (any FramePart)?
    /// The default camera, for frames that declare none.
    var intrinsics: Intrinsics?
    /// The frame that intrinsics are for; `nil` for the frame of the color picture, or without color, of the depth.
    var cameraFrame: PixelSize?
    /// Whether intrinsics without a declared frame are for the depth.
    var cameraIsOfDepth = false
    /// The origin of the camera's values.
    var cameraOrigin = CameraSource.file
    /// How poses are stored; `nil` for a layout without poses.
    var convention: PoseConvention?
    /// Sizes that the recording declares.
    var colorSize: PixelSize?
    var depthSize: PixelSize?
    /// A message that names links out of the recording.
    var linkRemark: String?
    /// How many listed files of depth and color are missing.
    var missingDepth = 0
    var missingColor = 0
    /// Whether a list or a file per frame determines the frames, so that other files beside them are ignored.
    var isListed = false
    /// Whether another remark says why frames have no pose.
    var explainsMissingPoses = false
    /// Whether frames without picture and depth map are kept.
    var keepsBareFrames = false
    /// The topics of a bag; `nil` for other layouts.
    var topics: [BagTopic]?
    /// Defects and assumptions so far.
    var diagnostics: [Diagnostic] = []

    init(_ layout: RecordingLayout) { self.layout = layout }

    /// Adds a frame. Throws if there are too many.
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
    /// No file states the unit of the depth; the layout's is assumed.
    package static let assumedDepthUnit: Self = "assumed-depth-unit"
    /// There are depth maps or pictures that are not listed.
    package static let unlistedFiles: Self = "unlisted-files"
    /// The recording holds more than is read: another device, or pictures without a frame.
    package static let unusedParts: Self = "unused-parts"
    /// Depth and pictures of a frame were not taken at the same time.
    package static let unsynchronized: Self = "unsynchronized"
    /// A bag has more topics of depth than the one that is read.
    package static let otherTopics: Self = "other-topics"
    /// A bag declares more messages than can be read.
    package static let lostMessages: Self = "lost-messages"
    /// Poses are assumed to be those of the camera.
    package static let assumedPoses: Self = "assumed-poses"
    /// There are poses and cameras, and neither depth nor color.
    package static let noImages: Self = "no-images"
    /// Times go back.
    package static let unsortedTimes: Self = "unsorted-times"
    /// Some frames have no pose.
    package static let lostTracking: Self = "lost-tracking"
    /// There are gaps in time.
    package static let gaps: Self = "gaps"
    /// A list has lines that cannot be read.
    package static let unreadableLines: Self = "unreadable-lines"
    /// Another convention of poses fits better.
    package static let poseConvention: Self = "pose-convention"
    /// The recording has no times.
    package static let assumedTimes: Self = "assumed-times"
}
