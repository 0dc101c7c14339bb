package import ByteParsing
internal import DepthModel
internal import RasterContainers

/// What a layout's reader finds, before it is checked what of it can be used.
struct RecordingDraft {
    var layout: RecordingLayout
    /// Everything that is listed, in order; a part is set where its file is there.
    var frames: [RecordedFrame] = []
    /// The folders that parts of frames name by their index.
    var folders: [String] = []
    /// The folder that their paths, and the movie's, are from, and nothing outside of is opened; `nil` for paths of the system.
    var root: OpenFolder?
    /// The file that holds all frames.
    var file: (any ByteSource)?
    /// The members of an archive.
    var members: [ZIPDirectory.Entry] = []
    /// The chunks of a bag.
    var chunks: [ROSBag.Chunk] = []
    /// How depth is brought to the pictures' view.
    var registration: CameraRegistration?
    /// The order of colors in pictures that are stored as plain pixels; `nil` where pictures are image files.
    var colorPixels: PackedPixels?
    /// Streams with a record for each frame.
    var depthStream: (any ByteSource)?
    var confidenceStream: (any ByteSource)?
    /// How depth is stored.
    var depthCoding = DepthCoding()
    /// How confidence is stored.
    var confidenceCoding = ConfidenceCoding.levels
    /// The movie that has the color, where frames are in one.
    var movie: String?
    /// The sound, where it is in a file beside the movie.
    var sound: FramePart?
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

    /// The index of a folder among ``folders``.
    mutating func index(of folder: RecordingFolder) -> Int {
        if let index = folders.firstIndex(of: folder.path) { return index }
        folders.append(folder.path)
        return folders.count - 1
    }

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

/// How the depth of a frame is stored.
struct DepthCoding: Hashable, Sendable {
    /// What surrounds samples.
    enum Storage: Hashable, Sendable {
        /// An image file, recognized by its bytes.
        case image
        /// 16-bit samples, little-endian, as they are.
        case uint16
        /// The same in a zlib stream.
        case zlibUInt16
        /// Float32 or Float16 samples, little-endian, in an LZFSE stream.
        case lzfse
        /// Float16 samples, little-endian, of all frames in one stream of raw deflate data.
        case deflatedFloat16
    }

    var storage = Storage.image
    /// How many stored units a meter has; `nil` where that is unknown. Floating-point samples are meters in any case.
    var unitsPerMeter: Double? = 1000
    /// A code that means unknown besides 0.
    var unknownCode: UInt16?
    /// Whether samples are of the layout's unit, and not taken for it.
    var isUnitCertain = true
}

/// How the confidence of a frame is stored.
enum ConfidenceCoding: Hashable, Sendable {
    /// 0 low, 1 medium, 2 high.
    case levels
    /// The same spread over 0…255.
    case spread
    /// Levels in an LZFSE stream.
    case lzfse
    /// Levels of all frames in one stream of raw deflate data.
    case deflated
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
