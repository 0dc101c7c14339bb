/// Bits that are read from the last to the first, as finite state entropy coding requires.
struct BackwardBits: ~Escapable {
    private let bytes: Span<UInt8>
    /// How many bits are unread; negative if more were read than there are.
    private var remaining: Int
    /// The bits before `remaining`; the next one to read is the most significant.
    private var buffer: UInt64 = 0

    /// Starts before the unused high bits of the last byte.
    @_lifetime(borrow bytes)
    init(_ bytes: borrowing [UInt8], unused: Int) {
        self.bytes = bytes.span
        remaining = bytes.count * 8 - unused
    }

    /// Whether more bits were read than there are.
    var isOverrun: Bool { remaining < 0 }

    /// Loads 56 bits, or all that remain, followed by zeros.
    @_lifetime(self: copy self)
    mutating func refill() {
        let last = (max(remaining, 0) + 7) >> 3
        var bits: UInt64 = 0
        for index in max(last - 8, 0)..<last { bits = bits >> 8 | UInt64(bytes[index]) << 56 }
        // Part of the last byte may have been read.
        buffer = bits << UInt64(last * 8 - max(remaining, 0))
    }

    /// Reads up to 32 bits; ``refill()`` must have loaded them.
    @_lifetime(self: copy self)
    private mutating func take(_ count: UInt8) -> Int {
        guard count > 0 else { return 0 }
        let value = buffer >> (64 - UInt64(count))
        buffer <<= UInt64(count)
        remaining -= Int(count)
        return Int(truncatingIfNeeded: value)
    }

    /// Returns the symbol of a state, and moves to the next state. Reads at most 10 bits.
    @_lifetime(self: copy self)
    mutating func nextSymbol(_ state: inout Int, _ table: Span<LZFSETables.Symbol>) -> UInt8 {
        let entry = table[state]
        state = Int(entry.delta) + take(entry.bits)
        return entry.symbol
    }

    /// Returns the value of a state, and moves to the next state. Reads at most 23 bits.
    @_lifetime(self: copy self)
    mutating func nextValue(_ state: inout Int, _ table: Span<LZFSETables.Value>) -> Int {
        let entry = table[state]
        let bits = take(entry.bits)
        state = Int(entry.delta) + (bits >> Int(entry.valueBits))
        return Int(entry.base) + (bits & ((1 << Int(entry.valueBits)) - 1))
    }
}
