/// The bytes of a hex dump; white space is ignored.
func bytes(_ dump: String) -> [UInt8] {
    let digits = dump.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// A box of ISO/IEC 14496-12 §4.2 around a payload.
func box(_ type: String, _ payload: [UInt8]...) -> [UInt8] {
    let content = payload.flatMap(\.self)
    return number(content.count + 8) + Array(type.utf8) + content
}

/// A big-endian number of four bytes.
func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

/// A hand-made HEIF file of items of type `hvc1`: `ftyp`, then `meta` with these boxes after `hdlr`,
/// `pitm` (item 1) and `iinf`.
func heif(items: Int, _ boxes: [UInt8]...) -> [UInt8] {
    let entries = (1...items).map { box("infe", bytes("02000000 00 0\($0) 0000"), Array("hvc1\0".utf8)) }
    return box("ftyp", Array("heic\0\0\0\0heic".utf8))
        + box(
            "meta", bytes("00000000"), box("hdlr", bytes("00000000 00000000"), Array("pict".utf8)),
            box("pitm", bytes("00000000 0001")),
            box("iinf", bytes("00000000 000\(items)"), entries.flatMap(\.self)),
            boxes.flatMap(\.self))
}
