/// Collects bits, most significant first, the order of video syntax (ITU-T H.265 §7.2).
struct BitWriter: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var bitCount = 0

    var isByteAligned: Bool { bitCount.isMultiple(of: 8) }

    /// Appends the low `count` bits of `value`: `u(n)`.
    mutating func append(_ value: UInt64, bitCount count: Int) {
        for index in (0..<count).reversed() {
            append(value >> UInt64(index) & 1 == 1)
        }
    }

    /// Appends one bit: `u(1)`.
    mutating func append(_ bit: Bool) {
        if isByteAligned { bytes.append(0) }
        if bit { bytes[bytes.count - 1] |= 0x80 >> UInt8(bitCount % 8) }
        bitCount += 1
    }

    /// Appends an unsigned Exp-Golomb code: `ue(v)` (ITU-T H.265 §9.2).
    mutating func appendExponentialGolomb(_ value: UInt32) {
        let codeNumber = UInt64(value) + 1
        let length = UInt64.bitWidth - codeNumber.leadingZeroBitCount
        append(codeNumber, bitCount: 2 * length - 1)
    }
}
