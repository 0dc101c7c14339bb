internal import Bytes

/// The header of a `bvx1` or `bvx2` block: sizes, the initial states of decoding, and the frequency of each symbol.
struct LZFSEBlockHeader {
    /// The numbers of symbols for the length of literals, the length of a match, its distance, and literals.
    static let symbolCounts = [20, 20, 64, 256]
    /// The most matches in a block; it has at most four times as many literals.
    static let mostMatches = 10_000

    private(set) var literalCount = 0
    private(set) var matchCount = 0
    /// Bytes of coded literals.
    private(set) var literalPayload = 0
    /// Bytes of coded lengths and distances.
    private(set) var matchPayload = 0
    /// How many bits of the last byte are unused, 0…7.
    private(set) var literalUnusedBits = 0
    private(set) var matchUnusedBits = 0
    private(set) var literalStates = [0, 0, 0, 0]
    /// The states of the length of literals, the length of a match, and its distance.
    private(set) var states = (0, 0, 0)
    /// The frequencies of all symbols, in the order of ``symbolCounts``.
    private(set) var frequencies = [Int](repeating: 0, count: 360)

    /// Reads a `bvx1` header; the cursor is after the number of raw bytes.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let start = cursor.position
        _ = try cursor.readUInt32()  // both payloads together
        literalCount = try cursor.readUInt32()
        matchCount = try cursor.readUInt32()
        literalPayload = try cursor.readUInt32()
        matchPayload = try cursor.readUInt32()
        literalUnusedBits = -Int(try cursor.read(Int32.self))
        for index in 0..<4 { literalStates[index] = try cursor.readUInt16() }
        matchUnusedBits = -Int(try cursor.read(Int32.self))
        states = (try cursor.readUInt16(), try cursor.readUInt16(), try cursor.readUInt16())
        for index in frequencies.indices { frequencies[index] = try cursor.readUInt16() }
        // The C structure ends at a multiple of four bytes: 772 including the eight that have been read.
        try cursor.skip(start + 764 - cursor.position)
        try check(cursor)
    }

    /// Reads a `bvx2` header; the cursor is after the number of raw bytes.
    init(parsingPacked cursor: inout ByteCursor) throws(ContainerError) {
        let fields = (
            try cursor.read(UInt64.self), try cursor.read(UInt64.self), try cursor.read(UInt64.self)
        )
        func bits(_ field: UInt64, _ first: Int, _ count: Int) -> Int {
            Int(truncatingIfNeeded: field >> UInt64(first) & ((1 << UInt64(count)) - 1))
        }
        literalCount = bits(fields.0, 0, 20)
        literalPayload = bits(fields.0, 20, 20)
        matchCount = bits(fields.0, 40, 20)
        literalUnusedBits = 7 - bits(fields.0, 60, 3)
        for index in 0..<4 { literalStates[index] = bits(fields.1, index * 10, 10) }
        matchPayload = bits(fields.1, 40, 20)
        matchUnusedBits = 7 - bits(fields.1, 60, 3)
        let size = bits(fields.2, 0, 32)
        states = (bits(fields.2, 32, 10), bits(fields.2, 42, 10), bits(fields.2, 52, 10))
        guard size >= 32 else {
            throw cursor.malformed("LZFSE block header has \(size) bytes; it must have at least 32")
        }
        try readFrequencies(try cursor.readBytes(size - 32), cursor)
        try check(cursor)
    }

    /// Reads frequencies in their prefix code: 0 to 3 have two or three bits, others up to fourteen, least significant
    /// first.
    private mutating func readFrequencies(
        _ bytes: [UInt8], _ cursor: borrowing ByteCursor
    ) throws(ContainerError) {
        guard !bytes.isEmpty else { return }
        var (buffer, held, next) = (UInt32(0), 0, 0)
        for index in frequencies.indices {
            while held <= 24, next < bytes.count {
                buffer |= UInt32(bytes[next]) << UInt32(held)
                held += 8
                next += 1
            }
            let (value, count): (UInt32, Int) =
                switch (buffer & 3, buffer & 7, buffer & 15) {
                case (0, _, _): (0, 2)
                case (2, _, _): (1, 2)
                case (_, 1, _): (2, 3)
                case (_, 5, _): (3, 3)
                case (_, 3, _): (4 + ((buffer >> 3) & 3), 5)
                case (_, _, 7): (8 + ((buffer >> 4) & 15), 8)
                default: (24 + ((buffer >> 4) & 1023), 14)
                }
            guard count <= held else { throw cursor.malformed("the tables of an LZFSE block end early") }
            frequencies[index] = Int(value)
            buffer >>= UInt32(count)
            held -= count
        }
        guard next == bytes.count, held < 8 else {
            throw cursor.malformed("the tables of an LZFSE block are longer than their symbols")
        }
    }

    private func check(_ cursor: borrowing ByteCursor) throws(ContainerError) {
        guard matchCount <= Self.mostMatches, literalCount <= 4 * Self.mostMatches else {
            throw cursor.malformed(
                "LZFSE block has \(matchCount) matches and \(literalCount) literals, "
                    + "of \(Self.mostMatches) and \(4 * Self.mostMatches) at most")
        }
        guard (0...7).contains(literalUnusedBits), (0...7).contains(matchUnusedBits) else {
            throw cursor.malformed(
                "LZFSE block leaves \(literalUnusedBits) and \(matchUnusedBits) bits unused, not 0 to 7")
        }
        guard literalStates.allSatisfy({ $0 < LZFSETables.literalStates }),
            states.0 < LZFSETables.lengthStates, states.1 < LZFSETables.lengthStates,
            states.2 < LZFSETables.distanceStates
        else { throw cursor.malformed("initial state of an LZFSE block is not in its tables") }
        var first = 0
        for (count, states) in zip(Self.symbolCounts, LZFSETables.stateCounts) {
            let sum = frequencies[first..<first + count].reduce(0, +)
            guard sum <= states else {
                throw cursor.malformed("symbols of an LZFSE block have \(sum) states, \(states) at most")
            }
            first += count
        }
    }
}
