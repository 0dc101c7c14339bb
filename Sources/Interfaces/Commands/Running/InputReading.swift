internal import Glibc
internal import Isobath
internal import Movies
internal import Recordings
internal import Scenes

/// How to read inputs, as plain data: facts that the files do not contain, and the frame of a recording to use as a
/// photo.
struct InputReading: Sendable {
    /// Facts that rasters do not contain. Scale, camera and color also apply to recordings and streams.
    var raster = RasterInterpretation()
    /// The format of color samples without a header.
    var color: PipeSource.RawColor?
    /// The format of distance samples without a header.
    var depth: PipeSource.RawDepth?
    /// The source of these distances: a descriptor, a named pipe or a file; `nil` if they follow the color of each
    /// frame.
    var depthInput: String?
    /// Frames per second of streams without times.
    var rate: Double?
    /// A file with poses, which replace those of the recording.
    var poses: String?
    /// How the poses of recordings are stored; `nil` for the convention of the layout or of that file.
    var poseConvention: PoseConvention?
    /// The topics of a bag to read.
    var topics: [String] = []
    /// Whether frames of recordings keep their stored orientation instead of being turned upright.
    var keepsOrientation = false
    /// The frame of a recording, a movie or a stream to use as a photo.
    var frame: Int?
    /// Whether to compute the depth of stereo pairs and ignore stored depth.
    var isStereo = false

    /// The files that are read in addition to inputs.
    var files: [String] {
        raster.files + [poses].compactMap(\.self)
            + [depthInput].compactMap(\.self).filter { Int($0) == nil }
    }

    /// The settings that apply to recordings.
    var recording: RecordingReading {
        var reading = RecordingReading(raster)
        (reading.posesPath, reading.poseConvention, reading.topics) = (poses, poseConvention, topics)
        return reading
    }

    /// Whether flags describe samples without a header.
    var isHeaderless: Bool { color != nil || depth != nil }

    /// The frames of an input that is a stream: y4m from standard input or a named pipe, or samples without a header
    /// if flags describe them. Returns `nil` for any other input; bytes that were read from standard input then become
    /// its source.
    func openStream(_ input: inout Input, limits: DecodingLimits) throws -> (any SceneSequence)? {
        guard input.source == nil else { return nil }
        guard input.path == "-", !isHeaderless else {
            guard isHeaderless || Self.isPipe(input.path) else { return nil }
            return try stream(StreamReader(path: input.path), limits)
        }
        let reader = try StreamReader(path: "-")
        let start = try reader.peek(Y4MHeader.mark.count)
        guard start == Y4MHeader.mark else {
            input.source = try FileSource.contents(ofStream: 0, behind: start, limits: limits)
            return nil
        }
        return try stream(reader, limits)
    }

    /// The frames of a y4m file; `nil` for any other file.
    func openFile(_ path: String, limits: DecodingLimits) throws -> (any SceneSequence)? {
        guard !FolderEntry.isFolder(path), !Recording.isPattern(path),
            try FileSource(path: path, limits: limits).readPrefix(at: 0, count: Y4MHeader.mark.count)
                == Y4MHeader.mark
        else { return nil }
        return try stream(StreamReader(path: path), limits)
    }

    private func stream(_ reader: StreamReader, _ limits: DecodingLimits) throws -> PipeSource {
        try PipeSource(
            reader, color: color, depth: depth,
            depthReader: depthInput.map { path throws(ContainerError) in try StreamReader(path: path) },
            rate: rate, calibration: calibration, limits: limits)
    }

    /// The camera of depth in a pipe.
    private var calibration: CameraCalibration? {
        guard let focalLength = raster.focalLength, let depth else { return nil }
        return CameraCalibration(
            focalLength: focalLength, principalPoint: raster.principalPoint.map { SIMD2($0.x, $0.y) },
            width: depth.width, height: depth.height)
    }

    private static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return unsafe path.withFileName { unsafe stat($0, &status) } == 0
            && status.st_mode & S_IFMT == S_IFIFO
    }
}
