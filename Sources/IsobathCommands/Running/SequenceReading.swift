internal import Glibc
internal import Isobath
internal import Movies
internal import Recordings
internal import Sequences

/// What is said of a sequence that it does not say itself, as plain data.
struct SequenceReading: Codable, Sendable {
    /// Pixels without a header.
    var color: PipeSource.RawColor?
    /// Distances without a header.
    var depth: PipeSource.RawDepth?
    /// Where these come from: a descriptor, a named pipe or a file; `nil` for behind the color of each frame.
    var depthInput: String?
    /// Frames a second of pipes that do not say.
    var rate: Double?
    /// Stored units in a meter.
    var unitsPerMeter: Double?

    /// Pixels of the depth.
    var focalLength: Double?
    /// Pixels of the depth; the middle unless given.
    var principalPoint: SIMD2<Double>?

    /// Whether frames stay as they are stored, and are not turned upright.
    var keepsOrientation = false

    /// The files that are read.
    var files: [String] { [depthInput].compactMap(\.self).filter { Int($0) == nil } }

    /// Opens a sequence, recognized by what is in it; `-` is standard input.
    func open(_ path: String, limits: DecodingLimits) throws -> any FrameSource {
        if try path == "-" || color != nil || depth != nil || Self.isStream(path, limits) {
            return try PipeSource(
                StreamReader(path: path), color: color, depth: depth,
                depthReader: depthInput.map { path throws(ContainerError) in try StreamReader(path: path) },
                rate: rate, calibration: calibration, limits: limits)
        }
        var reading = RecordingReading()
        reading.unitsPerMeter = unitsPerMeter
        (reading.focalLength, reading.principalPoint) = (focalLength, principalPoint)
        do {
            return try Recording.Content(contentsOf: path, reading: reading, limits: limits)
                .frames(isUpright: !keepsOrientation)
        } catch let error as ContainerError where error == ListedRecording.unrecognized {
            guard !FolderEntry.isFolder(path) else { throw error }
            return try MovieSource(contentsOf: path, unitsPerMeter: unitsPerMeter, limits: limits)
        }
    }

    /// The frames of an input that is a stream: y4m from standard input, a named pipe or a file, or samples without a header, where
    /// flags say so. `nil` for any other input; what was read of standard input then is its source.
    func openStream(_ input: inout Input, limits: DecodingLimits) throws -> (any FrameSource)? {
        guard input.source == nil else { return nil }
        if color != nil || depth != nil { return try open(input.path, limits: limits) }
        guard input.path == "-" else {
            // What cannot be opened has the error that it has as a photo.
            guard (try? Self.isStream(input.path, limits)) ?? false else { return nil }
            return try open(input.path, limits: limits)
        }
        let reader = try StreamReader(path: "-")
        let start = try reader.peek(Y4MHeader.mark.count)
        guard start == Y4MHeader.mark else {
            input.source = try FileSource.contents(ofStream: 0, behind: start, limits: limits)
            return nil
        }
        return try PipeSource(reader, color: nil, depth: nil, depthReader: nil, rate: rate, limits: limits)
    }

    /// The camera of depth in a pipe.
    private var calibration: CameraCalibration? {
        guard let focalLength, let depth else { return nil }
        return CameraCalibration(
            focalLength: focalLength, principalPoint: principalPoint, width: depth.width, height: depth.height
        )
    }

    /// Whether a path leads to a named pipe, or to a file that begins as y4m does.
    private static func isStream(_ path: String, _ limits: DecodingLimits) throws(ContainerError) -> Bool {
        guard !FolderEntry.isFolder(path), !ListedRecording.isPattern(path) else { return false }
        do throws(ContainerError) {
            let start = try FileSource(path: path, limits: limits).readPrefix(
                at: 0, count: Y4MHeader.mark.count)
            return start == Y4MHeader.mark
        } catch {
            guard error.reason == .pipe else { throw error }
            return true
        }
    }
}
