internal import Glibc
internal import Processes
internal import Sequences

/// An `ffmpeg` program that decodes the second layer of MV-HEVC, which FFmpeg's libraries before 7.1 do not.
struct LayerProgram: Sendable {
    /// Its path.
    let path: String

    /// Starts the program to ask for its version.
    ///
    /// Throws ``MovieError/program(path:problem:)`` if it cannot be started, is not FFmpeg or is older than 7.1. A build
    /// without a version number is accepted if its decoder of HEVC has the option `view_ids`.
    init(_ path: String) throws(MovieError) {
        self.path = path
        let first = try answer(to: ["-version"])
        let start = "ffmpeg version "
        guard first.hasPrefix(start), let version = first.dropFirst(start.count).split(separator: " ").first
        else {
            throw .program(path: path, problem: "is not FFmpeg: it reports no version when asked by -version")
        }
        let isNewEnough =
            if let number = Self.number(of: version) { number >= (7, 1) } else {
                try answer(to: ["-hide_banner", "-h", "decoder=hevc"]).contains("view_ids")
            }
        guard isNewEnough else {
            throw .program(
                path: path,
                problem: "is FFmpeg \(version.prefix(40)), and decodes one eye; both need 7.1 or newer")
        }
    }

    /// Major and minor number of a version such as `7.1.5-0+deb13u1` or `n7.1`; `nil` for development builds such as
    /// `N-12345-gabcdef` and `2025-01-02-git-abcdef`.
    private static func number(of version: Substring) -> (Int, Int)? {
        let parts = version.drop { $0 == "n" }.prefix { $0.isNumber || $0 == "." }.split(separator: ".")
        guard parts.count >= 2, let major = Int(parts[0]), let minor = Int(parts[1]) else { return nil }
        return (major, minor)
    }

    /// The maximum number of bytes and of seconds of an answer.
    private static let (mostBytes, mostSeconds) = (1 << 16, 10.0)

    /// The start of what the program prints when called with these arguments.
    private func answer(to arguments: [String]) throws(MovieError) -> String {
        let child = try ProgramOutput(path, arguments, input: -1)
        let deadline = ContinuousClock.now + .seconds(Self.mostSeconds)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        while bytes.count < Self.mostBytes, ContinuousClock.now < deadline, !Interruption.isRequested {
            var state = pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&state, 1, 100) > 0 else { continue }
            let got = unsafe read(child.descriptor, &buffer, buffer.count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            bytes += buffer[..<got]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Starts to decode the second layer of a movie.
    ///
    /// `movie` is a descriptor at the start of the file, whose offset the program moves. `track` is the number of the track in
    /// the file, and `pixels` FFmpeg's name of the format of samples to write.
    func decode(_ movie: Int32, track: Int, pixels: String) throws(MovieError) -> ProgramOutput {
        try ProgramOutput(
            path,
            [
                "-nostdin", "-hide_banner", "-v", "error",
                // The movie is read from a descriptor and can name no other file.
                "-protocol_whitelist", "fd,pipe", "-format_whitelist", "mov", "-codec_whitelist", "hevc",
                // Frames are cropped and turned as our libraries do.
                "-noautorotate", "-apply_cropping", "codec",
                "-f", "mov", "-i", "fd:", "-map", "0:i:\(track):vidx:1", "-fps_mode", "passthrough",
                "-pix_fmt", pixels, "-strict", "-1", "-f", "yuv4mpegpipe", "pipe:1",
            ], input: movie)
    }
}
