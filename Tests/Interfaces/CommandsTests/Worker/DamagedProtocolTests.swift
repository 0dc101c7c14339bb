import Foundation
import TestSupport
import Testing

/// Randomly damaged input of a worker: requests and sizes of payloads.
@Suite("Damaged requests")
struct DamagedProtocolTests {
    private static let seed =
        UInt64(ProcessInfo.processInfo.environment["ISOBATH_MUTATION_SEED"] ?? "") ?? 20_261

    @Test(
        "A worker answers any line, says nothing on standard error and goes on only where the next line is certain",
        arguments: [[], ["--isolate"]])
    func worker(flags: [String]) throws {
        let photo = TestImages.path("portrait.jpg")
        let lines = [
            #"{"id": 1, "verb": "info", "path": "\#(photo)"}"#,
            #"{"id": "a", "verb": "extract", "path": "\#(photo)", "options": {"as": "depth", "fill-holes": true}}"#,
            #"{"id": 2, "verb": "extract", "bytes": 40, "name": "x", "options": {"limits": {"pixels": 5}}}"#,
            #"{"id": 3, "verb": "info", "source": "ranged", "size": 70000}"#,
            #"{"id": 3, "have": [[0, 16]], "size": 70000, "bytes": 16}"#,
            #"{"id": 3, "error": "gone"}"#,
        ].map { Array($0.utf8) }
        var random = SplitMix(seed: Self.seed)
        var ends = 0
        for number in 0..<120 {
            var line = lines[number % lines.count]
            random.damage(&line, changes: Int.random(in: 1...4, using: &random))
            let requests =
                line + [0x0A] + #"{"id": "last", "verb": "info", "path": "\#(photo)"}"#.utf8 + [0x0A]
            let run = try Tool.run(["worker"] + flags, input: Data(requests))
            #expect(run.messages == "", "seed \(Self.seed)")
            let replies = try WorkerReplies.parse(run.output).dropFirst().map(\.reply)
            #expect(!replies.isEmpty, "seed \(Self.seed)")
            let statuses = Set(replies.filter { $0["need"] == nil }.compactMap { $0.text("status") })
            #expect(statuses.isSubset(of: ["ok", "no-plane", "failed", "refused"]))
            let isInStep = !replies.contains { $0.object("error").text("code") == "out-of-step" }
            #expect(run.status == (isInStep ? 0 : 1), "seed \(Self.seed)")
            ends += isInStep ? 0 : 1
            #expect(isInStep || !replies.contains { $0.text("id") == "last" }, "seed \(Self.seed)")
        }
        #expect(ends > 20)
    }
}
