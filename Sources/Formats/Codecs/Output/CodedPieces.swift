internal import CCodecShims
internal import DepthMaps
internal import Glibc
internal import Synchronization

/// Codes the rows of an image in pieces, on all cores, and calls `body` with the pieces in order.
///
/// The division into pieces does not depend on the number of cores, so files do not either. Returns the code of a piece that
/// failed, or the result of `body`; `errno` is set for `ISOBATH_IO`.
func withCodedPieces(
    height: Int, rowsOfPiece: Int,
    _ code:
        @Sendable (_ rows: Range<Int>, _ piece: UnsafeMutablePointer<isobath_piece>) -> Int32,
    _ body: (UnsafeBufferPointer<isobath_piece>) -> Int32
) -> Int32 {
    let count = (height + rowsOfPiece - 1) / rowsOfPiece
    var pieces = unsafe [isobath_piece](repeating: isobath_piece(), count: count)
    return unsafe pieces.withUnsafeMutableBufferPointer { pieces in
        nonisolated(unsafe) let pieces = unsafe pieces
        defer { for index in 0..<count { unsafe free(pieces[index].coded) } }
        // SAFETY: each piece is written by one thread.
        let failure = Atomic(Int32(ISOBATH_OK))
        parallelFor(count: count, minimum: 1, most: 64) { band in
            for index in band {
                let rows = index * rowsOfPiece..<min((index + 1) * rowsOfPiece, height)
                let status = unsafe code(rows, &pieces[index])
                if status != ISOBATH_OK { failure.store(status, ordering: .relaxed) }
            }
        }
        let status = failure.load(ordering: .relaxed)
        guard status == ISOBATH_OK else {
            errno = ENOMEM
            return status
        }
        return unsafe body(UnsafeBufferPointer(pieces))
    }
}
