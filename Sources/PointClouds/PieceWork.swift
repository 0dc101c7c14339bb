internal import DepthCore
internal import Synchronization

/// Makes pieces on all cores, a few at a time, and hands them to `take` in order. What `take` throws ends the work.
func makePieces<Piece: Sendable, Failure: Error>(
    _ count: Int, _ make: @Sendable (Int) -> Piece, take: (Piece) throws(Failure) -> Void
) throws(Failure) {
    for first in stride(from: 0, to: count, by: 16) {
        let pieces = Mutex<[Piece?]>(Array(repeating: nil, count: min(16, count - first)))
        forEachBand(of: min(16, count - first), minimum: 1) { band in
            for index in band {
                let piece = make(first + index)
                pieces.withLock { $0[index] = piece }
            }
        }
        for piece in pieces.withLock({ $0 }) {
            if let piece { try take(piece) }
        }
    }
}

/// Hands the bytes of pieces to `sink`, in order; `encode` appends those of one.
func encodePieces<Failure: Error>(
    _ count: Int, to sink: ([UInt8]) throws(Failure) -> Void,
    encode: @Sendable (_ piece: Int, _ bytes: inout [UInt8]) -> Void
) throws(Failure) {
    try makePieces(
        count,
        { index in
            var bytes: [UInt8] = []
            encode(index, &bytes)
            return bytes
        }, take: sink)
}
