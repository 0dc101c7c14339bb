internal import ByteParsing
internal import CIsobath

/// What a function of the caller reads. `CachingSource` asks it for few and larger ranges, and counts them against limits.
@safe final class CallerSource: @unchecked Sendable {
    // SAFETY: the interface demands functions that any thread may call.
    private let source: isobath_byte_source

    /// Takes the source over: its `release` is called by the end of this object.
    init(_ source: isobath_byte_source) { unsafe self.source = source }

    deinit { unsafe source.release?(source.context) }

    /// The bytes of ranges that are inside of the source and not empty, in one call of the caller's function.
    func fetch(_ ranges: [Range<Int>]) throws(ContainerError) -> [[UInt8]] {
        let count = ranges.reduce(0) { $0 + $1.count }
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
        throw ContainerError(
            .unreadable(detail: "the caller's read function failed"), at: ranges.first?.lowerBound)
    }
}
