internal import Synchronization

/// What bands found, in their order, whichever is ready first.
final class BandResults: Sendable {
    typealias Result = (disparity: [Float], confidence: [UInt8])
    private let results: Mutex<[Result?]>

    init(count: Int) { results = Mutex([Result?](repeating: nil, count: count)) }

    func set(_ index: Int, _ result: Result) { results.withLock { $0[index] = result } }

    var all: [Result] { results.withLock { $0.compactMap(\.self) } }
}
