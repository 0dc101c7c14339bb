import Foundation
import TestSupport
import Testing

@Suite("isobath worker")
struct WorkerTests {
    private let folder = TemporaryFolder()

    /// Replies by their ids, and the bytes behind them. Checks the greeting, the status 0, and that nothing is on standard error.
    private static func ask(
        _ requests: Data, _ flags: [String] = [], folder: String? = nil
    ) throws -> [(reply: [String: Any], payload: Data)] {
        let run = try Tool.run(["worker"] + flags, input: requests, folder: folder)
        #expect(run.status == 0 && run.messages.isEmpty, "\(run.messages)")
        var replies = try WorkerReplies.parse(run.output)
        #expect(replies.first?.reply.text("schema") == "isobath.worker/1")
        replies.removeFirst()
        return replies
    }

    private static func ask(_ lines: [String], _ flags: [String] = [], folder: String? = nil) throws
        -> [[String: Any]]
    {
        try ask(Data(lines.map { $0 + "\n" }.joined().utf8), flags, folder: folder).map(\.reply)
    }

    private let heic = TestImages.path("portrait.heic")

    @Test("Each verb gives the result and the bytes of its subcommand", arguments: [[], ["--isolate"]])
    func verbs(flags: [String]) throws {
        let cases: [(verb: String, flags: [String], options: String, output: String)] = [
            ("extract", ["--as", "depth"], #""as": "depth""#, "a.tiff"),
            ("extract", ["--plane", "matte"], #""plane": "matte""#, "b.png"),
            ("composite", ["--background", "white"], #""background": "white""#, "c.jpg"),
            ("blur", ["--aperture", "2.5"], #""aperture": 2.5"#, "d.png"),
            (
                "composite", ["--layer", TestImages.path("plain.jpg"), "--layer-distance", "3"],
                #""layer": "\#(TestImages.path("plain.jpg"))", "layer-distance": 3"#, "e.jpg"
            ),
            ("cloud", ["--stride", "2"], #""stride": 2"#, "f.ply"),
        ]
        var lines: [String] = []
        for item in cases {
            try folder.run("\(item.verb) \(heic) -o \(folder.file(item.output)) --quiet \(item.flags)")
            let request = #""verb": "\#(item.verb)", "path": "\#(heic)""#
            lines.append(
                #"{"id": "\#(item.output)", \#(request), "options": {\#(item.options)}, "output": "\#(folder.file("w-" + item.output))"}"#
            )
            let format = item.output.split(separator: ".")[1]
            lines.append(
                #"{"id": "inline \#(item.output)", \#(request), "options": {\#(item.options), "format": "\#(format)"}}"#
            )
        }
        let replies = try Self.ask(Data(lines.map { $0 + "\n" }.joined().utf8), flags)
        #expect(replies.count == lines.count)
        for (reply, payload) in replies {
            #expect(reply.text("status") == "ok", "\(reply)")
            let id = try #require(reply.text("id"))
            let name = id.replacing("inline ", with: "")
            let expected = try folder.bytes(of: name)
            if id.hasPrefix("inline") {
                #expect([UInt8](payload) == expected, "\(id)")
                #expect(reply.objects("payloads").map { $0.integer("bytes") } == [expected.count])
            } else {
                #expect(try folder.bytes(of: "w-\(name)") == expected, "\(id)")
            }
        }
    }

    @Test("info gives the line of info --json", arguments: [[], ["--isolate"]])
    func info(flags: [String]) throws {
        let replies = try Self.ask([#"{"id": 1, "verb": "info", "path": "\#(heic)"}"#], flags)
        let expected = try Tool.run("info --json \(heic)").objects()
        #expect(
            NSDictionary(dictionary: replies[0].object("result")) == NSDictionary(dictionary: expected[0]))
    }

    @Test("Bytes behind a request are read like a file", arguments: [[], ["--isolate"]])
    func payload(flags: [String]) throws {
        let photo = try TestImages.bytes("portrait.heic")
        var requests = Data()
        for id in 0..<6 {
            requests +=
                Data(
                    #"{"id": \#(id), "verb": "extract", "bytes": \#(photo.count), "name": "p.heic", "options": {"format": "npy"}}"#
                        .utf8) + [0x0A] + photo
        }
        let expected = try Tool.run("extract \(heic) -o - --format npy --quiet").output
        let replies = try Self.ask(requests, flags + ["--jobs", "2"])
        #expect(Set(replies.map { $0.reply.integer("id") }) == Set(0..<6))
        for (reply, payload) in replies {
            #expect(reply.text("status") == "ok" && payload == expected)
            #expect(reply.object("result").text("path") == "p.heic")
        }
    }

    @Test("All planes come inline, or into a folder", arguments: [[], ["--isolate"]])
    func allPlanes(flags: [String]) throws {
        let request = #""verb": "extract", "path": "\#(heic)", "options": {"plane": "all"}"#
        let replies = try Self.ask(
            Data(#"{"id": 1, \#(request)}"#.utf8) + [0x0A]
                + Data(#"{"id": 2, \#(request), "output": "\#(folder.path)/"}"#.utf8),
            flags + ["--jobs", "1"])
        let names = replies[0].reply.objects("payloads").compactMap { $0.text("name") }
        #expect(names.sorted() == folder.contents && names.contains("portrait-disparity.png"))
        let joined = try names.flatMap { try folder.bytes(of: $0) }
        #expect([UInt8](replies[0].payload) == joined)
    }

    @Test("The status says what an exit status cannot")
    func status() throws {
        try folder.write(text: "old", to: "there.png")
        let plain = TestImages.path("plain.jpg")
        let replies = try Self.ask(
            [
                #"{"id": 1, "verb": "extract", "path": "\#(plain)"}"#,
                #"{"id": 2, "verb": "extract", "path": "\#(folder.file("none.heic"))"}"#,
                #"{"id": 3, "verb": "extract", "path": "\#(heic)", "output": "\#(folder.file("there.png"))"}"#,
                #"{"id": 4, "verb": "extract", "path": "\#(heic)", "options": {"limits": {"pixels": 100}}}"#,
                #"{"id": 5, "verb": "extract", "path": "\#(heic)", "options": {"skip-existing": true}, "output": "\#(folder.file("there.png"))"}"#,
                #"{"id": 6, "verb": "info", "path": "\#(plain)"}"#,
                #"{"id": 7, "verb": "extract", "path": "\#(heic)", "output": "\#(folder.file("no/such.png"))"}"#,
            ])
        var found: [Int: String] = [:]
        for reply in replies {
            let code = reply.object("error").text("code").map { " \($0)" } ?? ""
            found[try #require(reply.integer("id"))] = (reply.text("status") ?? "") + code
        }
        #expect(
            found == [
                1: "no-plane no-plane", 2: "failed unreadable", 3: "failed not-written",
                4: "refused limit-exceeded", 5: "ok", 6: "ok", 7: "failed not-written",
            ])
        #expect(try folder.bytes(of: "there.png") == Array("old".utf8))
    }

    @Test("An input is never written, even with force", arguments: [[], ["--isolate"]])
    func input(flags: [String]) throws {
        let path = try folder.write(TestImages.bytes("pair_depth.png"), to: "depth.png")
        let replies = try Self.ask(
            [
                #"{"id": 1, "verb": "extract", "path": "\#(path)", "options": {"force": true}, "output": "\#(path)"}"#
            ], flags)
        #expect(replies[0].text("status") == "failed")
        #expect(try folder.bytes(of: "depth.png") == TestImages.bytes("pair_depth.png"))
    }

    @Test("Lines that are not requests are refused, each with a reply, and the next request is answered")
    func hostile() throws {
        let lines = [
            #"{"id": 1}"#, #"{"id": [1], "verb": "info", "path": "a"}"#,
            #"{"id": 1.5, "verb": "info", "path": "a"}"#,
            #"{"id": 2, "verb": "delete", "path": "a"}"#,
            #"{"id": 3, "verb": "info", "path": "a", "colour": 1}"#,
            #"{"id": 4, "verb": "info", "verb": "info", "path": "a"}"#,
            #"{"id": 5, "verb": "info", "path": "a", "bytes": 0}"#,
            #"{"id": 6, "verb": "info", "path": "-"}"#,
            #"{"id": 10, "verb": "extract", "path": "a", "options": {"output": "/tmp/x"}}"#,
            #"{"id": 11, "verb": "extract", "path": "a", "options": {"-o": "x"}}"#,
            #"{"id": 12, "verb": "extract", "path": "a", "options": {"as": "--isolate"}}"#,
            #"{"id": 13, "verb": "extract", "path": "a", "options": {"no-such-flag": true}}"#,
            #"{"id": 14, "verb": "extract", "path": "a", "options": {"color": "-"}}"#,
            #"{"id": 15, "verb": "extract", "path": "a", "options": [1]}"#,
            #"{"id": 16, "verb": "extract", "path": "a", "output": "-"}"#,
            #"{"id": 17, "verb": "extract", "path": "a", "output": "x.xyz"}"#,
            #"{"id": 18, "verb": "info", "path": "a", "output": "x.json"}"#,
            #"{"verb": "info", "source": "ranged", "size": 5}"#,
            #"{"id": 19, "verb": "cloud", "path": "a", "output": "folder/"}"#,
            #"{"id": 20, "verb": "info", "bytes": 9223372036854775807}"#,
        ]
        // The last announces more bytes than are left, so nothing can follow it.
        let last = [#"{"id": "good", "verb": "info", "path": "\#(heic)"}"#, lines[lines.count - 1]]
        let replies = try Self.ask(lines.dropLast() + last)
        #expect(replies.count == lines.count + 1)
        let good = replies.filter { $0.text("id") == "good" }
        #expect(good.count == 1 && good.first?.text("status") == "ok")
        for reply in replies where reply.text("id") != "good" {
            #expect(reply.text("status") == "refused", "\(reply)")
            #expect(reply.object("error").text("message")?.isEmpty == false)
        }
        // Every id that could be read is echoed.
        let ids = replies.compactMap { $0.integer("id") }
        #expect(Set(ids) == Set([1] + (2...6) + (10...20)))
    }

    @Test("Options are decoded by the types of their flags, and wrong ones are named with the rule")
    func wrongOptions() throws {
        let cases: [(verb: String, options: String, message: String)] = [
            ("extract", #""as": "dept""#, #"'as' is "dept"; it must be depth or disparity"#),
            (
                "extract", #""fil-holes": true"#,
                "'fil-holes' is not an option of extract; did you mean 'fill-holes'?"
            ),
            ("extract", #""fill-holes": 1"#, "'fill-holes' is 1; it must be true or false"),
            (
                "extract", #""min-confidence": 1.5"#,
                "'min-confidence' is 1.5; write a whole number"
            ),
            ("extract", #""min-confidence": -1"#, "--min-confidence is -1; it must be 0 or more"),
            ("extract", #""scale": "0x10""#, #"'scale' is "0x10"; write a decimal number, such as 2.5"#),
            (
                "extract", #""no-data": true"#,
                "'no-data' is true; this flag takes: the stored value that means unknown, besides 0 and negative ones; none keeps all values"
            ),
            (
                "extract", #""dequantize": true, "no-dequantize": true"#,
                "value to be set with flag --no-dequantize had already been set with flag --dequantize"
            ),
            ("extract", #""as": "depth", "as": "depth""#, "'as' is given twice"),
            ("extract", #""threads": 2"#, "'threads' is not an option of a request"),
            ("extract", #""name-file": "x""#, "'name-file' is not an option of extract"),
            (
                "extract", #""limits": {"pixel": 2}"#,
                "there is no limit 'pixel'; 'isobath help limits' lists all"
            ),
            ("composite", #""near": 2, "far": 1"#, "--near is 2 and --far is 1; --near must be less"),
            (
                "blur", #""focus": "0.5""#,
                #"'focus' is "0.5"; this flag takes: the position of the subject: fractions, or pixels such as 1200px,900px"#
            ),
            (
                "extract", #""as": "--isolate""#,
                "the value --isolate is invalid for --as. Please provide one of 'depth' and 'disparity'"
            ),
            ("extract", #""as": ["depth"]"#, #"'as' is ["depth"]; it must be depth or disparity"#),
            ("extract", #""color": "a\u0000b""#, "'color' contains a zero byte"),
            ("extract", #""o": "a""#, "'o' is not an option of extract"),
            ("extract", #""help": true"#, "'help' is not an option of a request"),
            ("info", #""formats": true"#, "'formats' is not an option of a request"),
        ]
        let replies = try Self.ask(
            cases.enumerated().map {
                #"{"id": \#($0), "verb": "\#($1.verb)", "path": "a", "options": {\#($1.options)}}"#
            })
        #expect(replies.count == cases.count)
        for reply in replies {
            let item = cases[try #require(reply.integer("id"))]
            #expect(reply.text("status") == "refused")
            #expect(reply.object("error").text("message") == item.message)
        }
    }

    @Test("Lists, negated flags and null are options, and a flag without effect on an input is refused")
    func otherOptions() throws {
        func request(_ options: String, _ output: String) -> String {
            #"{"id": "\#(output)", "verb": "extract", "path": "\#(heic)", "options": {\#(options)}, "output": "\#(folder.file(output))"}"#
        }
        let replies = try Self.ask([
            request(#""dequantize": true"#, "on.pfm"), request(#""dequantize": false"#, "off.pfm"),
            request(#""no-dequantize": true, "as": null, "fill-holes": false"#, "none.pfm"),
            request(#""frame": 2"#, "frame.pfm"),
            #"{"id": "list", "verb": "cloud", "path": "\#(heic)", "options": {"model": "no.onnx", "anchor": ["0.5,0.5=1", "0.1,0.1=2"]}}"#,
        ])
        func reply(_ id: String) throws -> [String: Any] {
            try #require(replies.first { $0.text("id") == id })
        }
        for output in ["on.pfm", "off.pfm", "none.pfm"] {
            #expect(try reply(output).text("status") == "ok", "\(output)")
        }
        #expect(try folder.bytes(of: "off.pfm") == folder.bytes(of: "none.pfm"))
        #expect(try folder.bytes(of: "on.pfm") != folder.bytes(of: "off.pfm"))
        let message = "--frame has no effect: this is a photo, and not a recording"
        #expect(try reply("frame.pfm").object("error").text("message") == message)
        #expect(
            try reply("list").object("error").text("message") == "cannot be read: No such file or directory")
    }

    /// Lines whose payload has an uncertain length.
    private static let uncertainLines = [
        "hello", "{", "[1]", "12", "\u{0}\u{1}\u{FF}", #"{"id": 1, "bytes": 5"#,
        #"{"id": 1, "verb": "extract", "bytes": 200, "options": {"scale": NaN}}"#,
        #"{"id": 1, "verb": "extract", "bytes": 200, "options": {"scale": -Infinity}}"#,
        #"{"id": 1, "verb": "info", "bytes": 200, "options": "# + String(repeating: "[", count: 100_000)
            + String(repeating: "]", count: 100_000) + "}",
        #"{"id": 1, "verb": "info", "bytes": 200, "name": ""# + String(repeating: "x", count: 1 << 20)
            + "\"}",
        #"{"id": 1, "verb": "info", "bytes": "200"}"#, #"{"id": 1, "verb": "info", "bytes": -1}"#,
        #"{"id": 1, "verb": "info", "bytes": 1.5}"#, #"{"id": 1, "verb": "info", "bytes": 1e300}"#,
        #"{"id": 1, "verb": "info", "bytes": true}"#, #"{"id": 1, "verb": "info", "bytes": [200]}"#,
        #"{"id": 1, "verb": "info", "bytes": 0, "bytes": 200}"#,
        #"{"id": 1, "verb": "info", "bytes": 200, "b\u0079tes": null}"#,
        #"{"id": 1, "have": [[0, 200]], "bytes": "200"}"#,
        #"{"id": 1, "id": 2, "verb": "info", "bytes": 0, "bytes": 200}"#,
    ]

    @Test(
        "The worker ends where bytes of a photo could be read as requests, and writes nothing that they name",
        arguments: [[], ["--isolate"]])
    func smuggling(flags: [String]) throws {
        for line in Self.uncertainLines {
            let folder = TemporaryFolder()
            let smuggled =
                #"{"id": "smuggled", "verb": "extract", "path": "\#(heic)", "output": "\#(folder.file("x.png"))"}"#
            let requests =
                #"{"id": "before", "verb": "info", "path": "\#(heic)"}"#
                + "\n\(line)\n\u{FF}\u{D8}\n\(smuggled)\n"
            let run = try Tool.run("worker \(flags)", input: Data(requests.utf8), status: 1)
            #expect(run.messages.isEmpty, "\(run.messages)")
            #expect(folder.contents == [], "\(line.prefix(80))")
            let replies = try WorkerReplies.parse(run.output).dropFirst().map(\.reply)
            #expect(replies.count == 2)
            let before = replies.filter { $0.text("id") == "before" }
            #expect(before.map { $0.text("status") } == ["ok"])
            let last = try #require(replies.first { $0.text("status") == "refused" })
            #expect(last.object("error").text("code") == "out-of-step", "\(line.prefix(80))")
            let hasID =
                line.contains(#""bytes""#) && !line.contains("options") && !line.contains("have")
                && !line.contains(#""id": 2"#)
                && line.utf8.count < 1000
            #expect(last.integer("id") == (hasID && line.hasSuffix("}") ? 1 : nil), "\(line.prefix(80))")
        }
    }

    @Test("A request that waits for bytes fails where the worker ends")
    func waiting() throws {
        let worker = try WorkerProcess(["--jobs", "1"])
        try worker.send(#"{"id": 1, "verb": "info", "source": "ranged", "size": 100000}"#)
        #expect(try worker.receive().reply["need"] != nil)
        try worker.send(#"{"id": 1, "have": [[0, 49152]], "bytes": NaN}"#)
        let replies = [try worker.receive().reply, try worker.receive().reply]
        let reply = try #require(replies.first { $0.integer("id") == 1 })
        #expect(reply.text("status") == "failed")
        #expect(
            reply.object("error").text("message")?.contains("an unreadable line arrived instead") == true)
        #expect(replies.contains { $0.object("error").text("code") == "out-of-step" })
        #expect(worker.end() == 1)
    }

    @Test("Text that is not Unicode is refused, because it would name another file")
    func notUnicode() throws {
        let start = #"{"id": 1, "verb": "extract", "path": "\#(heic)", "output": "\#(folder.path)/"#
        var requests = Data((start + #"\ud800.png"}"# + "\n" + start).utf8) + [0xFF]
        requests += Data(
            (".png\"}\n" + #"{"id": 9007199254740993, "verb": "info", "path": "\#(heic)"}"#).utf8)
        let run = try Tool.run(["worker"], input: requests)
        let replies = try WorkerReplies.parse(run.output).dropFirst().map(\.reply)
        #expect(run.status == 0 && folder.contents == [])
        #expect(replies.filter { $0.integer("id") == 1 && $0.text("status") == "refused" }.count == 2)
        // More than a Double holds.
        #expect(run.text.contains(#"{"id": 9007199254740993, "status": "ok""#))
    }

    @Test("A request with an id that has no reply yet is refused; later the id can be used again")
    func duplicate() throws {
        let request = #"{"id": "same", "verb": "extract", "path": "\#(heic)", "options": {"format": "npy"}}"#
        // With one job, the second request is read before the first is done. Blank lines are not requests.
        let replies = try Self.ask([request, "", request, "  "], ["--jobs", "1"])
        #expect(replies.count == 2)
        let statuses = replies.compactMap { $0.text("status") }
        #expect(Set(statuses).isSubset(of: ["ok", "refused"]) && statuses.contains("ok"))
    }

    @Test("Payloads of refused requests are passed over, and one that is cut short is reported")
    func skipping() throws {
        var requests = Data(#"{"id": 1, "verb": "nonsense", "bytes": 12}"#.utf8) + [0x0A]
        requests += Data("{\"id\": 99}\n\n".utf8)
        requests +=
            Data(#"{"id": 2, "verb": "info", "bytes": 5, "surplus": 1}"#.utf8) + [0x0A]
            + Data("\n\n\n\n\n".utf8)
        requests += Data(#"{"id": 3, "verb": "info", "path": "\#(heic)"}"#.utf8) + [0x0A]
        requests += Data(#"{"id": 4, "verb": "info", "bytes": 1000}"#.utf8) + [0x0A] + Data("short".utf8)
        let replies = try Self.ask(requests).map(\.reply)
        var codes: [Int: String] = [:]
        for reply in replies {
            codes[reply.integer("id") ?? -1] = reply.object("error").text("code") ?? "none"
        }
        #expect(codes == [1: "bad-request", 2: "bad-request", 3: "none", 4: "truncated"])
    }

    @Test("A program that reads nothing ends the run with status 1")
    func closed() throws {
        let request = #"{"id": 1, "verb": "extract", "path": "\#(heic)"}"#
        let run = try Tool.shell(
            #"trap '' PIPE; (for i in 1 2 3 4 5 6 7 8 9; do printf '%s\n' "$1"; done; sleep 0.3) | ("$0" worker; echo $? >&2) | head -c 1"#,
            [request.replacing("\"id\": 1, ", with: "")])
        #expect(run.messages == "1\n")
    }

    @Test("SIGTERM ends a worker after what it works on, with status 0")
    func terminated() throws {
        let worker = try WorkerProcess(["--jobs", "1"])
        try worker.send(#"{"id": 1, "verb": "info", "path": "\#(heic)"}"#)
        #expect(try worker.receive().reply.integer("id") == 1)
        worker.process.terminate()
        worker.process.waitUntilExit()
        #expect(worker.process.terminationStatus == 0 && worker.process.terminationReason == .exit)
    }

    @Test("A crash of an isolated process is the reply of one request")
    func crash() throws {
        let worker = try WorkerProcess(["--isolate", "--jobs", "1"])
        // Bytes that never come keep the process waiting.
        try worker.send(#"{"id": 1, "verb": "info", "source": "ranged", "size": 100000}"#)
        #expect(try worker.receive().reply["need"] != nil)
        let children = try String(
            contentsOfFile:
                "/proc/\(worker.process.processIdentifier)/task/\(worker.process.processIdentifier)/children",
            encoding: .utf8)
        var pids = children.split(separator: " ").compactMap { pid_t($0) }
        if pids.isEmpty { pids = WorkerProcess.children(of: worker.process.processIdentifier) }
        #expect(pids.count == 1)
        for pid in pids { kill(pid, SIGKILL) }
        try worker.send(
            #"{"id": 1, "have": [[0, 49152]], "bytes": 49152}"#, [UInt8](repeating: 0, count: 49152))
        let reply = try worker.receive().reply
        #expect(reply.text("status") == "failed", "\(reply)")
        try worker.send(
            #"{"id": 2, "verb": "extract", "path": "\#(heic)", "output": "\#(folder.file("d.png"))"}"#)
        #expect(try worker.receive().reply.text("status") == "ok")
        #expect(worker.end() == 0)
    }

    @Test("Wrong usage has status 64")
    func usage() throws {
        for flags in [["--jobs", "0"], ["file"]] {
            try Tool.run("worker \(flags)", status: 64)
        }
    }
}
