internal import Glibc
internal import Isobath
internal import Movies
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

    /// The files that are read.
    var files: [String] { [depthInput].compactMap(\.self).filter { Int($0) == nil } }

    /// Opens a sequence, recognized by what is in it; `-` is standard input.
    func open(_ path: String, limits: DecodingLimits) throws -> any FrameSource {
        if try path == "-" || color != nil || depth != nil || Self.isStream(path, limits) {
            return try PipeSource(
                StreamReader(path: path), color: color, depth: depth,
                depthReader: depthInput.map { path throws(ContainerError) in try StreamReader(path: path) },
                rate: rate, limits: limits)
        }
        return try MovieSource(contentsOf: path, unitsPerMeter: unitsPerMeter, limits: limits)
    }

    /// Whether a path leads to a named pipe, or to a file that begins as y4m does.
    private static func isStream(_ path: String, _ limits: DecodingLimits) throws(ContainerError) -> Bool {
        do throws(ContainerError) {
            let start = try FileSource(path: path, limits: limits).readPrefix(at: 0, count: 10)
            return start.starts(with: "YUV4MPEG2 ".utf8)
        } catch {
            guard error.reason == .pipe else { throw error }
            return true
        }
    }
}
