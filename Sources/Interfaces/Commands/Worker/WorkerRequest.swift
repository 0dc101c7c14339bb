internal import Embedded
internal import Isobath

/// A line that a worker reads; see the article Formats.
enum WorkerLine {
    /// A task.
    case request(WorkerRequest)
    /// Bytes for a `need`.
    case have(WorkerHave)
}

/// A task for one input.
struct WorkerRequest: Sendable {
    /// Where to find the input's bytes.
    enum Content: Sendable {
        /// In the file at this path.
        case file
        /// After the line, this many bytes.
        case payload(Int)
        /// With the client, which sends ranges of them on demand; `nil` if it does not know the size.
        case ranged(Int?)
    }

    /// Copied to the reply: text, an integer or `null`.
    var id: JSONValue
    /// A subcommand.
    var verb: String
    /// A path, or the name of an input without one.
    var path: String
    var content: Content
    /// The subcommand's flags, without dashes.
    var options: [(String, JSONValue)]
    /// The path of the output; `nil` to include it in the reply.
    var output: String?
}

/// The answer to `need`.
struct WorkerHave: Sendable {
    var id: JSONValue
    var ranges: [Range<Int>]
    /// How many bytes follow the line.
    var payload: Int
    /// The size of the input in bytes, if given.
    var size: Int?
    /// The reason for missing bytes.
    var error: String?
}

/// The error for a line that violates the protocol.
struct WorkerRefusal: Error {
    var id = JSONValue.null
    var code = "bad-request"
    var message: String
    /// How many bytes after the line belong to it; `nil` if uncertain, so that the rest cannot be read.
    var payload: Int? = 0
    /// Whether the line is an answer to `need` rather than a request.
    var isAnswer = false
}

extension WorkerRefusal {
    /// The last reply of a worker that cannot find the next line: bytes of a photo could be parsed as requests.
    static func outOfStep(_ reason: String, id: JSONValue = .null) -> WorkerRefusal {
        WorkerRefusal(
            id: id, code: "out-of-step",
            message:
                "\(reason); bytes that follow cannot be told from requests, so the worker ends: start another, and repeat requests without a reply",
            payload: nil)
    }
}

extension WorkerLine {
    /// The longest line, in bytes.
    static let longest = 1 << 20

    /// Parses a line. Throws ``WorkerRefusal`` if it violates the protocol.
    init(parsing line: [UInt8]) throws(WorkerRefusal) {
        let (value, isRepaired): (JSONValue, Bool)
        do throws(ContainerError) {
            (value, isRepaired) = try JSONValue.read(line, limits: DecodingLimits())
        } catch {
            throw .outOfStep("the line is not a JSON object: \(error)")
        }
        guard case .object(let fields) = value else {
            throw .outOfStep("the line is not a JSON object")
        }
        var reader = WorkerFields(fields)
        reader.isAnswer = fields.contains { $0.0 == "have" || $0.0 == "error" }
        // Check this first: if the next line cannot be found, no other error lets the worker continue.
        guard reader.payload != nil else {
            // A request that waits for this answer gets a separate reply.
            let id = reader.isAnswer ? nil : try? reader.readID()
            throw .outOfStep("'bytes' must be one whole number, 0 or more", id: id ?? .null)
        }
        reader.id = try reader.readID()
        guard !isRepaired else {
            throw reader.refusal(
                "the line has bytes that are not UTF-8, so a file name in it would be read wrongly; write each such byte as the character U+10FF00 + byte"
            )
        }
        if reader.isAnswer {
            self = .have(try WorkerHave(&reader))
        } else {
            self = .request(try WorkerRequest(&reader))
        }
        try reader.checkNothingIsLeft()
    }
}

/// The fields of a line, each read at most once.
private struct WorkerFields {
    private var fields: [(String, JSONValue)]
    var id = JSONValue.null
    /// How many bytes follow the line; `nil` if uncertain.
    let payload: Int?
    var isAnswer = false

    init(_ fields: [(String, JSONValue)]) {
        self.fields = fields
        let counts = fields.filter { $0.0 == "bytes" }.map(\.1)
        payload =
            switch counts.first {
            case nil: 0
            case .null? where counts.count == 1: 0
            case let count? where counts.count == 1: count.integer.flatMap { $0 >= 0 ? $0 : nil }
            default: nil
            }
    }

    func refusal(_ message: String) -> WorkerRefusal {
        WorkerRefusal(id: id, message: message, payload: payload, isAnswer: isAnswer)
    }

    /// A field; `null` is treated as missing.
    mutating func take(_ name: String) throws(WorkerRefusal) -> JSONValue? {
        let values = fields.filter { $0.0 == name }.map(\.1)
        fields.removeAll { $0.0 == name }
        guard values.count < 2 else { throw refusal("'\(name)' is given twice") }
        if case .null? = values.first { return nil }
        return values.first
    }

    mutating func readID() throws(WorkerRefusal) -> JSONValue {
        switch try take("id") {
        case nil: return .null
        case .text(let text)? where text.utf8.count <= 1024: return .text(text)
        case .integer(let number)?: return .integer(number)
        default: throw refusal("'id' must be text of at most 1024 bytes, a whole number or null")
        }
    }

    mutating func text(_ name: String) throws(WorkerRefusal) -> String? {
        guard let value = try take(name) else { return nil }
        guard let text = value.text else { throw refusal("'\(name)' must be text") }
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw refusal("'\(name)' is empty or contains a zero byte")
        }
        return text
    }

    mutating func count(_ name: String) throws(WorkerRefusal) -> Int? {
        guard let value = try take(name) else { return nil }
        guard let count = value.integer, count >= 0 else {
            throw refusal("'\(name)' must be a whole number, 0 or more")
        }
        return count
    }

    func checkNothingIsLeft() throws(WorkerRefusal) {
        guard let (name, _) = fields.first else { return }
        throw refusal("'\(name.prefix(100))' is not a field of this line")
    }
}

extension WorkerRequest {
    fileprivate init(_ fields: inout WorkerFields) throws(WorkerRefusal) {
        id = fields.id
        guard let verb = try fields.text("verb") else { throw fields.refusal("'verb' is missing") }
        self.verb = verb
        let (path, name) = (try fields.text("path"), try fields.text("name"))
        let (payload, source) = (try fields.count("bytes"), try fields.text("source"))
        let size = try fields.count("size")
        guard source == nil || source == "ranged" else {
            throw fields.refusal("'source' must be 'ranged'")
        }
        switch (path, payload, source) {
        case (let path?, nil, nil) where name == nil && size == nil:
            guard path != "-" else { throw fields.refusal("standard input carries the requests") }
            (self.path, content) = (path, .file)
        case (nil, let payload?, nil) where size == nil:
            (self.path, content) = (name ?? "input", .payload(payload))
        case (nil, nil, .some):
            if case .null = id { throw fields.refusal("a ranged request needs an 'id'") }
            (self.path, content) = (name ?? "input", .ranged(size))
        default:
            throw fields.refusal(
                "a request has either 'path', or 'bytes', or 'source' with 'size' where it is known; 'name' goes with the last two"
            )
        }
        guard self.path != "-" else { throw fields.refusal("'name' is '-'; give the name of a file") }
        switch try fields.take("options") {
        case nil: options = []
        case .object(let given)?: options = given
        default: throw fields.refusal("'options' must be an object")
        }
        let output = try fields.text("output")
        guard output != "-" else { throw fields.refusal("'output' must be a path or 'inline'") }
        self.output = output == "inline" ? nil : output
    }
}

extension WorkerHave {
    fileprivate init(_ fields: inout WorkerFields) throws(WorkerRefusal) {
        id = fields.id
        (payload, size) = (try fields.count("bytes") ?? 0, try fields.count("size"))
        // In many languages, an exception without a message becomes an empty text.
        error = try fields.take("error").map { reason in
            reason.text.flatMap { $0.isEmpty ? nil : $0 } ?? "no reason is given"
        }
        ranges = []
        for pair in try fields.take("have")?.elements ?? [] {
            let numbers = pair.elements.compactMap(\.integer)
            guard numbers.count == 2, numbers[0] >= 0, numbers[1] >= 0,
                case let (end, overflow) = numbers[0].addingReportingOverflow(numbers[1]), !overflow
            else { throw fields.refusal("'have' must be a list of [offset, length]") }
            ranges.append(numbers[0]..<end)
        }
    }
}
