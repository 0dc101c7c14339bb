internal import Synchronization

/// The bytes that one file is decompressed to, by any method: Zstandard, bzip2, LZ4, deflate or LZFSE.
///
/// One value is made for each open file. Every decompressor counts its bytes there before it allocates memory for them, so
/// that the work that a small file can cause is bounded. Bytes that are decompressed again are counted once.
package final class UnpackedBytes: Sendable {
    private struct State {
        var total = 0
        /// The bytes that were counted for each offset of packed bytes.
        var counted: [Int: Int] = [:]
    }

    /// A file may be decompressed to this many times its size, if that is more than the limit's default.
    private static let usualRatio = 64

    private let limit: Int
    private let state = Mutex(State())

    /// Starts counting for a file of `byteCount` bytes.
    package init(ofFile byteCount: Int, _ limits: DecodingLimits) {
        let usual = DecodingLimits.Name.unpackedBytes.defaultValue
        let (scaled, overflow) = byteCount.multipliedReportingOverflow(by: Self.usualRatio)
        limit =
            limits[.unpackedBytes] == usual
            ? max(usual, overflow ? .max : scaled) : limits[.unpackedBytes]
    }

    /// How many bytes may still be decompressed.
    package var remaining: Int { state.withLock { max(0, limit - $0.total) } }

    /// Counts bytes that are decompressed from the bytes at an offset, which the caller passes only once.
    package func count(_ byteCount: Int, at offset: Int? = nil) throws(ContainerError) {
        try add(at: offset) { $0.total.saturatingAdd(byteCount) }
    }

    /// Counts bytes that are decompressed from the bytes at an offset. For an offset that was counted before, counts only
    /// the difference to a larger number.
    package func count(_ byteCount: Int, onceFrom offset: Int) throws(ContainerError) {
        try add(at: offset) { state in
            let former = state.counted[offset] ?? 0
            guard byteCount > former else { return }
            state.counted[offset] = byteCount
            state.total.saturatingAdd(byteCount - former)
        }
    }

    private func add(at offset: Int?, _ body: (inout State) -> Void) throws(ContainerError) {
        let total = state.withLock {
            body(&$0)
            return $0.total
        }
        guard total <= limit else {
            throw ContainerError(
                .limitExceeded(.unpackedBytes, limit: limit, requested: total), at: offset)
        }
    }
}

extension Int {
    /// Adds a number. A sum that does not fit becomes the largest integer.
    fileprivate mutating func saturatingAdd(_ other: Int) {
        let (sum, overflow) = addingReportingOverflow(other)
        self = overflow ? .max : sum
    }
}
