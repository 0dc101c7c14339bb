internal import Synchronization

/// Bytes of a remote source, such as an object store, where each fetch costs a round trip: fetched once, in few and large
/// blocks.
///
/// A read fetches at least ``block`` bytes, and more if reads are consecutive. Ranges of ``prefetch(_:)`` are fetched in one
/// request, and ranges with small gaps are merged. Everything fetched is cached for the lifetime of the source;
/// `limits[.inputBytes]` bounds it.
package final class CachingSource: ByteSource {
    /// Returns the bytes of some ranges, in order. Each range is inside the source and not empty.
    package typealias Fetch = @Sendable (_ ranges: [Range<Int>]) throws(ContainerError) -> [[UInt8]]

    private struct Piece {
        var start: Int
        var bytes: [UInt8]
        var end: Int { start + bytes.count }
    }

    private struct State {
        /// In order, disjoint.
        var pieces: [Piece] = []
        var fetchedBytes = 0
        /// The end of the last block that a read fetched, and its size.
        var lastEnd = 0
        var lastBlock = CachingSource.block
        var failure: ContainerError?
    }

    /// 48 KiB: most phone photos describe their contents in less.
    package static let first = 3 << 14
    /// The fewest bytes that a read fetches, if the source has as many.
    package static let block = 1 << 14
    /// The most that consecutive reads fetch at once.
    private static let largestBlock = 1 << 20
    /// Ranges with a gap of at most this are fetched as one: a request costs more than these bytes.
    private static let gap = 1 << 16

    /// The total number of bytes.
    package let byteCount: Int
    private let limits: DecodingLimits
    private let fetch: Fetch
    private let state: Mutex<State>

    /// A source of `byteCount` bytes; `start` are the first of them, if known already.
    package init(
        byteCount: Int, start: [UInt8] = [], limits: DecodingLimits = DecodingLimits(), fetch: @escaping Fetch
    ) {
        self.byteCount = byteCount
        self.limits = limits
        self.fetch = fetch
        var state = State()
        let known = Array(start.prefix(byteCount))
        if !known.isEmpty { state.pieces = [Piece(start: 0, bytes: known)] }
        self.state = Mutex(state)
    }

    /// Why bytes could not be fetched; nothing is fetched after a failure.
    package var failure: ContainerError? { state.withLock { $0.failure } }

    /// Returns the bytes of `range`, and fetches the bytes that are not cached.
    package func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        try check(range)
        guard !range.isEmpty else { return [] }
        return try state.withLock { (state) throws(ContainerError) in
            if let failure = state.failure { throw failure }
            if !missing(range, state).isEmpty {
                // Consecutive reads tend to continue, as in metadata spread over many segments: the gaps between them are
                // read later.
                let follows =
                    state.lastEnd > 0 && range.upperBound > state.lastEnd
                    && range.lowerBound <= state.lastEnd + Self.gap
                let start = follows ? min(range.lowerBound, state.lastEnd) : range.lowerBound
                state.lastBlock = follows ? min(state.lastBlock * 2, Self.largestBlock) : Self.block
                let end = min(max(range.upperBound, start + state.lastBlock), byteCount)
                state.lastEnd = end
                try load(missing(start..<end, state), &state)
            }
            return copy(range, state)
        }
    }

    /// Fetches the missing bytes of these ranges, in one request.
    package func prefetch(_ ranges: @autoclosure () -> [Range<Int>]) {
        let wanted = joined(ranges().map { $0.clamped(to: 0..<byteCount) }.filter { !$0.isEmpty })
        state.withLock { state in
            guard state.failure == nil else { return }
            let parts = wanted.flatMap { missing($0, state) }
            // Bytes beyond the limit are not prefetched: the read that needs them throws.
            guard !parts.isEmpty, state.fetchedBytes + count(parts) <= limits[.inputBytes] else { return }
            _ = try? load(parts, &state)
        }
    }

    private func count(_ ranges: [Range<Int>]) -> Int { ranges.reduce(0) { $0 + $1.count } }

    /// Ranges in order, with overlapping ones and those with small gaps merged.
    private func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound - last.upperBound <= Self.gap {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// The parts of a range that are not cached.
    private func missing(_ range: Range<Int>, _ state: State) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var place = range.lowerBound
        for piece in state.pieces where piece.end > place && piece.start < range.upperBound {
            if piece.start > place { parts.append(place..<piece.start) }
            place = piece.end
        }
        if place < range.upperBound { parts.append(place..<range.upperBound) }
        return parts
    }

    /// Fetches missing parts, including small gaps between them.
    private func load(_ missing: [Range<Int>], _ state: inout State) throws(ContainerError) {
        do throws(ContainerError) {
            let parts = joined(missing)
            state.fetchedBytes += count(parts)
            try limits.check(.inputBytes, state.fetchedBytes, at: missing.first?.lowerBound)
            let fetched = try fetch(parts)
            guard fetched.map(\.count) == parts.map(\.count) else {
                let (wanted, got) = (parts.reduce(0) { $0 + $1.count }, fetched.reduce(0) { $0 + $1.count })
                throw ContainerError(
                    .unreadable(
                        detail: "\(wanted) bytes in \(parts.count) ranges were requested, "
                            + "\(got) in \(fetched.count) came back"),
                    at: parts.first?.lowerBound)
            }
            for range in missing {
                for (part, bytes) in zip(parts, fetched) where part.overlaps(range) {
                    let inside = range.lowerBound - part.lowerBound..<range.upperBound - part.lowerBound
                    state.pieces.append(Piece(start: range.lowerBound, bytes: Array(bytes[inside])))
                }
            }
            state.pieces.sort { $0.start < $1.start }
        } catch {
            state.failure = error
            throw error
        }
    }

    /// The bytes of a range that is completely cached.
    private func copy(_ range: Range<Int>, _ state: State) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for piece in state.pieces where piece.end > range.lowerBound && piece.start < range.upperBound {
            let part = max(range.lowerBound, piece.start)..<min(range.upperBound, piece.end)
            bytes += piece.bytes[part.lowerBound - piece.start..<part.upperBound - piece.start]
        }
        return bytes
    }
}
