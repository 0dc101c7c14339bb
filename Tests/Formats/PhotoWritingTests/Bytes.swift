/// The bytes of a hex dump; white space is ignored.
func bytes(_ dump: String) -> [UInt8] {
    let digits = dump.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// The ASCII bytes of `text`.
func ascii(_ text: String) -> [UInt8] {
    Array(text.utf8)
}

extension Collection<UInt8> {
    /// The big-endian number in the four bytes at `offset` from the start.
    func number(at offset: Int) -> Int {
        dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Where `other` first occurs.
    func firstOffset(of other: [UInt8]) -> Int? {
        let all = Array(self)
        guard all.count >= other.count else { return nil }
        return (0...all.count - other.count).first { all[$0..<$0 + other.count].elementsEqual(other) }
    }
}
