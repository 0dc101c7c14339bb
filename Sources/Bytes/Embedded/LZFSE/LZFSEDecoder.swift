package import Bytes

/// Decodes streams of Apple's LZFSE, as in recordings of Record3D. Its memory is reused from stream to stream.
///
/// A stream is a sequence of blocks that begin with four characters: `bvx-` has the bytes unchanged, `bvx1` and `bvx2` are
/// coded with finite state entropy (with plain and with packed tables), `bvxn` with LZVN, and `bvx$` is the end. Matches may
/// refer to earlier blocks. The layouts are those of the reference implementation, https://github.com/lzfse/lzfse.
package struct LZFSEDecoder {
    private var tables = LZFSETables()
    private var literals: [UInt8] = []

    /// A decoder that has decoded nothing yet.
    package init() {}

    /// Decodes a complete stream into `output`, whose memory is reused and whose former bytes are dropped.
    ///
    /// `limit` is the largest output in bytes: nothing beyond it is allocated. Throws if the stream breaks a rule of the
    /// format, with the offset of that byte; `base` is the offset of `coded` in its file.
    /// the byte of `coded` where that is found; `base` is the offset of `coded` in its file.
    package mutating func decode(
        _ coded: [UInt8], atMost limit: Int, base: Int = 0, into output: inout [UInt8]
    ) throws(ContainerError) {
        output.removeAll(keepingCapacity: true)
        var cursor = ByteCursor(coded.span, base: base)
        cursor.byteOrder = .littleEndian
        while true {
            let magic = try cursor.readCode()
            if magic == "bvx$" { return }
            let rawCount = try cursor.readUInt32()
            guard rawCount <= limit - output.count else {
                throw cursor.malformed(
                    "LZFSE block declares \(rawCount) bytes, \(limit - output.count) of \(limit) fit")
            }
            switch magic {
            case "bvx-": output += try cursor.readBytes(rawCount)
            case "bvx1", "bvx2":
                let header =
                    magic == "bvx1"
                    ? try LZFSEBlockHeader(parsing: &cursor) : try LZFSEBlockHeader(parsingPacked: &cursor)
                try decode(header, rawCount, &cursor, &output)
            case "bvxn":
                let payload = try cursor.readUInt32()
                let start = cursor.offset
                let bytes = try cursor.readBytes(payload)
                try decodeLZVN(bytes, base: start, rawCount, &output)
            default:
                throw cursor.malformed("'\(magic)' is not the magic of an LZFSE block")
            }
        }
    }

    /// Decodes a block of finite state entropy: first all its literals, then the sequence of literals and matches.
    private mutating func decode(
        _ header: LZFSEBlockHeader, _ rawCount: Int, _ cursor: inout ByteCursor, _ output: inout [UInt8]
    ) throws(ContainerError) {
        let start = cursor.offset
        let literalBytes = try cursor.readBytes(header.literalPayload)
        let matchStart = cursor.offset
        let matchBytes = try cursor.readBytes(header.matchPayload)
        tables.build(from: header)
        let table = tables.literals
        do {
            try Self.readLiterals(header, literalBytes, table, &literals)
        } catch { throw ContainerError(.malformed(rule: error.rule), at: start) }
        do {
            try copyMatches(header, matchBytes, rawCount, &output)
        } catch { throw ContainerError(.malformed(rule: error.rule), at: matchStart) }
    }

    private static func readLiterals(
        _ header: LZFSEBlockHeader, _ bytes: [UInt8], _ table: [LZFSETables.Symbol],
        _ literals: inout [UInt8]
    ) throws(LZFSEFault) {
        // Four states alternate.
        let count = (header.literalCount + 3) / 4 * 4
        if literals.count < count { literals = [UInt8](repeating: 0, count: count) }
        var bits = BackwardBits(bytes, unused: header.literalUnusedBits)
        var (state0, state1) = (header.literalStates[0], header.literalStates[1])
        var (state2, state3) = (header.literalStates[2], header.literalStates[3])
        var output = literals.mutableSpan
        for index in stride(from: 0, to: count, by: 4) {
            bits.refill()
            output[index] = bits.nextSymbol(&state0, table.span)
            output[index + 1] = bits.nextSymbol(&state1, table.span)
            output[index + 2] = bits.nextSymbol(&state2, table.span)
            output[index + 3] = bits.nextSymbol(&state3, table.span)
            guard !bits.isOverrun else { throw LZFSEFault("the literals of an LZFSE block end early") }
        }
    }

    private mutating func copyMatches(
        _ header: LZFSEBlockHeader, _ bytes: [UInt8], _ rawCount: Int, _ output: inout [UInt8]
    ) throws(LZFSEFault) {
        var place = output.count
        let end = place + rawCount
        output.append(contentsOf: repeatElement(0, count: rawCount))
        var bits = BackwardBits(bytes, unused: header.matchUnusedBits)
        var states = header.states
        var literal = 0
        var distance = 0
        var target = output.mutableSpan
        let source = literals.span
        for _ in 0..<header.matchCount {
            bits.refill()
            let length = bits.nextValue(&states.0, tables.literalLengths.span)
            let matched = bits.nextValue(&states.1, tables.matchLengths.span)
            let newDistance = bits.nextValue(&states.2, tables.distances.span)
            // 0 repeats the distance before it.
            if newDistance != 0 { distance = newDistance }
            guard !bits.isOverrun else { throw LZFSEFault("the matches of an LZFSE block end early") }
            guard length <= header.literalCount - literal, length + matched <= end - place else {
                throw LZFSEFault("match of an LZFSE block is longer than the rest of the block")
            }
            for offset in 0..<length { target[place + offset] = source[literal + offset] }
            place += length
            literal += length
            guard matched == 0 || (distance >= 1 && distance <= place) else {
                throw LZFSEFault("match of an LZFSE block begins \(distance) bytes back, at byte \(place)")
            }
            // Copies byte by byte: a match may overlap its own output.
            for offset in place..<place + matched { target[offset] = target[offset - distance] }
            place += matched
        }
        guard place == end else {
            throw LZFSEFault("LZFSE block is \(end - place) bytes shorter than it declares")
        }
    }
}

/// A rule that a block breaks.
struct LZFSEFault: Error {
    var rule: String

    init(_ rule: String) { self.rule = rule }
}
