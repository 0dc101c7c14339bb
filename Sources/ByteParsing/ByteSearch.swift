internal import Glibc

/// Whether bytes contain a mark. The search skips ahead (Horspool's), so that metadata of megabytes need not be parsed.
///
/// - Parameter mark: ASCII, not empty.
package func contains(_ bytes: [UInt8], mark: StaticString) -> Bool {
    let wanted = mark.withUTF8Buffer { unsafe Array($0) }
    guard let last = wanted.indices.last else { return true }
    // How far the mark may move for the byte at its end: to that byte's last occurrence before its end.
    var shifts = [Int](repeating: wanted.count, count: 256)
    for index in 0..<last { shifts[Int(wanted[index])] = last - index }
    let (text, wantedSpan) = (bytes.span, wanted.span)
    var end = last
    while end < text.count {
        var index = last
        while text[end - last + index] == wantedSpan[index] {
            if index == 0 { return true }
            index -= 1
        }
        end += shifts[Int(text[end])]
    }
    return false
}

extension [UInt8] {
    /// The last index, `end` at most, at which `needle` starts; `nil` when there is none.
    package func lastIndex(of needle: [UInt8], before end: Int) -> Int? {
        let (bytes, wanted) = (span, needle.span)
        var place = Swift.min(end, count - needle.count)
        while place >= 0 {
            if bytes.holds(wanted, at: place) { return place }
            place -= 1
        }
        return nil
    }

    /// The first index at which `needle` starts so that it ends at `end` or before; `nil` when there is none.
    package func firstIndex(of needle: [UInt8], before end: Int) -> Int? {
        let (bytes, wanted) = (span, needle.span)
        var place = 0
        while place <= Swift.min(end, count) - needle.count {
            if bytes.holds(wanted, at: place) { return place }
            place += 1
        }
        return nil
    }
}

extension Span<UInt8> {
    /// Whether `needle`, which must fit, starts at an index.
    fileprivate func holds(_ needle: Span<UInt8>, at place: Int) -> Bool {
        for index in needle.indices where self[place + index] != needle[index] { return false }
        return true
    }
}

extension Span<UInt8> {
    /// The first index, `start` or later, at which a byte stands; `nil` when there is none.
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
