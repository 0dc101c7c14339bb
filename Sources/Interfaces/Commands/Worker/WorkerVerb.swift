internal import ArgumentParser
internal import Embedded
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
    associatedtype Requested: Job
    /// Its flags as a job.
    var job: Requested { get }
    /// Makes a job print a line of JSON for each input, and keep its outputs for the reply if `collects` is true.
    static func answer(_ job: inout Requested, collects: Bool)
}

extension RequestedCommand {
    /// The job of a request.
    fileprivate static func job(_ options: RequestOptions, outputs: [String: String], collects: Bool) throws
        -> any Job
    {
        var job = try options.decode(Self.self, outputs: outputs).job
        job.reading.given.names = options.given
        answer(&job, collects: collects)
        return job
    }
}

extension Info: RequestedCommand {
    fileprivate static func answer(_ job: inout InfoJob, collects: Bool) { job.json = true }
}

extension Extract: RequestedCommand {
    fileprivate static func answer(_ job: inout ExtractJob, collects: Bool) {
        job.json = true
        if collects { job.existing = .collected }
    }
}

extension Composite: RequestedCommand {
    fileprivate static func answer(_ job: inout CompositeJob, collects: Bool) {
        job.output.answers(collects: collects)
    }
}

extension Blur: RequestedCommand {
    fileprivate static func answer(_ job: inout BlurJob, collects: Bool) {
        job.output.answers(collects: collects)
    }
}

extension Cloud: RequestedCommand {
    fileprivate static func answer(_ job: inout CloudJob, collects: Bool) {
        job.json = true
        if collects { job.existing = .collected }
    }
}

extension PictureOutput {
    fileprivate mutating func answers(collects: Bool) {
        json = true
        if collects { existing = .collected }
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

/// The most recently used verbs with their options. The subcommand checks the flags, once for all requests with the
/// same options.
final class WorkerTasks: Sendable {
    private let limits: DecodingLimits
    private let isolation: ThreadUse?
    /// Sorted by last use, the latest at the end.
    private let recent = Mutex<[(key: String, task: WorkerTask)]>([])

    /// With `isolation`, each task has isolated processes, which share these threads.
    init(limits: DecodingLimits, isolation: ThreadUse?) {
        self.limits = limits
        self.isolation = isolation
    }

    /// Keep idle processes for a few tasks only.
    private var most: Int { isolation == nil ? 64 : 4 }

    /// The task of a request. Throws ``WorkerRefusal`` if the verb does not accept its options.
    func task(for request: WorkerRequest) throws(WorkerRefusal) -> WorkerTask {
        guard let verb = WorkerVerb(rawValue: request.verb) else {
            let verbs = WorkerVerb.allCases.map(\.rawValue).joined(separator: ", ")
            throw WorkerRefusal(id: request.id, message: "'verb' must be one of \(verbs)")
        }
        // The flag checks only look at the extension, and isolated processes are confined to its folder.
        let place = request.output.map { output in
            (isolation == nil ? "" : output.folderPath) + "\n" + output.pathExtension
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
        func refusal(_ message: String) -> WorkerRefusal { WorkerRefusal(id: request.id, message: message) }
        var job: any Job
        do {
            let options = try RequestOptions(request.options.filter { $0.0 != "limits" })
            job = try verb.command.job(
                options, outputs: try outputs(verb, request), collects: request.output == nil)
            job.limits = try limits(request)
        } catch {
            throw refusal("\(error)")
        }
        guard !job.otherFiles.contains("-") else { throw refusal("standard input carries the requests") }
        guard let isolation else { return WorkerTask(job: job, isolated: nil) }
        do {
            let confined = request.output.map(job.directed) ?? job
            return WorkerTask(
                job: job,
                isolated: try IsolatedProcessPool(
                    job: confined, originals: [], readsStandardInput: false, writesStandardOutput: false,
                    threads: isolation))
        } catch {
            throw WorkerRefusal(id: request.id, code: "unsuitable", message: "\(error)")
        }
    }

    /// The flags that the field `output` of a request sets.
    private func outputs(_ verb: WorkerVerb, _ request: WorkerRequest) throws -> [String: String] {
        if let name = request.options.map(\.0).first(where: Self.others.contains) {
            throw ValidationError("'\(name)' is not an option of a request")
        }
        guard verb != .info else {
            guard request.output == nil else { throw ValidationError("info has no output") }
            return [:]
        }
        let hasAll = request.options.contains { $0 == "plane" && $1.text == "all" }
        switch request.output {
        case nil: return hasAll ? ["output-directory": "."] : ["output": "-"]
        case let folder? where folder.hasSuffix("/"):
            guard verb == .extract else {
                throw ValidationError("only extract writes into a folder; 'output' names a file")
            }
            return ["output-directory": folder]
        // The name itself is added later.
        case let file?:
            return ["output": file.pathExtension.isEmpty ? "output" : "output.\(file.pathExtension)"]
        }
    }

    /// The worker's limits, overridden by the request's: the member `limits` of its options, an object of numbers by
    /// name.
    private func limits(_ request: WorkerRequest) throws -> DecodingLimits {
        var limits = limits
        for (_, value) in request.options.filter({ $0.0 == "limits" }) {
            guard case .object(let members) = value else {
                throw ValidationError("the option 'limits' must be an object of numbers")
            }
            for (name, value) in members {
                let limit = try GivenLimit(name: name, value: value.text ?? value.serialized)
                limits[limit.name] = limit.value
            }
        }
        return limits
    }

    /// Flags about many inputs or about results; the worker or other fields of the request set these.
    private static let others: Set<String> = [
        "output", "output-directory", "json", "jobs", "threads", "limit", "files0-from", "recursive",
        "isolate",
        "quiet", "formats",
    ]
}
