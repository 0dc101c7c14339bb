internal import Synchronization

/// The results of bands, in order, whichever is ready first.
final class BandResults: Sendable {
    private let results: Mutex<[MatchedRows?]>

    init(count: Int) { results = Mutex([MatchedRows?](repeating: nil, count: count)) }

    func set(_ index: Int, _ rows: MatchedRows) { results.withLock { $0[index] = rows } }

    var all: [MatchedRows] { results.withLock { $0.compactMap(\.self) } }
}
