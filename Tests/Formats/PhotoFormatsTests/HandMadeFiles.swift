import TestSupport

/// A hand-made HEIF file of items of type `hvc1`: `ftyp`, then `meta` with these boxes after `hdlr`,
/// `pitm` (item 1) and `iinf`.
func heif(items: Int, _ boxes: [UInt8]...) -> [UInt8] {
    let entries = (1...items).map { box("infe", hex("02000000 00 0\($0) 0000"), Array("hvc1\0".utf8)) }
    return box("ftyp", Array("heic\0\0\0\0heic".utf8))
        + box(
            "meta", hex("00000000"), box("hdlr", hex("00000000 00000000"), Array("pict".utf8)),
            box("pitm", hex("00000000 0001")),
            box("iinf", hex("00000000 000\(items)"), entries.flatMap(\.self)),
            boxes.flatMap(\.self))
}

/// A JPEG stream of gray zeros with valid markers, 64 × 48 by default, that starts with these segments.
func jpeg(width: Int = 64, height: Int = 48, _ segments: [UInt8]...) -> [UInt8] {
    let frame =
        hex("ffc0 000b 08") + bigEndian(height, 2) + bigEndian(width, 2) + hex("01 01 11 00")
    return hex("ffd8") + segments.flatMap(\.self) + frame + hex("ffda 0008 01 01 00 00 3f 00 00 ffd9")
}

/// A marker segment.
func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + bigEndian(payload.count + 2, 2) + payload
}

/// An Exif segment with a make and an orientation.
func exif(make: String, orientation: UInt8 = 1) -> [UInt8] {
    let name = Array(make.utf8) + [0]
    let head = hex("4d4d002a 00000008 0002 010f 0002") + bigEndian(name.count) + bigEndian(38)
    return segment(
        0xE1,
        Array("Exif\0\0".utf8) + head + hex("0112 0003 00000001 00") + [orientation]
            + hex("0000 00000000") + name)
}
