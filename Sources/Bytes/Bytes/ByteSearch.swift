internal import Glibc

/// Whether bytes contain a mark: a fast search, so that megabytes of metadata need not be parsed.
///
/// - Parameter mark: ASCII, not empty.
package func contains(_ bytes: [UInt8], mark: StaticString) -> Bool {
    bytes.firstIndex(of: mark.withUTF8Buffer { unsafe Array($0) }, before: bytes.count) != nil
}

extension [UInt8] {
    /// The last index, at most `end`, at which `needle` starts; `nil` if not found. `needle` must not be empty.
    package func lastIndex(of needle: [UInt8], before end: Int) -> Int? {
        guard let first = needle.first else { return nil }
        let (bytes, wanted) = (span, needle.span)
        var place = Swift.min(end, count - needle.count)
        while place >= 0 {
            if bytes[place] == first, bytes.holds(wanted, at: place) { return place }
            place -= 1
        }
        return nil
    }

    /// The first index at which `needle` starts so that it ends at or before `end`; `nil` if not found. `needle` must not
    /// be empty.
    package func firstIndex(of needle: [UInt8], before end: Int) -> Int? {
        guard let first = needle.first else { return nil }
        let (bytes, wanted) = (span, needle.span)
        let last = Swift.min(end, count) - needle.count
        var start = 0
        while let place = bytes.firstIndex(of: first, from: start), place <= last {
            if bytes.holds(wanted, at: place) { return place }
            start = place + 1
        }
        return nil
    }
}

extension Span<UInt8> {
    /// Whether `needle` starts at an index. It must fit.
    fileprivate func holds(_ needle: Span<UInt8>, at place: Int) -> Bool {
        for index in needle.indices where self[place + index] != needle[index] { return false }
        return true
    }
}

extension Span<UInt8> {
    /// The first index from `start` on with this byte; `nil` if not found.
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count else { return nil }
        return unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                // SAFETY: the search ends with the span.
                let found = unsafe memchr(base + start, Int32(byte), count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
