internal import Glibc

/// The names of a document, each made once: metadata has a few that stand in it many times.
struct NameTable {
    private var known: [(joined: [UInt8], name: XMLName)] = []
    private var last = 0
    private static let capacity = 64

    /// The name that expat joined as `uri⏎local`, in bytes that end with a NUL.
    mutating func name(_ joined: UnsafePointer<CChar>) -> XMLName {
        // SAFETY: the caller says that the bytes end with a NUL.
        let bytes = unsafe UnsafeRawBufferPointer(start: joined, count: strlen(joined))
        // Items of a list follow each other, and fields stand in the same order again.
        for _ in known.indices {
            if unsafe isKnown(bytes, at: last) { return known[last].name }
            last = last + 1 < known.count ? last + 1 : 0
        }
        let split = unsafe bytes.lastIndex(of: UInt8(bitPattern: separator))
        let name = unsafe XMLName(
            String(decoding: bytes[..<(split ?? 0)], as: UTF8.self),
            String(decoding: bytes[(split.map { $0 + 1 } ?? 0)...], as: UTF8.self))
        if known.count < Self.capacity {
            last = known.count
            known.append((unsafe Array(bytes), name))
        }
        return name
    }

    private func isKnown(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        guard known[index].joined.count == bytes.count, let start = bytes.baseAddress else { return false }
        // SAFETY: both have so many bytes.
        return unsafe known[index].joined.withUnsafeBytes { other in
            guard let base = other.baseAddress else { return true }
            return unsafe memcmp(base, start, bytes.count) == 0
        }
    }
}
