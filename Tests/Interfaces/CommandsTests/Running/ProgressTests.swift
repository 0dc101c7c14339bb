import DepthMaps
import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("Progress on a terminal")
struct ProgressTests {
    private let folder = TemporaryFolder()

    @Test(
        "Work on one input that takes longer than a second shows its frames, and nothing with --quiet",
        .needsTerminal,
        arguments: [[], ["--isolate"], ["--quiet"]])
    func frames(flags: [String]) throws {
        try SquareScene.write(into: folder)
        // 12 frames at 5 frames per second.
        let pixels = SquareScene.flags.map { $0 == "30" ? "5" : $0 }
        let run = try Tool.shell(
            #"exec script -qec "$0 $*" /dev/null"#,
            ["extract", "scene.raw", "--real-time", "-o", "a.y4m"] + pixels + flags, folder: folder.path)
        #expect(run.status == 0, "\(run.text)")
        let shown = run.text.matches(of: /\rframe \d+ done, [0-9.]+ a second|\rframe \d+ of 12/)
        #expect(shown.isEmpty == (flags == ["--quiet"]), "\(run.text)")
    }

    @Test(
        "A batch shows how many inputs are done, before the first one is",
        .needsTerminal)
    func batch() throws {
        try SquareScene.write(into: folder)
        try FileManager.default.copyItem(atPath: folder.file("scene.raw"), toPath: folder.file("other.raw"))
        let pixels = SquareScene.flags.map { $0 == "30" ? "5" : $0 }
        let run = try Tool.shell(
            #"exec script -qec "$0 $*" /dev/null"#,
            ["extract", "scene.raw", "other.raw", "-o", "out/", "--values", "millimeters", "--jobs", "1"]
                + ["--real-time"] + pixels, folder: folder.path)
        #expect(
            run.status == 0 && run.text.contains("\r0 of 2") && run.text.contains("\r1 of 2"), "\(run.text)")
    }

    @Test("Nothing is shown where standard error is no terminal")
    func pipe() throws {
        try SquareScene.write(into: folder)
        let pixels = SquareScene.flags.map { $0 == "30" ? "5" : $0 }
        let run = try folder.run("extract scene.raw --real-time -o a.y4m \(pixels)")
        #expect(!run.messages.contains("\r"), "\(run.messages)")
    }

    @Test(
        "What an isolated process says of its progress comes through, and cannot harm",
        arguments: [
            (7, 12, "7 of 12"), (7, nil, "7 done"), (.max, 0, "of 0"), (.min, .min, nil), (.max, -1, "of 0"),
        ]
            as [(Int, Int?, String?)])
    func hostile(done: Int, total: Int?, shown: String?) throws {
        let frame = Frame(.progress(LoopProgress.Place(.part, done: done, total: total)))
        guard case .progress(let place) = frame.message else { throw CancellationError() }
        let line = place.map { Progress.line(done: $0.done, total: $0.total, elapsed: .seconds(2)) }
        #expect(line.map { shown.map($0.contains) == true } ?? (shown == nil), "\(line ?? "")")
    }
}
