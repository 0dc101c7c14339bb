internal import ByteParsing
internal import Sequences

/// The frames of the second layer of a movie, which a program decodes and writes as y4m.
///
/// One frame is in memory; the program waits until the next one is read.
final class LayerFrames {
    /// The samples of the current frame, in tightly packed planes.
    private(set) var samples: [UInt8]
    /// The number of complete frames that were read.
    private(set) var count = 0
    private let program: LayerProgram
    private let output: ProgramOutput
    private let reader: StreamReader
    private let size: (width: Int, height: Int)

    /// Starts the program. `width` and `height` are those of the first layer; `byteCount` is the size of a frame.
    ///
    /// Throws ``MovieError/program(path:problem:)`` if it cannot be started.
    init(
        _ program: LayerProgram, of movie: Int32, track: Int, pixels: String, byteCount: Int, width: Int,
        height: Int
    ) throws(MovieError) {
        self.program = program
        output = try program.decode(movie, track: track, pixels: pixels)
        reader = StreamReader(descriptor: output.descriptor)
        samples = [UInt8](repeating: 0, count: byteCount)
        size = (width, height)
    }

    /// Reads the next frame. Returns `false` at the end.
    ///
    /// Throws ``MovieError/program(path:problem:)`` if the program writes no frame, no y4m, or frames of another size than
    /// the first layer's.
    func advance() throws -> Bool {
        guard try count > 0 || readHeader(), let line = try reader.readLine(atMost: Y4MHeader.mostBytes)
        else {
            return false
        }
        guard line.starts(with: "FRAME".utf8) else {
            throw failure("writes no y4m: frame \(count) does not begin with FRAME")
        }
        guard try reader.read(into: &samples) == samples.count else { return false }
        count += 1
        return true
    }

    /// Reads the first line, which declares the size. Returns `false` if the process should end.
    private func readHeader() throws -> Bool {
        guard let line = try reader.readLine(atMost: Y4MHeader.mostBytes) else {
            if Interruption.isRequested { return false }
            throw failure("decodes no second eye; it " + (output.problem() ?? "writes nothing"))
        }
        let fields = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard fields.first == "YUV4MPEG2" else { throw failure("writes no y4m") }
        guard fields.contains("W\(size.width)"), fields.contains("H\(size.height)") else {
            throw failure("gives the second eye another size than \(size.width) x \(size.height) pixels")
        }
        return true
    }

    private func failure(_ problem: String) -> MovieError { .program(path: program.path, problem: problem) }

    /// Compares the number of frames with that of the first layer, which has ended, and returns what is wrong; `nil`
    /// if nothing is.
    func defect(after frames: Int) -> String? {
        if (try? advance()) == true {
            return "the second eye has more than the \(frames) frames of the first"
        }
        let problem = output.problem().map { "the FFmpeg program \(program.path) \($0)" }
        guard count < frames else { return problem }
        return "the second eye ends after \(count) of \(frames) frames" + (problem.map { "; \($0)" } ?? "")
    }
}
