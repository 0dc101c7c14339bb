internal import Bytes

/// The Huffman code for the bit counts of differences in lossless JPEG (ITU-T T.81 Annex C, §H.1.2.2).
struct LosslessHuffmanTable {
    /// For every prefix of ``fastBits`` bits: the code's length and symbol, `length << 8 | symbol`; 0 if the code is longer
    /// or does not exist.
    private(set) var fast: [UInt16]
    /// For every length above ``fastBits``: the first code that is too large for it, in 16 bits.
    private(set) var limits = [Int](repeating: 0, count: 17)
    /// For every length: the number to add to a code to get its symbol's index.
    private(set) var offsets = [Int](repeating: 0, count: 17)
    private(set) var symbols: [UInt8] = []

    static let fastBits = 9

    /// Reads one table of a DHT segment, after its class and number.
    init(parsing segment: inout ByteCursor) throws(ContainerError) {
        let counts = try segment.readBytes(16).map(Int.init)
        let total = counts.reduce(0, +)
        guard (1...17).contains(total) else {
            throw segment.malformed("Huffman table has \(total) codes, not 1 to 17 (bit counts of 0 to 16)")
        }
        symbols = try segment.readBytes(total)
        guard symbols.allSatisfy({ $0 <= 16 }) else {
            throw segment.malformed(
                "Huffman table has a difference of \(symbols.max() ?? 0) bits; 16 is the most")
        }
        fast = [UInt16](repeating: 0, count: 1 << Self.fastBits)
        var (code, index) = (0, 0)
        for length in 1...16 {
            offsets[length] = index - code
            guard code + counts[length - 1] <= 1 << length else {
                throw segment.malformed(
                    "Huffman table has \(counts[length - 1]) codes of \(length) bits, \((1 << length) - code) are left"
                )
            }
            for _ in 0..<counts[length - 1] {
                if length <= Self.fastBits {
                    let first = code << (Self.fastBits - length)
                    for entry in first..<first + (1 << (Self.fastBits - length)) {
                        fast[entry] = UInt16(length << 8) | UInt16(symbols[index])
                    }
                }
                code += 1
                index += 1
            }
            limits[length] = code << (16 - length)
            code <<= 1
        }
    }

    /// The length and symbol of a code longer than ``fastBits`` at the top of 16 bits; `nil` if not found.
    func long(_ bits: Int) -> (length: Int, symbol: Int)? {
        for length in Self.fastBits + 1...16 where bits < limits[length] {
            let index = bits >> (16 - length) + offsets[length]
            return symbols.indices.contains(index) ? (length, Int(symbols[index])) : nil
        }
        return nil
    }
}
