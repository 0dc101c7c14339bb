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
        guard !range.isEmpty else { return [] }
        return try fetch([range]).first ?? []
    }

    /// The bytes of ranges that are inside of the source and not empty, in one call of the caller's function.
    func fetch(_ ranges: [Range<Int>]) throws(ContainerError) -> [[UInt8]] {
        if let failure { throw failure }
        let count = ranges.reduce(0) { $0 + $1.count }
        let total = bytesRead.wrappingAdd(count, ordering: .relaxed).newValue
        try limits.check(.inputBytes, total, at: ranges.first?.lowerBound)
        // One after the other; zeros stand where the function writes nothing.
        var bytes = [UInt8](repeating: 0, count: count)
        let isComplete = unsafe bytes.withUnsafeMutableBytes { buffer in
            // SAFETY: every range has a part of the buffer of its own size.
            var place = buffer.baseAddress
            let wanted = unsafe ranges.map { range in
                defer { unsafe place = place.map { unsafe $0 + range.count } }
                return unsafe isobath_range(
                    offset: Int64(range.lowerBound), size: Int64(range.count), buffer: place)
            }
            return unsafe source.read.map { unsafe $0(source.context, wanted, wanted.count) == 0 } ?? false
        }
        if isComplete {
            guard ranges.count > 1 else { return [bytes] }
            var rest = bytes[...]
            return ranges.map { range in
                defer { rest = rest.dropFirst(range.count) }
                return Array(rest.prefix(range.count))
            }
        }
        let failure = ContainerError(
            .unreadable(detail: "the function that reads it failed"), at: ranges.first?.lowerBound)
        firstFailure.withLock { $0 = $0 ?? failure }
        throw failure
    }
}
