/// The ASCII bytes of `text`.
func ascii(_ text: String) -> [UInt8] {
    Array(text.utf8)
}

extension Collection<UInt8> {
    /// Where `other` first occurs.
    func firstOffset(of other: [UInt8]) -> Int? {
        let all = Array(self)
        guard all.count >= other.count else { return nil }
        return (0...all.count - other.count).first { all[$0..<$0 + other.count].elementsEqual(other) }
    }
}
