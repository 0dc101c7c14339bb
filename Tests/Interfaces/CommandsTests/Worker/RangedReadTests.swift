import Foundation
import TestSupport
import Testing

@Suite("Ranged reads of a worker")
struct RangedReadTests {
    /// How a file is read that is somewhere else.
    private struct Read {
        var reply: [String: Any]
        var payload: Data
        var requests = 0
        var bytes = 0
    }

    private static func extract(
        _ path: String, _ flags: [String], knowsSize: Bool, answer: (line: String, payload: [UInt8])? = nil
    ) throws -> Read {
        let worker = try WorkerProcess(flags)
        let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let size = knowsSize ? #", "size": \#(file.count)"# : ""
        try worker.send(
            #"{"id": "x", "verb": "extract", "source": "ranged"\#(size), "options": {"format": "npy"}}"#)
        var read = Read(reply: [:], payload: Data())
        while true {
            let (reply, payload) = try worker.receive()
            guard let need = reply["need"] as? [[Int]] else {
                (read.reply, read.payload) = (reply, payload)
                #expect(worker.end() == 0)
                return read
            }
            if let (line, payload) = answer {
                read.requests += need.count
                try worker.send(line, payload)
                continue
            }
            let parts = need.map { Array(file[$0[0]..<min(file.count, $0[0] + $0[1])]) }
            let have = zip(need, parts).map { "[\($0[0]), \($1.count)]" }.joined(separator: ", ")
            let bytes = parts.flatMap(\.self)
            read.requests += need.count
            read.bytes += bytes.count
            try worker.send(
                #"{"id": "x", "have": [\#(have)], "size": \#(file.count), "bytes": \#(bytes.count)}"#, bytes)
        }
    }

    @Test(
        "A file in ranges gives what the file gives", arguments: [[], ["--isolate"]],
        [
            "portrait.heic", "portrait.jpg", "depth.dng", "depth.avif", "gdepth-lens-blur.jpg",
            "samsung-dualshot.jpg",
        ])
    func same(flags: [String], name: String) throws {
        let path = TestImages.path(name)
        let expected = try Tool.run("extract \(path) -o - --format npy --quiet").output
        for knowsSize in [true, false] {
            let read = try Self.extract(path, flags, knowsSize: knowsSize)
            #expect(read.reply.text("status") == "ok", "\(read.reply)")
            #expect(read.payload == expected)
        }
    }

    @Test("An error of the program that has the bytes is the reply's, and so is an answer of other bytes")
    func errors() throws {
        let path = TestImages.path("portrait.heic")
        let answers: [(line: String, payload: [UInt8], message: String)] = [
            (#"{"id": "x", "error": "HTTP 503"}"#, [], "cannot be read: HTTP 503"),
            (#"{"id": "x", "have": [[0, 1]], "bytes": 1}"#, [7], "'have' does not hold the ranges"),
            (#"{"id": "x", "have": [[0, 3]], "bytes": 0}"#, [], "'have' does not hold the ranges"),
            (#"{"id": "x", "have": [], "bytes": 0}"#, [], "'have' does not hold the ranges"),
            (#"{"id": "x", "error": ""}"#, [], "cannot be read: no reason is given"),
            (#"{"id": "x", "have": [[0, -1]]}"#, [], "'have' must be a list of [offset, length]"),
            (#"{"id": "x", "have": [], "color": 3}"#, [], "'color' is not a field of this line"),
        ]
        for (line, payload, message) in answers {
            for flags in [[], ["--isolate"]] {
                let read = try Self.extract(path, flags, knowsSize: true, answer: (line, payload))
                #expect(read.reply.text("status") == "failed")
                let found = read.reply.object("error").text("message") ?? ""
                #expect(found.contains(message), "\(found)")
                #expect(read.requests == 1)
            }
        }
    }

    @Test("Bytes that never come fail one request after the limit of seconds")
    func silence() throws {
        let worker = try WorkerProcess(["--limit", "seconds=1", "--jobs", "1"])
        try worker.send(#"{"id": 1, "verb": "info", "source": "ranged", "size": 5000}"#)
        #expect(try worker.receive().reply["need"] != nil)
        let reply = try worker.receive().reply
        #expect(reply.text("status") == "failed")
        #expect(reply.object("error").text("message") == "cannot be read: no answer to 'need' within 1 s")
        // A late answer is ignored, and the worker continues.
        try worker.send(
            #"{"id": 1, "have": [[0, 5000]], "bytes": 5000}"#, [UInt8](repeating: 10, count: 5000))
        try worker.send(#"{"id": 2, "verb": "info", "path": "\#(TestImages.path("portrait.heic"))"}"#)
        #expect(try worker.receive().reply.text("status") == "ok")
        #expect(worker.end() == 0)
    }

    @Test("Where standard input ends before the bytes come, the request fails and has its reply")
    func end() throws {
        let worker = try WorkerProcess()
        try worker.send(#"{"id": 1, "verb": "info", "source": "ranged"}"#)
        #expect(try worker.receive().reply["need"] != nil)
        let status = worker.end()
        #expect(try worker.receive().reply.text("status") == "failed")
        #expect(status == 0)
    }

    @Test("Many ranged requests beyond the window, with answers behind them, come to an end")
    func window() throws {
        let worker = try WorkerProcess(["--jobs", "2"])
        let file = try TestImages.bytes("portrait.heic")
        let first = min(file.count, 49152)
        for id in 0..<40 {
            try worker.send(#"{"id": \#(id), "verb": "info", "source": "ranged", "size": \#(file.count)}"#)
        }
        var done: Set<Int> = []
        while done.count < 40 {
            let reply = try worker.receive().reply
            let id = try #require(reply.integer("id"))
            guard let need = reply["need"] as? [[Int]] else {
                #expect(reply.text("status") == "ok")
                done.insert(id)
                continue
            }
            #expect(need == [[0, first]] || need.count == 1)
            let bytes = Array(file[need[0][0]..<need[0][0] + need[0][1]])
            try worker.send(
                #"{"id": \#(id), "have": [[\#(need[0][0]), \#(bytes.count)]], "bytes": \#(bytes.count)}"#,
                bytes)
        }
        #expect(worker.end() == 0)
    }

    /// Each answer takes less time than the limit, but all of them take more.
    @Test(
        "The time in which bytes arrive counts against the limit of seconds", arguments: [[], ["--isolate"]])
    func slowAnswers(flags: [String]) throws {
        let worker = try WorkerProcess(["--limit", "seconds=2", "--jobs", "1"] + flags)
        let file = try TestImages.bytes("depth.dng")
        try worker.send(
            #"{"id": 1, "verb": "extract", "source": "ranged", "size": \#(file.count), "options": {"format": "npy"}}"#
        )
        var needs = 0
        let start = ContinuousClock.now
        while true {
            let reply = try worker.receive().reply
            guard let need = reply["need"] as? [[Int]] else {
                #expect(reply.text("status") == "failed", "\(reply)")
                break
            }
            needs += 1
            usleep(1_500_000)
            let bytes = need.flatMap { Array(file[$0[0]..<$0[0] + $0[1]]) }
            let have = need.map { "[\($0[0]), \($0[1])]" }.joined(separator: ", ")
            try worker.send(#"{"id": 1, "have": [\#(have)], "bytes": \#(bytes.count)}"#, bytes)
        }
        #expect(needs == 2 && ContinuousClock.now - start < .seconds(6))
        #expect(worker.end() == 0)
    }

    @Test("More bytes than were requested are skipped, and fail the request")
    func excessiveAnswer() throws {
        let worker = try WorkerProcess(["--jobs", "1"])
        try worker.send(#"{"id": 1, "verb": "info", "source": "ranged", "size": 5000}"#)
        #expect(try worker.receive().reply["need"] != nil)
        try worker.send(
            #"{"id": 1, "have": [[0, 6000]], "bytes": 6000}"#, [UInt8](repeating: 0, count: 6000))
        let reply = try worker.receive().reply
        #expect(reply.object("error").text("message")?.contains("'have' does not hold the ranges") == true)
        #expect(worker.end() == 0)
    }

    @Test("Inputs of requests without a reply hold no more bytes than one input may have")
    func heldBytes() throws {
        let worker = try WorkerProcess(["--jobs", "1", "--limit", "input-bytes=60000"])
        try worker.send(#"{"id": 0, "verb": "info", "source": "ranged", "size": 5000}"#)
        #expect(try worker.receive().reply["need"] != nil)
        // An answer may follow these, so the worker reads on.
        for id in 1...3 {
            try worker.send(
                #"{"id": \#(id), "verb": "info", "bytes": 25000}"#, [UInt8](repeating: 0, count: 25000))
        }
        let refusal = try worker.receive().reply
        #expect(refusal.integer("id") == 3 && refusal.text("status") == "refused")
        #expect(refusal.object("error").text("code") == "busy")
        try worker.send(#"{"id": 0, "error": "gone"}"#)
        #expect(Set(try (0..<3).map { _ in try worker.receive().reply.integer("id") }) == [0, 1, 2])
        // Without a request that waits for bytes, the worker waits for room instead.
        for id in 4...9 {
            try worker.send(
                #"{"id": \#(id), "verb": "info", "bytes": 40000}"#, [UInt8](repeating: 0, count: 40000))
        }
        for id in 4...9 {
            let reply = try worker.receive().reply
            #expect(reply.integer("id") == id && reply.text("status") == "failed")
        }
        #expect(worker.end() == 0)
    }
}
