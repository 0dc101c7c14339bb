internal import ByteParsing
internal import CIsobath
internal import Synchronization

/// Bytes that a function of the caller reads.
///
/// As with files, what was read is counted against `input-bytes`, and after a failure nothing more is read.
@safe final class CallerSource: ByteSource, @unchecked Sendable {
    // SAFETY: the interface demands functions that any thread may call, several at a time.
    private let source: isobath_byte_source
    private let limits: DecodingLimits
    private let firstFailure = Mutex<ContainerError?>(nil)
    private let bytesRead = Atomic<Int>(0)

    /// Takes the source over: its `release` is called by the end of this object.
    init(_ source: isobath_byte_source, limits: DecodingLimits) {
        unsafe self.source = source
        self.limits = limits
    }

    deinit { unsafe source.release?(source.context) }

    var byteCount: Int { unsafe Int(source.byte_count) }

    var failure: ContainerError? { firstFailure.withLock(\.self) }

    func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        try check(range)
        if let failure { throw failure }
        let total = bytesRead.wrappingAdd(range.count, ordering: .relaxed).newValue
        try limits.check(.inputBytes, total, at: range.lowerBound)
        guard !range.isEmpty else { return [] }
        var status: Int32 = -1
        // SAFETY: the function writes as many bytes as there is room for; zeros stand where it does not.
        var bytes = [UInt8](repeating: 0, count: range.count)
        unsafe bytes.withUnsafeMutableBytes { buffer in
            if let read = unsafe source.read {
                status = unsafe read(
                    source.context, Int64(range.lowerBound), buffer.baseAddress, Int64(range.count))
            }
        }
        guard status != 0 else { return bytes }
        let failure = ContainerError(
            .unreadable(detail: "the function that reads it failed"), at: range.lowerBound)
        firstFailure.withLock { $0 = $0 ?? failure }
        throw failure
    }
}
