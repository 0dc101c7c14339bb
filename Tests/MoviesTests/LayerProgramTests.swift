import ByteParsing
import DepthCore
import DepthModel
import Foundation
import TestSupport
import Testing

@testable import Movies
@testable import Sequences

@Suite(
    "The second eye by an FFmpeg program",
    .enabled(if: hasFFmpeg && !MovieSource.decodesLayers, "FFmpeg's libraries decode both eyes here"))
struct LayerProgramTests {
    private static let (width, height) = (64, 48)

    /// A movie of 5 black frames which claims a second layer.
    private func movie(in folder: borrowing TemporaryFolder, firstIsRight: Bool = false) throws -> String {
        let path = try folder.write([], to: "plain.mp4")
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let sink = MovieSink(descriptor: file.fileDescriptor, format: .mp4, codec: .h264, rate: 30)
        for index in 0..<5 {
            var frame = RenderedFrame()
            frame.time = Double(index) / 30
            frame.picture = FramePlane(
                width: Self.width, height: Self.height,
                samples: [RGB<UInt8>](
                    repeating: RGB(red: 0, green: 0, blue: 0), count: Self.width * Self.height))
            try sink.write(&frame)
        }
        try sink.finish()
        let movie = SpatialMovie.layered(try folder.bytes(of: "plain.mp4"), firstIsRight: firstIsRight)
        return try folder.write(movie, to: "spatial.mp4")
    }

    /// The brightness of the middle of each right picture, -1 for none, and the warnings.
    private func read(_ path: String, _ program: StandInProgram) throws -> (right: [Int], warnings: [String])
    {
        let source = try MovieSource(contentsOf: path, ffmpeg: program.path, limits: DecodingLimits())
        #expect(source.description.eyes?.areBothRead == true)
        var right: [Int] = []
        while try source.advance() != nil {
            var frame = SequenceFrame()
            try source.read([.color, .right], into: &frame)
            #expect(frame.color.samples.allSatisfy { $0.green < 4 })
            right.append(
                frame.right.isEmpty ? -1 : Int(frame.right.samples[frame.right.samples.count / 2].green))
        }
        return (right, source.diagnostics.filter { $0.severity == .warning }.map { "\($0)" })
    }

    private func frames(_ codes: [UInt8]) -> [UInt8] {
        StandInProgram.frames(codes, width: Self.width, height: Self.height)
    }

    @Test("The frames of a program become the right eye's, in order, and it gets the movie and no name")
    func pairs() throws {
        let folder = try TemporaryFolder()
        let path = try movie(in: folder)
        let program = try StandInProgram(in: folder, frames: frames([16, 60, 104, 148, 235]))
        let (right, warnings) = try read(path, program)
        // Rec. 601: (Y - 16) · 255 / 219.
        #expect(
            zip(right, [0, 51, 102, 154, 255]).allSatisfy { abs($0 - $1) <= 1 } && right.count == 5,
            "\(right)")
        #expect(warnings == [])
        #expect(try folder.bytes(of: "ffmpeg.input") == folder.bytes(of: "spatial.mp4"))
        let given = String(decoding: try folder.bytes(of: "ffmpeg.arguments"), as: UTF8.self)
        for pair in [
            "-protocol_whitelist\nfd,pipe\n", "-format_whitelist\nmov\n", "-codec_whitelist\nhevc\n",
            "-i\nfd:\n",
            "-map\n0:i:1:vidx:1\n", "-fps_mode\npassthrough\n", "-pix_fmt\nyuv420p\n",
        ] {
            #expect(given.contains(pair), "\(given)")
        }
        #expect(!given.contains("spatial"))
    }

    @Test("The second layer is the left eye if the first is the right one")
    func exchanged() throws {
        let folder = try TemporaryFolder()
        let program = try StandInProgram(in: folder, frames: frames([16, 60, 104, 148, 235]))
        let source = try MovieSource(
            contentsOf: movie(in: folder, firstIsRight: true), ffmpeg: program.path, limits: DecodingLimits())
        _ = try (source.advance(), source.advance())
        var frame = SequenceFrame()
        try source.read([.color, .right], into: &frame)
        #expect(abs(Int(frame.color.samples[0].red) - 51) <= 1 && frame.right.samples[0].red < 4)
    }

    @Test(
        "Missing, surplus and cut frames, and the end of the program, are reported",
        arguments: [
            (3, 0, "cat \"$0.y4m\"", "the second eye ends after 3 of 5 frames"),
            (4, 100, "cat \"$0.y4m\"", "the second eye ends after 3 of 5 frames"),
            (6, 0, "cat \"$0.y4m\"", "the second eye has more than the 5 frames of the first"),
            (5, 0, "cat \"$0.y4m\"; exit 7", "ended with status 7"),
            (5, 0, "cat \"$0.y4m\"; echo '[hevc @ 0x55] lost' >&2", "reports an error: lost"),
            (3, 0, "cat \"$0.y4m\"; kill -SEGV $$", "ends after 3 of 5 frames; the FFmpeg program"),
        ])
    func faults(count: Int, cut: Int, commands: String, warning: String) throws {
        let folder = try TemporaryFolder()
        let stream = frames((0..<count).map { UInt8(16 + 20 * $0) }).dropLast(cut)
        let program = try StandInProgram(in: folder, frames: Array(stream), commands)
        let (right, warnings) = try read(movie(in: folder), program)
        let whole = cut > 0 ? count - 1 : count
        #expect(right.map { $0 >= 0 } == (0..<5).map { $0 < whole }, "\(right)")
        #expect(warnings.count == 1 && warnings[0].contains(warning), "\(warnings)")
    }

    @Test(
        "A program that gives no frame is an error that says why",
        arguments: [
            ("echo 'no such view' >&2; exit 1", "ended with status 1: no such view"),
            ("kill -SEGV $$", "was ended by SIGSEGV"), ("exit 0", "writes nothing"),
            ("echo hello", "writes no y4m"),
            ("printf 'YUV4MPEG2 W32 H48 F30:1\\nFRAME\\n'", "another size than 64 x 48 pixels"),
        ])
    func failures(commands: String, problem: String) throws {
        let folder = try TemporaryFolder()
        let program = try StandInProgram(in: folder, commands)
        let error = #expect(throws: MovieError.self) { try read(movie(in: folder), program) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(problem), "\(String(describing: error))")
    }

    @Test(
        "Only FFmpeg 7.1 and newer is used, and development builds that decode views",
        arguments: [
            ("7.1", "", nil), ("n8.0.1", "", nil), ("10.0", "", nil), ("N-118000-g1a2b3c", "-view_ids", nil),
            ("2025-01-02-git-1a2b", "-view_ids", nil), ("5.1.9-0+deb12u1", "", "is FFmpeg 5.1.9-0+deb12u1"),
            ("7.0.2", "-view_ids", "both need 7.1 or newer"), ("N-100000-g1a2b3c", "", "decodes one eye"),
        ] as [(String, String, String?)])
    func versions(version: String, help: String, problem: String?) throws {
        let folder = try TemporaryFolder()
        let program = try StandInProgram(in: folder, version: version, "echo '  \(help)'")
        do throws(MovieError) {
            _ = try LayerProgram(program.path)
            #expect(problem == nil)
        } catch {
            #expect(problem.map("\(error)".contains) ?? false, "\(error)")
        }
    }

    @Test("Other programs, and none, are errors")
    func others() throws {
        for (path, problem) in [
            ("/bin/echo", "is not FFmpeg"), ("/bin/true", "is not FFmpeg"),
            ("/nonexistent/ffmpeg", "cannot be started: No such file or directory"),
            ("/etc/passwd", "cannot be started: Permission denied"),
        ] {
            let error = #expect(throws: MovieError.self) { try LayerProgram(path) }
            #expect("\(error.map { "\($0)" } ?? "")".contains(problem), "\(String(describing: error))")
        }
    }

    @Test("The program ends with the movie, and is not started before its first frame")
    func ends() throws {
        let folder = try TemporaryFolder()
        let program = try StandInProgram(
            in: folder, frames: frames([16, 60]), "echo $$ > \"$0.pid\"; cat \"$0.y4m\"; exec sleep 100")
        do {
            let source = try MovieSource(
                contentsOf: movie(in: folder), ffmpeg: program.path, limits: DecodingLimits())
            #expect(!FileManager.default.fileExists(atPath: folder.file("ffmpeg.pid")))
            _ = try (source.advance(), source.advance())
        }
        let text = String(decoding: try folder.bytes(of: "ffmpeg.pid"), as: UTF8.self)
        let number = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(number, 0) == -1 && errno == ESRCH, "neither running nor a zombie")
    }
}
