internal import DepthMaps
internal import Dispatch
internal import Embedded
internal import Isobath
internal import Scenes
internal import Synchronization

/// A worker: one thread reads requests, others process them, and each request gets one reply.
final class WorkerRun: Sendable {
    /// The settings of a worker.
    struct Settings: Sendable {
        /// How many requests are processed at once.
        var jobs: Int
        var limits: DecodingLimits
        var isIsolated: Bool
        /// The number that `--threads` sets.
        var threads: Int?

        /// How many requests are accepted before the first of them is answered.
        var window: Int { jobs * 2 }
    }

    private struct Item: Sendable {
        var request: WorkerRequest
        var payload: [UInt8]
    }

    private struct State {
        var queue: [Item] = []
        /// The ids of unanswered requests.
        var ids: Set<String> = []
        /// The number of unanswered requests.
        var unanswered = 0
        /// The bytes of inputs of unanswered requests.
        var heldBytes = 0
        var isEnded = false
    }

    /// The most requests that are accepted while answers to `need` may follow them.
    private static let most = 4096

    private let settings: Settings
    private let replies = WorkerReplies(1)
    private let tasks: WorkerTasks
    private let ranges: WorkerRanges
    private let state = Mutex(State())
    /// How many requests are being processed.
    private let working = Atomic(0)
    /// Signalled for each request that is queued.
    private let ready = DispatchSemaphore(value: 0)
    /// The event that the reader waits for before it continues.
    private let change: Change

    init(_ settings: Settings) {
        self.settings = settings
        let change = Change()
        self.change = change
        tasks = WorkerTasks(
            limits: settings.limits,
            isolation: settings.isIsolated
                ? ThreadUse(most: settings.threads, inputs: settings.jobs) : nil)
        ranges = WorkerRanges(replies, seconds: settings.limits[.seconds]) { change.happened() }
    }

    /// Works until standard input ends or cannot be parsed, or the process is asked to end. Returns whether every
    /// request was answered.
    func run() -> Bool {
        replies.greet(
            jobs: settings.jobs, window: settings.window, isolates: settings.isIsolated,
            limits: settings.limits)
        let group = DispatchGroup()
        // A thread for each: they may spend most of their time waiting for bytes.
        let threads = (0..<settings.jobs).count { _ in
            group.enter()
            let isStarted = inBackground { [self] in
                work()
                group.leave()
            }
            if !isStarted { group.leave() }
            return isStarted
        }
        guard threads > 0 else {
            Console.printError("no thread can be started", of: nil)
            return false
        }
        let isInStep = read()
        ranges.end(isInStep ? .inputEnded : .outOfStep)
        state.withLock { $0.isEnded = true }
        for _ in 0..<settings.jobs { ready.signal() }
        group.wait()
        tasks.dismiss()
        return isInStep && !replies.isClosed
    }

    // MARK: Reading

    /// Reads to the end of the input; `false` if it stopped early because it cannot find the next line.
    private func read() -> Bool {
        let (replies, ranges) = (replies, ranges)
        let stream = InputStream(0) {
            // Still read bytes for requests in progress.
            replies.isClosed || Interruption.isRequested && !ranges.isWaiting
        }
        while waitForRoom(), let line = stream.line(longest: WorkerLine.longest) {
            guard case .complete(let bytes) = line else {
                replies.refuse(.outOfStep("the line is longer than \(WorkerLine.longest) bytes"))
                return false
            }
            do throws(WorkerRefusal) {
                switch try WorkerLine(parsing: bytes) {
                case .have(let have):
                    guard have.payload <= settings.limits[.inputBytes] else {
                        stream.skip(have.payload)
                        _ = ranges.fail(have.id, excess(of: have.payload))
                        continue
                    }
                    // Nobody waits for more, so it is dropped.
                    guard have.payload <= ranges.requestedBytes(have.id) else {
                        stream.skip(have.payload)
                        _ = ranges.fail(have.id, WorkerRanges.otherRanges)
                        continue
                    }
                    ranges.deliver(have, stream.bytes(have.payload))
                case .request(let request): try take(request, stream)
                }
            } catch {
                guard let payload = error.payload else {
                    replies.refuse(error)
                    return false
                }
                stream.skip(payload)
                // A request has one reply: if it waits for this answer, it fails with this error.
                if !error.isAnswer || !ranges.fail(error.id, error.message) { replies.refuse(error) }
            }
        }
        return true
    }

    /// Waits while the window is full of unanswered requests, unless an answer to `need` may be next.
    private func waitForRoom() -> Bool {
        change.wait { [self] in
            replies.isClosed || state.withLock { $0.unanswered } < settings.window || ranges.isWaiting
        }
        return !replies.isClosed
    }

    private func excess(of byteCount: Int) -> String {
        let limit = settings.limits[.inputBytes]
        return "\(byteCount) bytes of input exceed the limit of \(limit); raise it with --limit input-bytes=N"
    }

    /// Waits until the bytes of a request can be held in addition to the bytes of unanswered requests: together they may have as
    /// many as one input. Returns `false` if they would be too many while an answer to `need` may follow.
    private func reserve(_ count: Int) -> Bool {
        let most = settings.limits[.inputBytes]
        let tryToReserve = { [self] in
            state.withLock { state in
                guard count == 0 || state.heldBytes == 0 || count <= most - state.heldBytes else {
                    return false
                }
                state.heldBytes += count
                return true
            }
        }
        var isReserved = false
        change.wait { [self] in
            isReserved = tryToReserve()
            return isReserved || ranges.isWaiting || replies.isClosed
        }
        return isReserved
    }

    /// Queues a request.
    private func take(_ request: WorkerRequest, _ stream: InputStream) throws(WorkerRefusal) {
        let key: String? = if case .null = request.id { nil } else { request.id.serialized }
        var count = 0
        if case .payload(let bytes) = request.content { count = bytes }
        func refusal(_ code: String, _ message: String) -> WorkerRefusal {
            WorkerRefusal(id: request.id, code: code, message: message, payload: count)
        }
        guard count <= settings.limits[.inputBytes] else {
            throw refusal("limit-exceeded", excess(of: count))
        }
        let (isKnown, isFull) = state.withLock { state in
            (key.map { state.ids.contains($0) } ?? false, state.unanswered >= Self.most)
        }
        guard !isKnown else {
            throw refusal("bad-request", "a request with this 'id' has no reply yet")
        }
        guard !isFull else {
            throw refusal("busy", "\(Self.most) requests have no reply yet; 'window' says how many to send")
        }
        guard reserve(count) else {
            throw refusal(
                "busy",
                "the bytes of requests without a reply would exceed \(settings.limits[.inputBytes]); send this one again after a reply, or raise it with --limit input-bytes=N"
            )
        }
        let payload = stream.bytes(count)
        guard payload.count == count else {
            throw WorkerRefusal(
                id: request.id, code: "truncated",
                message: "the line declares \(count) bytes, \(payload.count) follow")
        }
        state.withLock { state in
            state.queue.append(Item(request: request, payload: payload))
            state.unanswered += 1
            if let key { state.ids.insert(key) }
        }
        ready.signal()
    }

    // MARK: Working

    private func work() {
        while true {
            ready.wait()
            let item = state.withLock { $0.queue.isEmpty ? nil : $0.queue.removeFirst() }
            guard let item else { return }
            if !replies.isClosed { reply(to: item) }
            state.withLock { state in
                state.unanswered -= 1
                state.heldBytes -= item.payload.count
            }
            change.happened()
        }
    }

    private func reply(to item: Item) {
        let id = item.request.id
        let result: Result<WorkerAnswer, WorkerRefusal>
        do throws(WorkerRefusal) {
            guard !Interruption.isRequested else {
                throw WorkerRefusal(id: id, code: "ending", message: "the worker was asked to end")
            }
            result = .success(try perform(item))
        } catch {
            result = .failure(error)
        }
        // The id may be reused as soon as its reply is read.
        state.withLock { _ = $0.ids.remove(id.serialized) }
        switch result {
        case .success(let answer): answer.send(for: id, to: replies)
        case .failure(let refusal): replies.refuse(refusal)
        }
    }

    /// Processes a request.
    private func perform(_ item: Item) throws(WorkerRefusal) -> WorkerAnswer {
        let request = item.request
        let task = try tasks.task(for: request)
        let answer = WorkerAnswer()
        let reporter = answer.reporter
        var input = Input(path: request.path)
        input.output = request.output
        do {
            switch request.content {
            case .file: break
            case .payload: input.source = MemorySource(item.payload)
            case .ranged(let size):
                input.source = try ranges.source(id: request.id, size: size, limits: task.job.limits)
            }
            if let isolated = task.isolated {
                try isolated.work(on: input, reporter)
            } else {
                let count = working.wrappingAdd(1, ordering: .relaxed).newValue
                defer { working.wrappingSubtract(1, ordering: .relaxed) }
                ThreadUse(most: settings.threads, inputs: count).run {
                    withShareOfCores(ofEachOf: count) {
                        task.job.performReporting(on: input, keeping: [], reporter)
                    }
                }
            }
        } catch {
            task.job.reportAlone(error, on: input, reporter)
        }
        return answer
    }
}

/// Lets one thread wait for changes by others.
private final class Change: Sendable {
    private let isAwaited = Mutex(false)
    private let semaphore = DispatchSemaphore(value: 0)

    /// Waits until a condition holds. Checks it again after each ``happened()``.
    func wait(until condition: () -> Bool) {
        while true {
            isAwaited.withLock { $0 = true }
            if condition() { break }
            semaphore.wait()
        }
        // Clear the signal, so that it does not end the next wait.
        let isSignalled = isAwaited.withLock { isAwaited in
            defer { isAwaited = false }
            return !isAwaited
        }
        if isSignalled { semaphore.wait() }
    }

    /// Reports that the condition may hold now.
    func happened() {
        let wasAwaited = isAwaited.withLock { isAwaited in
            defer { isAwaited = false }
            return isAwaited
        }
        if wasAwaited { semaphore.signal() }
    }
}
