/// Writes the bits of headers, most significant first (H.265 §7.2, §9.2).
struct SyntaxWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 0

    /// Appends the low bits of a value: `u(n)`.
    mutating func append(_ value: UInt64, bits count: Int) {
        for index in (0..<count).reversed() {
            if used % 8 == 0 { bytes.append(0) }
            if value >> UInt64(index) & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(used % 8) }
            used += 1
        }
    }

    /// Appends `ue(v)`.
    mutating func appendUnsigned(_ value: Int) {
        let code = UInt64(value) + 1
        let length = UInt64.bitWidth - code.leadingZeroBitCount
        append(code, bits: 2 * length - 1)
    }

    /// Appends `se(v)`.
    mutating func appendSigned(_ value: Int) { appendUnsigned(value > 0 ? 2 * value - 1 : -2 * value) }

    /// Appends a one, and zeros up to the next byte.
    mutating func appendTrailingBits() {
        append(1, bits: 1)
        while used % 8 != 0 { append(0, bits: 1) }
    }
}

/// A NAL unit of layer 0: header, and the payload with emulation prevention bytes (H.265 §7.3.1, §7.4.2).
func nalUnit(type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var unit: [UInt8] = [type << 1, 1]
    unit.reserveCapacity(payload.count + payload.count / 64)
    var zeros = 0
    for byte in payload {
        if zeros >= 2, byte <= 3 {
            unit.append(3)
            zeros = 0
        }
        unit.append(byte)
        zeros = byte == 0 ? zeros + 1 : 0
    }
    return unit
}
