/// A JPEG stream of gray zeros with valid markers, 64 × 48 by default, that starts with these segments.
func jpeg(width: Int = 64, height: Int = 48, _ segments: [UInt8]...) -> [UInt8] {
    let frame =
        bytes("ffc0 000b 08") + number(height).suffix(2) + number(width).suffix(2) + bytes("01 01 11 00")
    return bytes("ffd8") + segments.flatMap(\.self) + frame + bytes("ffda 0008 01 01 00 00 3f 00 00 ffd9")
}

/// A marker segment.
func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + number(payload.count + 2).suffix(2) + payload
}

/// A little-endian number of four bytes.
func little(_ value: Int) -> [UInt8] { number(value).reversed() }

/// An Exif segment with a make and an orientation.
func exif(make: String, orientation: UInt8 = 1) -> [UInt8] {
    let name = Array(make.utf8) + [0]
    let head = bytes("4d4d002a 00000008 0002 010f 0002") + number(name.count) + number(38)
    return segment(
        0xE1,
        Array("Exif\0\0".utf8) + head + bytes("0112 0003 00000001 00") + [orientation]
            + bytes("0000 00000000") + name)
}
