internal import ArgumentParser
internal import Embedded
internal import Isobath
internal import Synchronization

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
    private static let verbs: [any Verb.Type] = [
        Info.self, Extract.self, Composite.self, Blur.self, Cloud.self,
    ]
    /// The names of subcommands that requests may name.
    static let names = verbs.map { $0.name }

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
        guard let verb = Self.verbs.first(where: { $0.name == request.verb }) else {
            throw request.refusal("'verb' must be one of \(Self.names.joined(separator: ", "))")
        }
        // The flag checks only look at the extension, and isolated processes are confined to its folder.
        let place = request.output.map { output in
            (isolation == nil ? "" : output.folderPath) + "\n" + output.pathExtension
                + (output.hasSuffix("/") ? "\n" + output : "")
        }
        let key = "\(request.verb)\n\(JSONValue.object(request.options).serialized)\n\(place ?? "-")"
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

    private func make(
        _ verb: any Verb.Type, _ request: WorkerRequest
    ) throws(WorkerRefusal) -> WorkerTask {
        let arguments = VerbArguments(
            verb: verb, words: try WorkerWords(verb, request).words + limits(request) + ["--", "input"],
            reply: request.output == nil ? .outputs : .record)
        let job: any Job
        do {
            job = try arguments.job()
        } catch {
            throw request.refusal(WorkerWords.message(about: error, verb, request))
        }
        guard !job.otherFiles.contains("-") else {
            throw request.refusal("standard input carries the requests")
        }
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

    /// The worker's limits, overridden by the request's, as flags: the member `limits` of its options is an object of
    /// numbers by name.
    private func limits(_ request: WorkerRequest) throws(WorkerRefusal) -> [String] {
        var limits = limits
        for (_, value) in request.options.filter({ $0.0 == "limits" }) {
            guard case .object(let members) = value else {
                throw request.refusal("the option 'limits' must be an object of numbers")
            }
            for (name, value) in members {
                do {
                    let limit = try GivenLimit(name: name, value: value.text ?? value.serialized)
                    limits[limit.name] = limit.value
                } catch {
                    throw request.refusal("\(error)")
                }
            }
        }
        return DecodingLimits.Name.allCases.filter { limits[$0] != $0.defaultValue }
            .map { "--limit=\($0.rawValue)=\(limits[$0])" }
    }
}
