import Bytes
import DepthMaps
import DepthTypes
import Foundation
import MovieWriting
import TestSupport
import Testing

@testable import Movies
@testable import Scenes

@Suite("Movies that are cut off", .needsFFmpeg)
struct CutMovieTests {
    private let folder = TemporaryFolder()

    /// The warnings at the end of a movie, and its number of frames.
    private func read(_ path: String) throws -> (frames: Int, warnings: [String]) {
        let source = try MovieSource(contentsOf: path, limits: DecodingLimits())
        var frames = 0
        while try source.advance() != nil { frames += 1 }
        return (frames, source.diagnostics.filter { $0.severity == .warning }.map { "\($0)" })
    }

    /// A movie of 20 pictures of noise, so that all have about the same number of bytes.
    private func movie(_ format: MovieFormat, _ codec: MovieCodec?, in folder: TemporaryFolder) throws
        -> String
    {
        let frames = (0..<20).map { index in
            var frame = RenderedFrame()
            frame.time = Double(index) / 30
            frame.picture = FramePlane(
                width: 64, height: 64,
                samples: (0..<4096).map { (place: Int) -> RGB<UInt8> in
                    let code = UInt8(truncatingIfNeeded: (place * 7919 + index * 31) >> 3)
                    return RGB(red: code, green: code &* 3, blue: code &* 7)
                })
            return frame
        }
        return try folder.writeMovie(frames, to: "a.\(format.rawValue)", codec: codec)
    }

    @Test(
        "say how many frames are there, or what follows, and whole ones say nothing",
        arguments: [(.mkv, .ffv1), (.mkv, .h264), (.mp4, .h264), (.apng, nil)] as [(MovieFormat, MovieCodec?)]
    )
    func cut(format: MovieFormat, codec: MovieCodec?) throws {
        let path = try movie(format, codec, in: folder)
        let complete = try read(path)
        #expect(complete.frames == 20 && complete.warnings == [], "\(complete.warnings)")
        // MP4 has its index at the end: a file that is cut off before it cannot be opened.
        guard format != .mp4 else { return }
        let bytes = try folder.bytes(of: "a.\(format.rawValue)")
        let cut = try read(try folder.write(bytes.prefix(bytes.count * 6 / 10), to: "cut.\(format.rawValue)"))
        #expect(cut.frames > 5 && cut.frames < 20)
        #expect(cut.warnings.contains { $0.contains("the movie is cut off") }, "\(cut.warnings)")
    }

    @Test("The data of MP4 may end before its index says so")
    func index() throws {
        let path = try movie(.mp4, .h264, in: folder)
        var bytes = try folder.bytes(of: "a.mp4")
        // The index is behind the data. The declared offsets of the second half's samples are beyond the end of the
        // file.
        let table = try #require(bytes.indices.first { bytes[$0...].starts(with: "stco".utf8) })
        let count = Int(bytes[table + 11])
        #expect(count > 0)
        for index in (count / 2)..<count { bytes[table + 12 + 4 * index] = 0x7F }
        let cut = try read(try folder.write(bytes, to: "cut.mp4"))
        #expect(cut.frames < 20)
        #expect(cut.warnings.contains { $0.contains("of 20 frames are there") }, "\(cut.warnings)")
        #expect(try read(path).warnings == [])
    }

    @Test("A GIF without its trailer is cut off")
    func gif() throws {
        let path = try folder.write([], to: "a.gif")
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let sink = GIFSink(descriptor: file.fileDescriptor, rate: 10, palette: nil)
        for index in 0..<8 {
            var frame = RenderedFrame()
            frame.picture = FramePlane(
                width: 16, height: 16,
                samples: (0..<256).map { RGB(red: UInt8($0), green: UInt8(index * 9), blue: UInt8(255 - $0)) }
            )
            try sink.write(&frame)
        }
        try sink.finish()
        #expect(try read(path).warnings == [])
        var bytes = try folder.bytes(of: "a.gif")
        let half = bytes.count / 2
        bytes = bytes.prefix(half) + [UInt8](repeating: 0, count: half)
        let zeros = try read(try folder.write(bytes, to: "zeros.gif"))
        #expect(zeros.frames < 8)
        #expect(zeros.warnings.contains { $0.contains("the movie is cut off") }, "\(zeros.warnings)")
    }

    @Test(
        "Of other programs, too",
        .needsAttacks,
        arguments: [
            ("a.webm", "the movie is cut off"), ("f.mkv", "the movie is cut off"),
            ("frag.mp4", "the movie is cut off"), ("p.png", "the movie is cut off: 8 of 15 frames are there"),
            // MPEG-TS declares no length: the last picture is damaged.
            ("a.ts", "could not be decoded"),
        ])
    func attacks(name: String, message: String) throws {
        let full = try read(SampleFolder.attacks.path("F18-cut-movies/full-\(name)"))
        #expect(full.frames == 15 && full.warnings == [], "\(full.warnings)")
        let cut = try read(SampleFolder.attacks.path("F18-cut-movies/cut60-\(name)"))
        #expect(cut.frames < 15)
        #expect(cut.warnings.contains { $0.contains(message) }, "\(cut.warnings)")
    }

    @Test(
        "Movies of cameras are complete",
        .needsRecordings)
    func cameras() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: SampleFolder.recordings.path(""))
        for name in files.sorted() where ["mp4", "mov", "mkv"].contains(name.split(separator: ".").last) {
            let source = try MovieSource(
                contentsOf: SampleFolder.recordings.path(name), limits: DecodingLimits())
            #expect(try !source.list(DecodingLimits()).seconds.isEmpty)
            #expect(
                !source.diagnostics.contains { "\($0)".contains("cut off") }, "\(name): \(source.diagnostics)"
            )
        }
    }
}
