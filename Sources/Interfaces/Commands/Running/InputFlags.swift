internal import Glibc
internal import Isobath
internal import Movies
internal import Recordings
internal import Scenes

/// What flags say about inputs: the facts that files do not contain, and what only the tool knows.
struct InputFlags: Sendable {
    /// The facts.
    var options = ReadingOptions()
    /// The form of color samples without a header.
    var color: RawPixels<RawColorFormat>?
    /// The form of distance samples without a header.
    var depth: RawPixels<RawDepthFormat>?
    /// Frames per second of streams without times.
    var rate: Double?
    /// The frame of a recording, a movie or a stream to use as a photo.
    var frame: Int?
    /// Whether to compute the depth of stereo pairs and ignore stored depth.
    var isStereo = false

    /// The files that are read in addition to inputs.
    var files: [String] {
        options.files + [depth?.path].compactMap(\.self).filter { Int($0) == nil }
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
        try PipeSource(reader, color: color, depth: depth, rate: rate, reading: options, limits: limits)
    }

    private static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return unsafe path.withFileName { unsafe stat($0, &status) } == 0
            && status.st_mode & S_IFMT == S_IFIFO
    }
}
