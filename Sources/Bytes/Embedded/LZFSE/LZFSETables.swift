/// The decoding tables of one block: the meaning of each state, and the state that follows it.
struct LZFSETables {
    static let lengthStates = 64
    static let distanceStates = 256
    static let literalStates = 1024
    static let stateCounts = [lengthStates, lengthStates, distanceStates, literalStates]

    /// The meaning of a state of literals.
    struct Symbol {
        /// Bits to read for the next state.
        var bits: UInt8 = 0
        var symbol: UInt8 = 0
        /// Added to them.
        var delta: UInt16 = 0
    }

    /// The meaning of a state of lengths or distances: a base, and how many bits of the stream are added to it.
    struct Value {
        var bits: UInt8 = 0
        var valueBits: UInt8 = 0
        var delta: UInt16 = 0
        var base: Int32 = 0
    }

    private(set) var literalLengths = [Value](repeating: Value(), count: lengthStates)
    private(set) var matchLengths = [Value](repeating: Value(), count: lengthStates)
    private(set) var distances = [Value](repeating: Value(), count: distanceStates)
    private(set) var literals = [Symbol](repeating: Symbol(), count: literalStates)

    /// How many bits follow each symbol; its base is the number of values that the symbols before it cover.
    private static let literalLengthBits = [UInt8](repeating: 0, count: 16) + [2, 3, 5, 8]
    private static let matchLengthBits = [UInt8](repeating: 0, count: 16) + [3, 5, 8, 11]
    private static let distanceBits: [UInt8] = (0..<64).map { UInt8($0 / 4) }

    /// Fills the tables. The caller has checked the frequencies.
    mutating func build(from header: LZFSEBlockHeader) {
        let counts = header.frequencies[...]
        Self.build(&literalLengths, counts.prefix(20), Self.literalLengthBits)
        Self.build(&matchLengths, counts.dropFirst(20).prefix(20), Self.matchLengthBits)
        Self.build(&distances, counts.dropFirst(40).prefix(64), Self.distanceBits)
        var next = 0
        for (symbol, frequency) in counts.dropFirst(104).enumerated() {
            Self.transitions(of: frequency, states: Self.literalStates) { bits, delta in
                literals[next] = Symbol(bits: bits, symbol: UInt8(symbol), delta: delta)
                next += 1
            }
        }
        for index in next..<Self.literalStates { literals[index] = Symbol() }
    }

    private static func build(_ table: inout [Value], _ frequencies: ArraySlice<Int>, _ valueBits: [UInt8]) {
        var next = 0
        var base: Int32 = 0
        for (frequency, extra) in zip(frequencies, valueBits) {
            transitions(of: frequency, states: table.count) { bits, delta in
                table[next] = Value(bits: bits + extra, valueBits: extra, delta: delta, base: base)
                next += 1
            }
            base += 1 << Int32(extra)
        }
        for index in next..<table.count { table[index] = Value() }
    }

    /// The states of a symbol with `frequency` of `states`: from each, enough bits are read to reach all states evenly.
    private static func transitions(of frequency: Int, states: Int, _ body: (UInt8, UInt16) -> Void) {
        guard frequency > 0 else { return }
        let bits = frequency.leadingZeroBitCount - states.leadingZeroBitCount
        let longer = ((2 * states) >> bits) - frequency
        for index in 0..<frequency {
            if index < longer {
                body(UInt8(bits), UInt16(((frequency + index) << bits) - states))
            } else {
                body(UInt8(bits - 1), UInt16((index - longer) << (bits - 1)))
            }
        }
    }
}
