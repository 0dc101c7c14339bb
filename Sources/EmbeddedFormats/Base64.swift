/// Decodes base64 (RFC 4648 §4) as XMP has it: white space anywhere, padding optional.
///
/// `nil` for any other character, and for a length that no bytes encode to.
package func decodeBase64(_ text: String) -> [UInt8]? { decodeBase64(text.utf8[...], isCut: false) }

/// Decodes the first characters of a long text, up to the last byte that they determine.
package func decodeBase64(firstOf text: String, count: Int) -> [UInt8]? {
    let start = text.utf8.prefix(count)
    return decodeBase64(start, isCut: start.endIndex != text.utf8.endIndex)
}

private func decodeBase64(_ text: Substring.UTF8View, isCut: Bool) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 3)
    var group: UInt32 = 0
    var digits = 0
    var isPadded = false
    for character in text {
        let digit: UInt8
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): digit = 62
        case UInt8(ascii: "/"): digit = 63
        case UInt8(ascii: "="):
            isPadded = true
            continue
        case 0x09, 0x0A, 0x0D, 0x20: continue
        default: return nil
        }
        guard !isPadded else { return nil }
        group = group << 6 | UInt32(digit)
        digits += 1
        if digits % 4 == 0 {
            bytes.append(UInt8(truncatingIfNeeded: group >> 16))
            bytes.append(UInt8(truncatingIfNeeded: group >> 8))
            bytes.append(UInt8(truncatingIfNeeded: group))
        }
    }
    switch digits % 4 {
    case 2: bytes.append(UInt8(truncatingIfNeeded: group >> 4))
    case 3:
        bytes.append(UInt8(truncatingIfNeeded: group >> 10))
        bytes.append(UInt8(truncatingIfNeeded: group >> 2))
    case 1: return isCut ? bytes : nil
    default: break
    }
    return bytes
}

/// Bytes as base64 (RFC 4648 §4), padded, in one line.
package func encodeBase64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let count = min(3, bytes.count - start)
        var group = UInt32(bytes[start]) << 16
        if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
        if count > 2 { group |= UInt32(bytes[start + 2]) }
        for digit in 0..<4 {
            text.append(
                digit <= count ? digits[Int(group >> UInt32(18 - 6 * digit)) & 63] : UInt8(ascii: "="))
        }
    }
    return String(decoding: text, as: UTF8.self)
}
