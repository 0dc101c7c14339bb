package import Bytes
internal import DepthTypes
package import Embedded
internal import Movies
package import Sequences

/// A recording that is a movie: Azure Kinect's, Record3D's of hues and colors, or any other of color, of 16-bit depth, or of
/// both.
package struct MovieRecording: Sendable {
    /// The file.
    package let path: String
    package let layout: RecordingLayout
    /// The description of its frames.
    package let description: SequenceDescription
    /// Defects and assumptions.
    package let diagnostics: [Diagnostic]
    private let hueDepth: HueDepth?
    /// For an Azure Kinect with both cameras.
    private let calibration: KinectCalibration?
    private let reading: RecordingReading
    private let limits: DecodingLimits

    /// Opens a movie, and counts its frames without decoding one.
    ///
    /// Throws ``ContainerError`` if the file cannot be read, and the errors of ``MovieSource`` if it is not a readable movie,
    /// or if FFmpeg's libraries are missing.
    package init(
        contentsOf path: String, reading: RecordingReading = RecordingReading(),
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        let file = try FileSource(path: path, limits: limits)
        let movie = try Self.open(path, reading, limits)
        let hueDepth =
            try HueDepth(ofMovie: file, limits: limits)
            ?? HueDepth(describedIn: Array(movie.comment.utf8), limits: limits)
        let found = movie.scan()
        var description = movie.description
        if let hueDepth, let size = description.colorSize, description.depth == nil, size.width >= 2 {
            layout = .record3DMovie
            description = hueDepth.description(of: description, half: HueDepth.half(size))
            self.hueDepth = hueDepth
        } else {
            layout =
                movie.isAzureKinect
                ? .azureKinect
                : movie.isCinematic ? .cinematicMovie : description.eyes != nil ? .spatialMovie : .movie
            self.hueDepth = nil
        }
        var diagnostics = movie.diagnostics
        var calibration: KinectCalibration?
        do throws(ContainerError) {
            calibration = try Self.calibration(of: movie, limits: limits)
        } catch {
            diagnostics.append(Diagnostic(error))
        }
        if let calibration, let color = description.colorSize {
            let grid = RegisteredGrid(calibration.cameras, color: color)
            description.depth?.size = grid.size
            description.calibration = grid.camera
            diagnostics = KinectFrames.diagnostics(of: movie, grid)
        }
        self.calibration = calibration
        if let spatial = SpatialFrames(movie) { description = spatial.description }
        if hueDepth != nil || description.calibration == nil, let camera = Self.camera(reading, description) {
            (description.calibration, description.isCameraGiven) = (camera, true)
        }
        diagnostics += Self.remarks(on: movie, description)
        (description.frameCount, description.seconds) = (found.frames, found.seconds)
        description.layout = layout == .movie ? movie.description.layout : layout.title
        if found.frames > 1, found.seconds > 0, description.rate == nil {
            description.rate = Double(found.frames - 1) / found.seconds
        }
        self.path = path
        self.description = description
        self.diagnostics = diagnostics
        self.reading = reading
        self.limits = limits
    }

    private static func open(
        _ path: String, _ reading: RecordingReading, _ limits: DecodingLimits
    ) throws -> MovieSource {
        try MovieSource(contentsOf: path, unitsPerMeter: reading.unitsPerMeter, limits: limits)
    }

    /// The frames from the first on.
    package func frames() throws -> any FrameSource {
        let movie = try Self.open(path, reading, limits)
        if let hueDepth { return HueMovieFrames(movie, description, hueDepth) }
        if let calibration, let color = movie.description.colorSize, let depth = movie.description.depth?.size
        {
            return KinectFrames(movie, calibration.cameras, depth: depth, color: color)
        }
        if let spatial = SpatialFrames(movie) { return spatial }
        if description.isCameraGiven, let camera = description.calibration { movie.use(camera) }
        return movie
    }

    /// The camera that the caller gives for depth, if there is any.
    private static func camera(_ reading: RecordingReading, _ description: SequenceDescription)
        -> CameraCalibration?
    {
        guard let focalLength = reading.focalLength, let depth = description.depth?.size else { return nil }
        return CameraCalibration(
            focalLength: focalLength, principalPoint: reading.principalPoint, width: depth.width,
            height: depth.height)
    }

    /// What to know about eyes.
    private static func remarks(on movie: MovieSource, _ description: SequenceDescription) -> [Diagnostic] {
        guard let eyes = description.eyes else { return [] }
        if !eyes.areBothRead {
            let reason =
                eyes.isLayered
                ? "the other one needs FFmpeg 7.1 or newer, and this is \(MovieLibrary.version ?? "missing")"
                : "the file has no second layer or track"
            return [.note(.eyes, "one eye of this spatial video is read: \(reason)")]
        }
        return [
            description.depth == nil
                ? .note(
                    .eyes,
                    "there is no depth: it takes a baseline, a field of view and pictures of plain cameras, side by side"
                )
                : .note(.eyes, "depth is computed from both eyes of each frame")
        ]
    }

    /// The time of each frame in seconds since the first. Reads the movie to its end, and decodes nothing.
    package func times() throws -> [Double] {
        try limits.check(.frames, description.frameCount ?? 0)
        return try Self.open(path, reading, limits).scanTimes()
    }

    /// The cameras of an Azure Kinect that recorded with both; `nil` for other movies, and without an attachment.
    private static func calibration(
        of movie: MovieSource, limits: DecodingLimits
    ) throws(ContainerError) -> KinectCalibration? {
        guard movie.isAzureKinect, let color = movie.description.colorSize,
            let depth = movie.description.depth?.size,
            let bytes = movie.attachment(KinectCalibration.attachment, atMost: limits[.metadataBytes])
        else { return nil }
        return try KinectCalibration(bytes, depth: depth, color: color, limits: limits)
    }

    /// Whether the file at a path begins as movies do.
    package static func isMovie(_ path: String) -> Bool {
        guard let start = try? FileSource(path: path).readPrefix(at: 0, count: 16) else { return false }
        return recognizes(start)
    }

    /// Whether a file begins as movies do: MP4 and QuickTime, Matroska, AVI.
    package static func recognizes(_ start: [UInt8]) -> Bool {
        guard start.count >= 12 else { return false }
        let isBaseMedia = [Array("ftyp".utf8), Array("moov".utf8), Array("mdat".utf8), Array("wide".utf8)]
            .contains(Array(start[4..<8]))
        return isBaseMedia || start.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
            || start.starts(with: Array("RIFF".utf8)) && start[8..<12].elementsEqual("AVI ".utf8)
    }

    /// Whether a file may be a movie of another kind: an animated GIF or WebP picture, or an MPEG transport stream.
    package static func mayBeOther(_ path: String) -> Bool {
        guard let start = try? FileSource(path: path).readPrefix(at: 0, count: 12), start.count == 12 else {
            return false
        }
        return start.starts(with: Array("GIF8".utf8)) || start[0] == 0x47
            || start.starts(with: Array("RIFF".utf8)) && start[8...].elementsEqual("WEBP".utf8)
    }

    /// The only movie with depth in a folder, or at most two levels below; `nil` if there is not exactly one.
    package static func onlyOne(inFolder path: String, limits: DecodingLimits) -> String? {
        var found: [String] = []
        var level = [path]
        for _ in 0..<3 {
            var next: [String] = []
            for name in level {
                guard let folder = try? RecordingFolder(name) else { continue }
                // A folder with more files holds frames or photos.
                guard folder.files.count <= 100, next.count <= 100 else { return nil }
                found += folder.files.map(folder.path(of:)).filter { file in
                    ["mp4", "mov", "mkv"].contains(file.lastPathComponent.pathExtension)
                        && mayHoldDepth(file, limits: limits)
                }
                next += folder.folders.map(folder.path(of:))
            }
            level = next
        }
        return found.count == 1 ? found[0] : nil
    }

    /// Whether a file may be a movie with depth, by its first and last bytes: Matroska, or one with Record3D's mark.
    package static func mayHoldDepth(_ path: String, limits: DecodingLimits) -> Bool {
        guard let file = try? FileSource(path: path, limits: limits),
            let start = try? file.readPrefix(at: 0, count: 4)
        else { return false }
        if start == [0x1A, 0x45, 0xDF, 0xA3] { return true }
        return (try? HueDepth(ofMovie: file, limits: limits)) != nil
    }

    /// Why a given camera has no effect; `nil` if it is used, and if none is given.
    package var unusedCamera: String? {
        guard reading.focalLength != nil, !description.isCameraGiven else { return nil }
        return description.depth == nil
            ? "this movie has no depth" : "the depth of this movie needs the camera that it states"
    }

    /// The movie in the schema `isobath.recording/1`; `describing` formats the lines of `warnings`.
    package func record(
        path: String, describing: (Diagnostic) -> String = { $0.description }
    ) -> JSONValue {
        description.record(path: path, layout: layout, warnings: diagnostics.map(describing))
    }
}

extension SequenceDescription {
    /// A movie or a stream in the schema `isobath.recording/1`.
    package func record(path: String, layout: RecordingLayout = .movie, warnings: [String]) -> JSONValue {
        var record = RecordingRecord(
            path: path, layout: layout, frames: frameCount ?? 0, seconds: seconds, rate: rate,
            warnings: warnings)
        if let colorSize { record.color = RecordingRecord.size(colorSize) }
        if let depth {
            record.depth = RecordingRecord.depth(
                depth.size, depth.scale, unitsPerMeter: depth.scale.isMetric ? depth.unitsPerMeter : nil)
        }
        record.camera = RecordingRecord.camera(
            calibration, isPerFrame: false, isCameraGiven ? .given : .file)
        if let eyes { record.eyes = RecordingRecord.eyes(eyes) }
        if !mattes.isEmpty { record.mattes = RecordingRecord.mattes(mattes, count: nil) }
        return record.json
    }
}

extension Diagnostic.Code {
    /// Which eyes of a spatial video are read, and what follows from it.
    static let eyes: Self = "eyes"
}
