internal import DepthMaps
internal import Synchronization

/// Makes `count` pieces on all cores, a few at a time, and passes them to `take` in order, while the next few are made. An
/// error of `take` ends the work.
///
/// `make` gets an old piece to reuse, or `empty`.
func makePieces<Piece: Sendable, Failure: Error>(
    _ count: Int, from empty: Piece, make: @Sendable (_ index: Int, _ piece: inout Piece) -> Void,
    take: (Piece) throws(Failure) -> Void
) throws(Failure) {
    let size = 8
    // Memory of pieces is reused: getting new memory from the system takes longer than filling it.
    let places = (0..<min(2 * size, count)).map { _ in MutexBox(empty) }
    let failure = Mutex<Failure?>(nil)
    withoutActuallyEscaping(take) { take in
        // SAFETY: only one thread at a time takes a piece, and the rounds are sequential.
        nonisolated(unsafe) let take = take
        for first in stride(from: 0, to: count + size, by: size) where failure.withLock({ $0 == nil }) {
            let made = first..<max(first, min(first + size, count))
            let taken = max(0, first - size)..<min(first, count)
            parallelFor(count: made.count + 1, minimum: 1) { band in
                for index in band {
                    if index > 0 {
                        let piece = made.lowerBound + index - 1
                        places[piece % places.count].content.withLock { make(piece, &$0) }
                        continue
                    }
                    do throws(Failure) {
                        for piece in taken {
                            try places[piece % places.count].content.withLock { (piece) throws(Failure) in
                                try unsafe take(piece)
                            }
                        }
                    } catch {
                        failure.withLock { $0 = error }
                    }
                }
            }
        }
    }
    if let failure = failure.withLock(\.self) { throw failure }
}
