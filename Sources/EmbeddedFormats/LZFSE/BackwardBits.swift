/// Bits that are read from the last to the first, as entropy coding of finite states leaves them.
struct BackwardBits: ~Escapable {
    private let bytes: Span<UInt8>
    /// How many bits are not read yet; negative once more were read than there are.
    private var remaining: Int
    /// The bits before `remaining`, the next to be read in the highest place.
    private var buffer: UInt64 = 0

    /// Begins behind the last byte's unused high bits.
    @_lifetime(borrow bytes)
    init(_ bytes: borrowing [UInt8], unused: Int) {
        self.bytes = bytes.span
        remaining = bytes.count * 8 - unused
    }

    /// Whether more bits were read than there are.
    var isOverrun: Bool { remaining < 0 }

    /// Makes 56 bits ready, or all that are left with zeros behind them.
    @_lifetime(self: copy self)
    mutating func refill() {
        let last = (max(remaining, 0) + 7) >> 3
        var bits: UInt64 = 0
        for index in max(last - 8, 0)..<last { bits = bits >> 8 | UInt64(bytes[index]) << 56 }
        // The last byte may be read in part.
        buffer = bits << UInt64(last * 8 - max(remaining, 0))
    }

    /// Takes up to 32 bits; ``refill()`` must have made them ready.
    @_lifetime(self: copy self)
    private mutating func take(_ count: UInt8) -> Int {
        guard count > 0 else { return 0 }
        let value = buffer >> (64 - UInt64(count))
        buffer <<= UInt64(count)
        remaining -= Int(count)
        return Int(truncatingIfNeeded: value)
    }

    /// The symbol of a state, which becomes the next one. At most 10 bits.
    @_lifetime(self: copy self)
    mutating func nextSymbol(_ state: inout Int, _ table: Span<LZFSETables.Symbol>) -> UInt8 {
        let entry = table[state]
        state = Int(entry.delta) + take(entry.bits)
        return entry.symbol
    }

    /// The value of a state, which becomes the next one. At most 23 bits.
    @_lifetime(self: copy self)
    mutating func nextValue(_ state: inout Int, _ table: Span<LZFSETables.Value>) -> Int {
        let entry = table[state]
        let bits = take(entry.bits)
        state = Int(entry.delta) + (bits >> Int(entry.valueBits))
        return Int(entry.base) + (bits & ((1 << Int(entry.valueBits)) - 1))
    }
}
