internal import ArgumentParser
internal import EmbeddedFormats
internal import Isobath
internal import Synchronization

/// The verbs of a worker: the subcommands that run one job on each input.
enum WorkerVerb: String, CaseIterable, Sendable {
    case info, extract, composite, blur, cloud

    /// The subcommand.
    fileprivate var command: any RequestedCommand.Type {
        switch self {
        case .info: Info.self
        case .extract: Extract.self
        case .composite: Composite.self
        case .blur: Blur.self
        case .cloud: Cloud.self
        }
    }
}

/// A subcommand that requests can name.
private protocol RequestedCommand: ParsableCommand {
    /// The job that its flags describe, with a line of JSON for each input. Set `collects` if outputs go into replies.
    func requestedJob(collects: Bool) -> any Job
}

extension Info: RequestedCommand {
    fileprivate func requestedJob(collects: Bool) -> any Job {
        var job = job
        job.json = true
        return job
    }
}

extension Extract: RequestedCommand {
    fileprivate func requestedJob(collects: Bool) -> any Job {
        var job = job
        job.json = true
        if collects { job.existing = .collected }
        return job
    }
}

extension Composite: RequestedCommand {
    fileprivate func requestedJob(collects: Bool) -> any Job {
        var job = job
        job.output.json = true
        if collects { job.output.existing = .collected }
        return job
    }
}

extension Blur: RequestedCommand {
    fileprivate func requestedJob(collects: Bool) -> any Job {
        var job = job
        job.output.json = true
        if collects { job.output.existing = .collected }
        return job
    }
}

extension Cloud: RequestedCommand {
    fileprivate func requestedJob(collects: Bool) -> any Job {
        var job = job
        job.json = true
        if collects { job.existing = .collected }
        return job
    }
}

/// A verb with its options, ready to process any input.
final class WorkerTask: Sendable {
    /// The job, without the output path of a request.
    let job: any Job
    /// The processes that run it; `nil` to run it in this one.
    let isolated: IsolatedProcessPool?

    fileprivate init(job: any Job, isolated: IsolatedProcessPool?) {
        self.job = job
        self.isolated = isolated
    }
}

/// The most recently used verbs with their options. The subcommand itself parses and checks the flags, once for all
/// requests with the same options.
final class WorkerTasks: Sendable {
    private let limits: DecodingLimits
    private let recycle: Int?
    /// Sorted by last use, the latest at the end.
    private let recent = Mutex<[(key: String, task: WorkerTask)]>([])

    /// With `recycle`, each task has isolated processes, which are replaced after that many inputs.
    init(limits: DecodingLimits, recycle: Int?) {
        self.limits = limits
        self.recycle = recycle
    }

    /// Keep idle processes for a few tasks only.
    private var most: Int { recycle == nil ? 64 : 4 }

    /// The task of a request. Throws ``WorkerRefusal`` if the verb does not accept its options.
    func task(for request: WorkerRequest) throws(WorkerRefusal) -> WorkerTask {
        guard let verb = WorkerVerb(rawValue: request.verb) else {
            let verbs = WorkerVerb.allCases.map(\.rawValue).joined(separator: ", ")
            throw WorkerRefusal(id: request.id, message: "'verb' must be one of \(verbs)")
        }
        // The flag checks only look at the extension, and isolated processes are confined to its folder.
        let place = request.output.map { output in
            (recycle == nil ? "" : output.folderPath) + "\n" + output.pathExtension
                + (output.hasSuffix("/") ? "\n" + output : "")
        }
        let key = "\(verb)\n\(JSONValue.object(request.options).serialized)\n\(place ?? "-")"
        return try recent.withLock { (recent) throws(WorkerRefusal) in
            if let index = recent.lastIndex(where: { $0.key == key }) {
                if index != recent.count - 1 { recent.append(recent.remove(at: index)) }
                return recent[recent.count - 1].task
            }
            let task = try make(verb, request)
            if recent.count == most { recent.removeFirst() }
            recent.append((key, task))
            return task
        }
    }

    /// Ends the processes of idle tasks.
    func dismiss() { recent.withLock { $0 = [] } }

    private func make(_ verb: WorkerVerb, _ request: WorkerRequest) throws(WorkerRefusal) -> WorkerTask {
        let arguments = try arguments(verb, request)
        func refusal(_ message: String) -> WorkerRefusal { WorkerRefusal(id: request.id, message: message) }
        let job: any Job
        do {
            job = try verb.command.parse(arguments).requestedJob(collects: request.output == nil)
        } catch {
            throw refusal(verb.command.message(for: error))
        }
        guard !job.otherFiles.contains("-") else { throw refusal("standard input carries the requests") }
        guard let recycle else { return WorkerTask(job: job, isolated: nil) }
        do {
            let confined = request.output.map(job.directed) ?? job
            return WorkerTask(
                job: job,
                isolated: try IsolatedProcessPool(
                    job: confined, originals: [], readsStandardInput: false, writesStandardOutput: false,
                    mostInputs: recycle))
        } catch {
            throw WorkerRefusal(id: request.id, code: "unsuitable", message: "\(error)")
        }
    }

    /// The request as flags of its subcommand.
    private func arguments(_ verb: WorkerVerb, _ request: WorkerRequest) throws(WorkerRefusal) -> [String] {
        var arguments = try limitFlags(request)
        var hasAll = false
        for (name, value) in request.options where name != "limits" {
            guard !name.isEmpty, !name.hasPrefix("-"),
                name.utf8.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }),
                !Self.others.contains(name)
            else {
                throw WorkerRefusal(
                    id: request.id, message: "'\(name.prefix(100))' is not an option of a request")
            }
            switch value {
            case .bool(true): arguments.append("--\(name)")
            case .bool(false), .null: break
            case .text(let text): arguments.append("--\(name)=\(text)")
            case .integer(let number): arguments.append("--\(name)=\(number)")
            case .number(let number): arguments.append("--\(name)=\(number)")
            case .array, .object:
                throw WorkerRefusal(
                    id: request.id, message: "the option '\(name)' must be text, a number, true or false")
            }
            hasAll = hasAll || name == "plane" && value.text == "all"
        }
        if verb != .info {
            let target: [String] =
                switch request.output {
                case nil: hasAll ? ["--output-directory", "."] : ["-o", "-"]
                case let folder? where folder.hasSuffix("/"): ["--output-directory", folder]
                // The name itself is added later.
                case let file?:
                    ["-o", file.pathExtension.isEmpty ? "output" : "output.\(file.pathExtension)"]
                }
            arguments += target
        } else if request.output != nil {
            throw WorkerRefusal(id: request.id, message: "info has no output")
        }
        if let folder = request.output, folder.hasSuffix("/"), verb != .extract {
            throw WorkerRefusal(
                id: request.id, message: "only extract writes into a folder; 'output' names a file")
        }
        return arguments + ["--", "input"]
    }

    /// The worker's limits, overridden by the request's: the member `limits` of its options, an object of numbers by
    /// name.
    private func limitFlags(_ request: WorkerRequest) throws(WorkerRefusal) -> [String] {
        var flags = DecodingLimits.Name.allCases.reduce(into: [String: String]()) { flags, name in
            if limits[name] != name.defaultValue { flags[name.rawValue] = "\(limits[name])" }
        }
        for (_, value) in request.options.filter({ $0.0 == "limits" }) {
            guard case .object(let members) = value else {
                throw WorkerRefusal(
                    id: request.id, message: "the option 'limits' must be an object of numbers")
            }
            for (name, limit) in members { flags[name] = limit.serialized }
        }
        return flags.sorted { $0.key < $1.key }.map { "--limit=\($0.key)=\($0.value)" }
    }

    /// Flags about many inputs or about results; the worker or other fields of the request set these.
    private static let others: Set<String> = [
        "output", "output-directory", "json", "jobs", "limit", "files0-from", "recursive", "isolate", "quiet",
        "help",
        "help-hidden", "version", "flat", "tar-input", "tar-output",
    ]
}
