internal import Glibc

/// The names of a document, each created once: metadata repeats a few names many times.
struct NameTable {
    /// A name, and the range of its bytes in ``joined``.
    private struct Entry {
        var bytes: Range<Int>
        var namespaceSize: Int
        var name: XMLName
    }

    private var known: [Entry] = []
    /// The bytes of all names, one after the other, as expat joined them.
    private var joined: [UInt8] = []
    private var last = 0
    private static let capacity = 64

    init() {
        // About as many as a phone's metadata has.
        known.reserveCapacity(24)
        joined.reserveCapacity(1200)
    }

    /// The name that expat joined as `uri⏎local`, in bytes that end with a NUL.
    mutating func name(_ joined: UnsafePointer<CChar>) -> XMLName {
        // SAFETY: the caller guarantees that the bytes end with a NUL.
        let bytes = unsafe UnsafeRawBufferPointer(start: joined, count: strlen(joined))
        // List items and their fields repeat in the same order, so the search starts after the last match.
        for _ in known.indices {
            if unsafe isEqual(bytes, known[last].bytes) { return known[last].name }
            last = last + 1 < known.count ? last + 1 : 0
        }
        let split = unsafe bytes.lastIndex(of: UInt8(bitPattern: separator))
        let size = split ?? 0
        let name = unsafe XMLName(
            namespace(UnsafeRawBufferPointer(rebasing: bytes[..<size])),
            String(decoding: bytes[(split.map { $0 + 1 } ?? 0)...], as: UTF8.self))
        if known.count < Self.capacity {
            last = known.count
            known.append(
                Entry(
                    bytes: self.joined.count..<self.joined.count + bytes.count, namespaceSize: size,
                    name: name))
            unsafe self.joined.append(contentsOf: bytes)
        }
        return name
    }

    /// The namespace with these bytes, which most names have in common with an earlier one.
    private func namespace(_ bytes: UnsafeRawBufferPointer) -> String {
        for entry in known.reversed() where entry.namespaceSize == bytes.count {
            let start = entry.bytes.lowerBound
            if unsafe isEqual(bytes, start..<start + entry.namespaceSize) { return entry.name.namespace }
        }
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Whether bytes equal the range `part` of ``joined``.
    private func isEqual(_ bytes: UnsafeRawBufferPointer, _ part: Range<Int>) -> Bool {
        guard part.count == bytes.count else { return false }
        // SAFETY: both have this many bytes.
        return unsafe joined.withUnsafeBytes { joined in
            guard let start = joined.baseAddress, let other = bytes.baseAddress else { return part.isEmpty }
            return unsafe memcmp(start + part.lowerBound, other, part.count) == 0
        }
    }
}
