internal import Bytes

/// Decodes the payload of a `bvxn` block, which LZFSE uses for short data, and appends `rawCount` bytes.
///
/// Each operation begins with a byte whose bits declare the number of literals that follow (L), the number of repeated
/// bytes (M), and their distance (D): `LLMMMDDD` with eight more bits of D, `101LLMMM` with fourteen, `LLMMM111` with
/// sixteen, `LLMMM110` with the previous D. `1110LLLL` is literals only, `1111MMMM` a match only. `base` is the
/// payload's offset in its file.
func decodeLZVN(
    _ payload: [UInt8], base: Int, _ rawCount: Int, _ output: inout [UInt8]
) throws(ContainerError) {
    var cursor = ByteCursor(payload.span, base: base)
    cursor.byteOrder = .littleEndian
    let end = output.count + rawCount
    var distance = 0
    while true {
        let operation = Int(try cursor.readByte())
        var literalCount = operation >> 6
        var matchCount = operation >> 3 & 7 + 3
        switch operation {
        case 0x06:
            guard output.count == end else {
                throw cursor.malformed(
                    "LZVN block is \(end - output.count) bytes shorter than it declares")
            }
            return
        case 0x0E, 0x16: continue
        case 0x1E, 0x26, 0x2E, 0x36, 0x3E, 0x70...0x7F, 0xD0...0xDF:
            throw cursor.malformed("\(operation) is not an operation of LZVN")
        case 0xA0...0xBF:
            let more = try cursor.readUInt16()
            literalCount = operation >> 3 & 3
            matchCount = ((operation & 7) << 2) + (more & 3) + 3
            distance = more >> 2
        case 0xE0: (literalCount, matchCount) = (Int(try cursor.readByte()) + 16, 0)
        case 0xE1...0xEF: (literalCount, matchCount) = (operation & 15, 0)
        case 0xF0: (literalCount, matchCount) = (0, Int(try cursor.readByte()) + 16)
        case 0xF1...0xFF: (literalCount, matchCount) = (0, operation & 15)
        default:
            if operation & 7 == 7 {
                distance = try cursor.readUInt16()
            } else if operation & 7 != 6 {
                distance = ((operation & 7) << 8) + Int(try cursor.readByte())
            }
        }
        guard literalCount + matchCount <= end - output.count else {
            throw cursor.malformed(
                "LZVN operation writes \(literalCount + matchCount) bytes, "
                    + "\(end - output.count) are left of the declared size")
        }
        output += try cursor.readBytes(literalCount)
        guard matchCount == 0 || (distance >= 1 && distance <= output.count) else {
            throw cursor.malformed(
                "match of an LZVN block begins \(distance) bytes back, at byte \(output.count)")
        }
        // Copies byte by byte: a match may overlap its own output.
        for _ in 0..<matchCount { output.append(output[output.count - distance]) }
    }
}
