import Foundation
import TestSupport
import Testing

/// Randomly damaged input of a worker and of a run over a tar file: requests, sizes of payloads, headers of members.
@Suite("Damaged requests and tar files")
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

    @Test("A damaged tar file ends with 0, 1 or 3, and what comes out is a tar file")
    func tar() throws {
        let folder = try TemporaryFolder()
        let made = try Tool.shell(
            #"cp "$1/portrait.jpg" 1.jpg; cp "$1/plain.jpg" 2.jpg; echo x > 2.txt; tar --format=pax -cf in.tar 1.jpg 2.jpg 2.txt"#,
            [TestImages.path("")], folder: folder.path)
        #expect(made.status == 0, "\(made.messages)")
        let whole = try folder.bytes(of: "in.tar")
        // Headers of members are at multiples of 512 bytes: where the name is, or the type.
        let headers = stride(from: 0, to: whole.count, by: 512).filter { place in
            place + 262 < whole.count && whole[place + 257..<place + 262].elementsEqual("ustar".utf8)
        }
        var random = SplitMix(seed: Self.seed)
        for _ in 0..<60 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let header = headers.randomElement(using: &random) ?? 0
                bytes[header + Int.random(in: 0..<512, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if Bool.random(using: &random) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            _ = try folder.write(bytes, to: "damaged.tar")
            let run = try Tool.shell(
                #""$0" extract --tar-input - --tar-output - --limit input-bytes=4000000 < damaged.tar > out.tar; status=$?; tar -tf out.tar > names || exit 99; exit $status"#,
                [], folder: folder.path)
            #expect([0, 1, 3].contains(run.status), "seed \(Self.seed): \(run.status) \(run.messages)")
        }
    }
}
