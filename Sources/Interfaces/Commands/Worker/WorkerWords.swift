internal import ArgumentParser
internal import Embedded
internal import Isobath

/// The options and the output of a request as flags, as on the command line. Each value is in the same word as its
/// flag, so that none is parsed as a flag.
struct WorkerWords {
    private(set) var words: [String] = []

    /// Throws for an option that the subcommand does not have, or whose value has the wrong type.
    init(_ verb: any Verb.Type, _ request: WorkerRequest) throws(WorkerRefusal) {
        let (list, options) = (FlagList.of(verb), request.options.filter { $0.0 != "limits" })
        var names: Set<String> = []
        for (name, value) in options {
            guard !Self.others.contains(name) else {
                throw request.refusal("'\(name)' is not an option of a request")
            }
            guard let flag = list[name] else { throw request.refusal(Self.unknown(name, request.verb, list)) }
            guard names.insert(name).inserted else { throw request.refusal("'\(name)' is given twice") }
            try add(value, of: flag, list, request)
        }
        guard request.verb == "info" else {
            words += try Self.output(of: request)
            return
        }
        guard request.output == nil else { throw request.refusal("info has no output") }
    }

    private mutating func add(
        _ value: JSONValue, of flag: FlagList.Flag, _ list: FlagList, _ request: WorkerRequest
    ) throws(WorkerRefusal) {
        switch value {
        case .null: break
        case .bool(let isOn) where !flag.takesValue:
            if let flag = isOn ? flag : list["no-" + flag.name] { words.append("--" + flag.name) }
        case _ where !flag.takesValue:
            throw request.refusal(value, of: flag.name, "it must be true or false")
        case .array(let elements) where flag.isRepeating:
            for element in elements { try add(element, of: flag, list, request) }
        default:
            guard let text = value.argument else { throw request.refusal(value, of: flag.name, flag.rule) }
            guard !text.utf8.contains(0) else {
                throw request.refusal("'\(flag.name)' contains a zero byte")
            }
            words.append("--\(flag.name)=\(text)")
        }
    }

    private static func unknown(_ name: String, _ verb: String, _ list: FlagList) -> String {
        if let advice = RemovedFlags.instead[name] { return "'\(name)' is gone; \(advice)" }
        let near = UsageMessage.nearest(to: name, among: list.flags.map(\.name))
        return "'\(name.prefix(100))' is not an option of \(verb)"
            + (near.map { "; did you mean '\($0)'?" } ?? "")
    }

    /// The flags for the field `output`.
    private static func output(of request: WorkerRequest) throws(WorkerRefusal) -> [String] {
        let hasAll = request.options.contains { $0 == "plane" && $1.text == "all" }
        switch request.output {
        case nil: return hasAll ? ["--output=./"] : ["--output=-"]
        case let folder? where folder.hasSuffix("/"):
            guard request.verb == "extract" else {
                throw request.refusal("only extract writes into a folder; 'output' names a file")
            }
            return ["--output=\(folder)"]
        // The name itself is added later.
        case let file?:
            return ["--output=output" + (file.pathExtension.isEmpty ? "" : ".\(file.pathExtension)")]
        }
    }

    /// The message about an error in the words, with options as the request spells them.
    static func message(about error: any Error, _ verb: any Verb.Type, _ request: WorkerRequest) -> String {
        let line = verb.message(for: error).split(separator: "\n").first.map(String.init) ?? ""
        let message = UsageMessage(verb).text(for: line, [])
        for (name, value) in request.options {
            for text in ([value] + value.elements).compactMap(\.argument) {
                let start = "--\(name) is '\(text)'; "
                guard message.hasPrefix(start) else { continue }
                return "'\(name)' is \(value.serialized.prefix(100)); " + message.dropFirst(start.count)
            }
        }
        return message
    }

    /// Flags about many inputs or about results; the worker or other fields of the request set these.
    private static let others: Set<String> = [
        "output", "json", "jobs", "threads", "limit", "files0-from", "recursive",
        "isolate", "quiet", "formats", "help", "version",
    ]
}

extension WorkerRequest {
    /// The error for a request that cannot be done.
    func refusal(_ message: String) -> WorkerRefusal { WorkerRefusal(id: id, message: message) }

    fileprivate func refusal(_ value: JSONValue, of name: String, _ rule: String) -> WorkerRefusal {
        refusal("'\(name)' is \(value.serialized.prefix(100)); \(rule)")
    }
}

extension JSONValue {
    /// Text, or the digits of a number; `nil` for other values.
    fileprivate var argument: String? {
        switch self {
        case .text(let text): text
        case .integer, .number: integer.map { "\($0)" } ?? serialized
        default: nil
        }
    }
}
