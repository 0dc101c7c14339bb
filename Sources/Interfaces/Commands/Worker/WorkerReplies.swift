internal import Embedded
internal import Glibc
internal import Isobath
internal import Synchronization

/// The output of a worker: lines of JSON, and bytes after some of them. Lines of several threads never mix.
final class WorkerReplies: Sendable {
    private let closed = Mutex(false)
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Whether the reader has closed the output.
    var isClosed: Bool { closed.withLock(\.self) }

    /// Writes a line and the bytes after it. Waits until they are read.
    func send(_ fields: [(String, JSONValue)], payload: [[UInt8]] = []) {
        var line: [UInt8] = []
        JSONValue.object(fields).append(to: &line)
        line.append(0x0A)
        // Join small ones: a write costs more than a copy.
        let parts =
            payload.reduce(0) { $0 + $1.count } < 1 << 14 ? [line + payload.joined()] : [line] + payload
        closed.withLock { closed in
            guard !closed else { return }
            do {
                for part in parts { try writeAll(part, to: descriptor) }
            } catch {
                closed = true
            }
        }
    }

    /// Sends the first line.
    func greet(jobs: Int, window: Int, isolates: Bool, limits: DecodingLimits) {
        send([
            ("schema", .text("isobath.worker/1")), ("tool", .text("isobath \(isobathVersion)")),
            ("verbs", .array(WorkerTasks.names.map { .text($0) })), ("jobs", .integer(jobs)),
            ("window", .integer(window)), ("isolate", .bool(isolates)),
            (
                "limits",
                .object(DecodingLimits.Name.allCases.map { ($0.rawValue, .integer(limits[$0])) })
            ),
        ])
    }

    /// Refuses a line.
    func refuse(_ refusal: WorkerRefusal) {
        send([
            ("id", refusal.id), ("status", .text("refused")),
            (
                "error",
                .object([
                    ("code", .text(refusal.code)), ("message", .text(refusal.message)), ("offset", .null),
                    ("where", .text("")),
                ])
            ),
        ])
    }
}

/// Collects the reports about one request for its reply.
final class WorkerAnswer: Sendable {
    private struct Content {
        var record: [UInt8] = []
        var failure: String?
        var files: [(name: String, bytes: [UInt8])] = []
    }

    private let content = Mutex(Content())

    /// The reporter that collects them.
    var reporter: Reporter {
        Reporter { [self] message in
            content.withLock { content in
                switch message {
                case .output(let bytes): content.record += bytes
                case .failure(let text, _, _): content.failure = content.failure ?? text
                case .file(let path, let bytes): content.files.append((path.lastPathComponent, bytes))
                case .remark, .outcome, .written, .skipped, .passedOver, .closed, .publishing, .progress:
                    break
                }
            }
        }
    }

    /// Sends the reply. Output of an isolated process is not trusted: it is parsed, and encoded again.
    func send(for id: JSONValue, to replies: WorkerReplies) {
        let content = content.withLock(\.self)
        let record = try? JSONValue(parsing: content.record, limits: DecodingLimits())
        var errors = record?["errors"]?.elements ?? []
        if let error = record?["error"] { errors.append(error) }
        if errors.isEmpty, content.failure != nil || record == nil {
            let message = content.failure ?? "the result cannot be read"
            errors = [
                .object([
                    ("code", .text("unsuitable")), ("message", .text(message)), ("offset", .null),
                    ("where", .text("")),
                ])
            ]
        }
        let (status, error) = Self.worst(of: errors)
        var fields: [(String, JSONValue)] = [("id", id), ("status", .text(status))]
        if let error { fields.append(("error", error)) }
        if let record { fields.append(("result", record)) }
        if !content.files.isEmpty {
            let payloads = content.files.map { file in
                JSONValue.object([("name", .text(file.name)), ("bytes", .integer(file.bytes.count))])
            }
            fields.append(("payloads", .array(payloads)))
            fields.append(("bytes", .integer(content.files.reduce(0) { $0 + $1.bytes.count })))
        }
        replies.send(fields, payload: content.files.map(\.bytes))
    }

    /// The status of the worst error, by the order of exit statuses: failed, then a limit, then a missing plane.
    private static func worst(of errors: [JSONValue]) -> (status: String, error: JSONValue?) {
        func first(_ matches: (String?) -> Bool) -> JSONValue? {
            errors.first { matches($0["code"]?.text) }
        }
        if let error = first({ $0 != "no-plane" && $0 != "limit-exceeded" }) { return ("failed", error) }
        if let error = first({ $0 == "limit-exceeded" }) { return ("refused", error) }
        if let error = first({ $0 == "no-plane" }) { return ("no-plane", error) }
        return ("ok", nil)
    }
}
