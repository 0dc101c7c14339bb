internal import Bytes
internal import CIsobath

/// Bytes that a function of the caller reads. `CachingSource` requests few and large ranges, and checks them against limits.
@safe final class CallerSource: @unchecked Sendable {
    // SAFETY: the interface requires functions that any thread may call.
    private let source: isobath_byte_source

    /// Takes ownership of the source: its `release` is called when this object is destroyed. `nil` for NULL.
    ///
    /// Throws for a source without a function, after its release.
    init?(_ given: UnsafePointer<isobath_byte_source>?) throws(InvalidArgument) {
        guard unsafe given != nil else { return nil }
        unsafe source = try options(given, else: isobath_byte_source())
        guard unsafe source.byte_count >= 0, unsafe source.read != nil else {
            throw InvalidArgument("a source needs a read function and a size that is not negative")
        }
    }

    var byteCount: Int { unsafe Int(source.byte_count) }

    deinit { unsafe source.release?(source.context) }

    /// The bytes of non-empty ranges inside the source, in one call of the caller's function.
    func fetch(_ ranges: [Range<Int>]) throws(ContainerError) -> [[UInt8]] {
        let count = ranges.reduce(0) { $0 + $1.count }
        // Ranges are concatenated; bytes that the function does not write are zero.
        var bytes = [UInt8](repeating: 0, count: count)
        let isComplete = unsafe bytes.withUnsafeMutableBytes { buffer in
            // SAFETY: every range has a separate part of the buffer.
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
