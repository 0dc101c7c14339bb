/// The arithmetic coder of HEVC, CABAC (H.265 §9.3.4).
struct ArithmeticCoder {
    private var contexts: ContextStates
    private var low: UInt32 = 0
    private var range: UInt32 = 510
    private var bitsLeft = 23
    private var bufferedCount = 0
    private var bufferedByte: UInt32 = 0xFF
    private var output: [UInt8] = []

    init(_ contexts: ContextStates) { self.contexts = contexts }

    /// Appends a decision with a context.
    mutating func append(_ bin: Int, context: Int) {
        let state = Int(contexts.states[context])
        let leastProbable = UInt32(ContextStates.ranges[(state >> 1) << 2 | Int(range >> 6) & 3])
        range -= leastProbable
        if bin != state & 1 {
            let shift = leastProbable.leadingZeroBitCount - 23
            low = (low + range) << UInt32(shift)
            range = leastProbable << UInt32(shift)
            contexts.states[context] = ContextStates.afterLeastProbable[state]
            bitsLeft -= shift
        } else {
            contexts.states[context] = state < 124 ? UInt8(state + 2) : UInt8(state)
            guard range < 256 else { return }
            low <<= 1
            range <<= 1
            bitsLeft -= 1
        }
        if bitsLeft < 12 { writeByte() }
    }

    /// Appends the low bits of a value, each 0 or 1 with equal probability.
    mutating func appendBypass(_ value: Int, bits: Int) {
        var rest = bits
        while rest > 0 {
            let count = min(rest, 8)
            rest -= count
            let part = UInt32(value >> rest & ((1 << count) - 1))
            low = (low << UInt32(count)) + range * part
            bitsLeft -= count
            if bitsLeft < 12 { writeByte() }
        }
    }

    /// The decision whether the slice ends (§9.3.4.5).
    mutating func appendTerminating(_ bin: Int) {
        range -= 2
        if bin == 1 {
            low = (low + range) << 7
            range = 2 << 7
            bitsLeft -= 7
        } else {
            guard range < 256 else { return }
            low <<= 1
            range <<= 1
            bitsLeft -= 1
        }
        if bitsLeft < 12 { writeByte() }
    }

    private mutating func writeByte() {
        let lead = low >> UInt32(24 - bitsLeft)
        bitsLeft += 8
        low &= 0xFFFF_FFFF >> UInt32(bitsLeft)
        if lead == 0xFF {
            bufferedCount += 1
        } else if bufferedCount > 0 {
            let carry = lead >> 8
            output.append(UInt8(truncatingIfNeeded: bufferedByte + carry))
            bufferedByte = lead & 0xFF
            while bufferedCount > 1 {
                output.append(UInt8(truncatingIfNeeded: 0xFF + carry))
                bufferedCount -= 1
            }
        } else {
            bufferedCount = 1
            bufferedByte = lead
        }
    }

    /// Returns everything that was appended, with the bits that end a slice segment; nothing may be appended after it.
    mutating func finished() -> [UInt8] {
        if low >> UInt32(32 - bitsLeft) != 0 {
            output.append(UInt8(truncatingIfNeeded: bufferedByte + 1))
            while bufferedCount > 1 {
                output.append(0)
                bufferedCount -= 1
            }
            low -= 1 << UInt32(32 - bitsLeft)
        } else {
            if bufferedCount > 0 { output.append(UInt8(truncatingIfNeeded: bufferedByte)) }
            while bufferedCount > 1 {
                output.append(0xFF)
                bufferedCount -= 1
            }
        }
        var rest = SyntaxWriter()
        rest.append(UInt64(low >> 8), bits: 24 - bitsLeft)
        rest.appendTrailingBits()
        return output + rest.bytes
    }
}
