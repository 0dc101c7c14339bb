internal import Bytes

/// Samples of two bytes that only make sense in the other byte order: some data sets store a PGM little-endian.
enum SwappedSamples {
    /// A warning if neighbors in a row differ far less with their bytes swapped: low bytes that are read as high ones are
    /// noise.
    static func remark(on codes: [UInt16], width: Int) -> Diagnostic? {
        guard width > 1 else { return nil }
        var (stored, swapped, pairs) = (0, 0, 0)
        for index in codes.indices where index % width != 0 {
            let (code, before) = (codes[index], codes[index - 1])
            guard code != 0, before != 0 else { continue }
            pairs += 1
            stored += abs(Int(code) - Int(before))
            swapped += abs(Int(code.byteSwapped) - Int(before.byteSwapped))
        }
        guard pairs >= 100, swapped > 0, stored / swapped >= 4 else { return nil }
        return .warning(
            "swapped-samples",
            "neighboring samples differ \(stored / swapped) times as much as in the other byte order, so they may be little-endian"
        )
    }
}
