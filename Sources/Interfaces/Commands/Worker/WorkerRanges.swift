internal import Dispatch
internal import Embedded
internal import Isobath
internal import Synchronization

/// The bytes of inputs that the client holds. Each `need` is a line to the client, and waits for its `have`.
final class WorkerRanges: Sendable {
    /// The reply to a `need`.
    typealias Answer = (bytes: [[UInt8]], size: Int?)

    private struct Waiting {
        var ranges: [Range<Int>]
        /// Whether the input may end before the ranges do.
        var mayEnd: Bool
        var arrival: DispatchSemaphore
        var answer: Result<Answer, ContainerError>?
    }

    private struct State {
        var waiting: [String: Waiting] = [:]
        /// Why no more bytes will arrive; `nil` while they may.
        var end: End?
    }

    /// Why no more bytes will arrive.
    enum End: String {
        case inputEnded = "standard input ended before the requested bytes arrived"
        case outOfStep = "an unreadable line arrived instead of the requested bytes"

        fileprivate var error: ContainerError { ContainerError(.unreadable(detail: rawValue)) }
    }

    private let state = Mutex(State())
    private let replies: WorkerReplies
    private let seconds: Int
    private let willWait: @Sendable () -> Void

    /// `willWait` is called whenever a thread begins to wait. The bytes of one input may take `seconds` in total.
    init(_ replies: WorkerReplies, seconds: Int, willWait: @escaping @Sendable () -> Void) {
        (self.replies, self.seconds, self.willWait) = (replies, seconds, willWait)
    }

    /// Whether a thread waits for bytes.
    var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// The source of a request's bytes. Requests the first ones if the size is not known.
    func source(id: JSONValue, size: Int?, limits: DecodingLimits) throws(ContainerError) -> CachingSource {
        let key = id.serialized
        let deadline = DispatchTime.now() + .seconds(min(seconds, 1_000_000))
        let fetch: CachingSource.Fetch = { [self] (ranges) throws(ContainerError) in
            try ask(key, id, ranges, mayEnd: false, until: deadline).bytes
        }
        if let size { return CachingSource(byteCount: size, limits: limits, fetch: fetch) }
        let answer = try ask(key, id, [0..<CachingSource.first], mayEnd: true, until: deadline)
        guard let size = answer.size, let start = answer.bytes.first,
            start.count == min(size, CachingSource.first)
        else {
            throw ContainerError(.unreadable(detail: "'size' is missing in the answer to the first 'need'"))
        }
        return CachingSource(byteCount: size, start: start, limits: limits, fetch: fetch)
    }

    private func ask(
        _ key: String, _ id: JSONValue, _ ranges: [Range<Int>], mayEnd: Bool, until deadline: DispatchTime
    ) throws(ContainerError) -> Answer {
        let arrival = DispatchSemaphore(value: 0)
        let end = state.withLock { state in
            if state.end == nil {
                state.waiting[key] = Waiting(ranges: ranges, mayEnd: mayEnd, arrival: arrival)
            }
            return state.end
        }
        if let end { throw end.error }
        willWait()
        let need = ranges.map { JSONValue.array([.integer($0.lowerBound), .integer($0.count)]) }
        replies.send([("id", id), ("need", .array(need))])
        let result = arrival.wait(timeout: deadline)
        let waiting = state.withLock { $0.waiting.removeValue(forKey: key) }
        guard result == .success, let answer = waiting?.answer else {
            throw ContainerError(
                .unreadable(detail: "no answer to 'need' within \(seconds) s"), at: ranges.first?.lowerBound)
        }
        return try answer.get()
    }

    /// How many bytes of an input a thread waits for; 0 without such a thread.
    func requestedBytes(_ id: JSONValue) -> Int {
        state.withLock { state in
            guard let waiting = state.waiting[id.serialized], waiting.answer == nil else { return 0 }
            return waiting.ranges.reduce(0) { $0 + $1.count }
        }
    }

    /// The error for bytes of ranges that were not requested.
    static let otherRanges = "'have' does not hold the ranges that 'need' lists"

    /// Delivers bytes to the thread that waits for them. Bytes that arrive too late are discarded.
    func deliver(_ have: WorkerHave, _ payload: [UInt8]) {
        state.withLock { state in
            guard var waiting = state.waiting[have.id.serialized], waiting.answer == nil else { return }
            waiting.answer = Self.answer(have, payload, waiting)
            state.waiting[have.id.serialized] = waiting
            waiting.arrival.signal()
        }
    }

    /// Fails the thread that waits for bytes; `false` if no thread waits.
    func fail(_ id: JSONValue, _ detail: String) -> Bool {
        state.withLock { state in
            guard var waiting = state.waiting[id.serialized], waiting.answer == nil else { return false }
            waiting.answer = .failure(
                ContainerError(.unreadable(detail: detail), at: waiting.ranges.first?.lowerBound))
            state.waiting[id.serialized] = waiting
            waiting.arrival.signal()
            return true
        }
    }

    private static func answer(
        _ have: WorkerHave, _ payload: [UInt8], _ waiting: Waiting
    ) -> Result<Answer, ContainerError> {
        func failure(_ detail: String) -> Result<Answer, ContainerError> {
            .failure(ContainerError(.unreadable(detail: detail), at: waiting.ranges.first?.lowerBound))
        }
        if let error = have.error { return failure(error) }
        let isSame =
            have.ranges == waiting.ranges
            || waiting.mayEnd && have.ranges.map(\.lowerBound) == waiting.ranges.map(\.lowerBound)
        guard isSame, have.ranges.reduce(0, { $0 + $1.count }) == payload.count else {
            return failure(otherRanges)
        }
        var place = 0
        let parts = have.ranges.map { range in
            defer { place += range.count }
            return Array(payload[place..<place + range.count])
        }
        return .success((parts, have.size))
    }

    /// Marks that nothing will be delivered any more.
    func end(_ end: End) {
        state.withLock { state in
            state.end = end
            for (key, var waiting) in state.waiting where waiting.answer == nil {
                waiting.answer = .failure(end.error)
                state.waiting[key] = waiting
                waiting.arrival.signal()
            }
        }
    }
}
