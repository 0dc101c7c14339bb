internal import DepthCore
internal import Synchronization

/// A place for a piece of something, used again for later pieces: memory that is new to the process takes longer to get
/// than to fill.
private final class PiecePlace<Piece: Sendable>: Sendable {
    let piece: Mutex<Piece>

    init(_ empty: Piece) { piece = Mutex(empty) }
}

/// Makes `count` pieces on all cores, a few at a time, and hands them to `take` in order. What `take` throws ends the
/// work.
///
/// `make` finds an old piece in its place, or `empty`.
func makePieces<Piece: Sendable, Failure: Error>(
    _ count: Int, from empty: Piece, make: @Sendable (_ index: Int, _ piece: inout Piece) -> Void,
    take: (Piece) throws(Failure) -> Void
) throws(Failure) {
    let places = (0..<min(16, count)).map { _ in PiecePlace(empty) }
    for first in stride(from: 0, to: count, by: 16) {
        let places = places.prefix(count - first)
        forEachBand(of: places.count, minimum: 1) { band in
            for index in band { places[index].piece.withLock { make(first + index, &$0) } }
        }
        for place in places { try place.piece.withLock { (piece) throws(Failure) in try take(piece) } }
    }
}
