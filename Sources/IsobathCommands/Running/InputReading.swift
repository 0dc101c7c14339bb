internal import Glibc
internal import Isobath
internal import Movies
internal import Recordings
internal import Sequences

/// How inputs are read, as plain data: what they do not say themselves, and which frame of a recording is used as a photo.
struct InputReading: Codable, Sendable {
    /// What rasters do not say. Its scale, camera and color apply to recordings and streams, too.
    var raster = RasterInterpretation()
    /// Pixels without a header.
    var color: PipeSource.RawColor?
    /// Distances without a header.
    var depth: PipeSource.RawDepth?
    /// Where these come from: a descriptor, a named pipe or a file; `nil` for behind the color of each frame.
    var depthInput: String?
    /// Frames a second of streams without times.
    var rate: Double?
    /// How the poses of recordings are stored; `nil` for what the layout says.
    var poseConvention: PoseConvention?
    /// Whether frames of recordings stay as they are stored, and are not turned upright.
    var keepsOrientation = false
    /// The frame of a recording, a movie or a stream that is used as a photo.
    var frame: Int?
    /// Whether the depth of stereo pairs is computed, and a stored one ignored.
    var isStereo = false
    /// The flags that were given.
    var given = GivenFlags()

    /// The files that are read besides inputs.
    var files: [String] {
        raster.files + [depthInput].compactMap(\.self).filter { Int($0) == nil }
    }

    /// What applies to recordings.
    var recording: RecordingReading {
        var reading = RecordingReading(raster)
        reading.poseConvention = poseConvention
        return reading
    }

    /// Whether flags describe samples without a header.
    var isHeaderless: Bool { color != nil || depth != nil }

    /// The frames of an input that is a stream: y4m from standard input or a named pipe, or samples without a header, where flags
    /// describe them. `nil` for any other input; what was read of standard input then is its source.
    func openStream(_ input: inout Input, limits: DecodingLimits) throws -> (any FrameSource)? {
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
    func openFile(_ path: String, limits: DecodingLimits) throws -> (any FrameSource)? {
        guard !FolderEntry.isFolder(path), !ListedRecording.isPattern(path),
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
