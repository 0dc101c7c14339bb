internal import Embedded
internal import Isobath
internal import Scenes
internal import Synchronization

/// Counts frames of a sequence that could not be used. Reports the first few with their reasons.
final class FailureCount: Sendable {
    private static let most = 5
    private let input: String
    private let reporter: Reporter
    private let frames = Mutex<[Int]>([])

    init(_ input: String, _ reporter: Reporter) { (self.input, self.reporter) = (input, reporter) }

    /// Reports a frame, from any thread.
    func add(_ error: any Error, frame: Int) {
        let count = frames.withLock { frames in
            frames.append(frame)
            return frames.count
        }
        guard count <= Self.most else { return }
        reporter.lose(.warning(.damagedFrames, "frame \(frame): \(advised(error))"), of: input)
    }

    /// Reports the total if not every frame was reported.
    func summarize() {
        let total = frames.withLock(\.count)
        guard total > Self.most else { return }
        reporter.lose(.warning(.damagedFrames, "\(total) frames could not be used"), of: input)
    }

    /// The lost frames, for the line that ends a run: `, 1 damaged (frame 2), 3 missing`; empty if no frames were lost.
    func losses(missing: Int) -> String { frames.withLock { Losses(damaged: $0, missing: missing).text } }

    /// Adds the numbers of lost frames to the line of JSON.
    func record(missing: Int) {
        let numbers = frames.withLock { $0.sorted() }
        reporter.add([
            ("damagedFrames", .array(numbers.map { .integer($0) })), ("missing", .integer(missing)),
        ])
    }
}

/// Frames that an input should have and the output does not.
struct Losses {
    /// Frames that could not be decoded or used.
    var damaged: [Int]
    /// The number of listed frames whose files are missing.
    var missing: Int

    /// As in `, 1 damaged (frame 2), 3 missing`; empty if nothing is lost.
    var text: String {
        var text = ""
        if !damaged.isEmpty {
            let shown = damaged.sorted().prefix(5).map { "\($0)" }.joined(separator: ", ")
            let more = damaged.count > 5 ? ", …" : ""
            text += ", \(damaged.count) damaged (\(damaged.count == 1 ? "frame" : "frames") \(shown)\(more))"
        }
        if missing > 0 { text += ", \(missing) missing" }
        return text
    }
}

extension Diagnostic.Code {
    /// Frames that cannot be decoded or used.
    static let damagedFrames: Self = "damaged-frames"
}
