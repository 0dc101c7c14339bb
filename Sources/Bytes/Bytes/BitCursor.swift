/// A position in bits, most significant first, as in the syntax tables of ITU-T H.265.
///
/// Reads the *raw byte sequence payload*: emulation prevention bytes are removed on creation (H.265 §7.3.1.1).
package struct BitCursor {
    private let bytes: [UInt8]
    private var bit = 0
    private let base: Int
    private let path: StructurePath

    /// Reads the bytes of a NAL unit, whose offset in the file is `base`.
    package init(removingEmulationPreventionFrom unit: [UInt8], base: Int, path: StructurePath) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(unit.count)
        var zeros = 0
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
        self.bytes = bytes
        self.base = base
        self.path = path
    }

    /// The number of bits not yet read.
    package var remaining: Int { bytes.count * 8 - bit }

    /// An error at the next bit's byte.
    package func failure(_ reason: ContainerError.Reason) -> ContainerError {
        ContainerError(reason, at: base + bit / 8, in: path)
    }

    /// Reads `u(n)`, 0 to 32 bits.
    package mutating func read(_ count: Int) throws(ContainerError) -> Int {
        guard count <= remaining else {
            throw failure(.truncated(needed: (count + 7) / 8, available: remaining / 8))
        }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[bit >> 3] >> UInt8(7 - bit & 7) & 1)
            bit += 1
        }
        return value
    }

    package mutating func readFlag() throws(ContainerError) -> Bool { try read(1) == 1 }

    package mutating func skip(_ count: Int) throws(ContainerError) {
        guard (0...remaining).contains(count) else {
            throw failure(.truncated(needed: (count + 7) / 8, available: remaining / 8))
        }
        bit += count
    }

    /// Reads `ue(v)`, an unsigned Exp-Golomb code of up to 32 bits (H.265 §9.2).
    package mutating func readUnsignedGolomb() throws(ContainerError) -> Int {
        var zeros = 0
        while try !readFlag() {
            zeros += 1
            guard zeros <= 32 else {
                throw failure(.malformed(rule: "an Exp-Golomb code is longer than 32 bits"))
            }
        }
        return (1 << zeros) - 1 + (try read(zeros))
    }

    /// Reads `se(v)`, a signed Exp-Golomb code.
    package mutating func readSignedGolomb() throws(ContainerError) -> Int {
        let code = try readUnsignedGolomb()
        return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
    }
}
