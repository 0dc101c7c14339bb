internal import Synchronization

/// A cache of bytes, limited in size: it evicts the least recently used entries.
final class PageCache: Sendable {
    private struct State {
        var kept: [String: (bytes: [UInt8], use: Int)] = [:]
        var byteCount = 0
        var uses = 0
    }

    private let mostBytes: Int
    private let state = Mutex(State())

    /// The memory of an entry besides its bytes.
    private static let overhead = 256

    /// An empty cache of at most `mostBytes` bytes.
    init(mostBytes: Int) { self.mostBytes = mostBytes }

    /// The bytes stored under a key.
    func bytes(_ key: String) -> [UInt8]? {
        state.withLock { state in
            state.uses += 1
            state.kept[key]?.use = state.uses
            return state.kept[key]?.bytes
        }
    }

    /// Stores bytes, unless they exceed a quarter of the cache.
    func keep(_ bytes: [UInt8], for key: String) {
        let size = bytes.count + Self.overhead
        guard size <= mostBytes / 4 else { return }
        state.withLock { state in
            if let old = state.kept[key] { state.byteCount -= old.bytes.count + Self.overhead }
            state.uses += 1
            state.kept[key] = (bytes, state.uses)
            state.byteCount += size
            guard state.byteCount > mostBytes else { return }
            // Evict down to three quarters, so that this is rare.
            for (key, entry) in state.kept.sorted(by: { $0.value.use < $1.value.use }) {
                guard state.byteCount > mostBytes / 4 * 3 else { return }
                state.kept[key] = nil
                state.byteCount -= entry.bytes.count + Self.overhead
            }
        }
    }
}
