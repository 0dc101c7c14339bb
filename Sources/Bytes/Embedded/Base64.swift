/// Decodes base64 (RFC 4648 §4) as XMP has it: white space anywhere, padding optional.
///
/// Returns `nil` if `text` has any other character, or a length that no bytes encode to.
package func decodeBase64(_ text: String) -> [UInt8]? { decodeBase64(text.utf8[...], isCut: false) }

/// Decodes the first `count` characters of a long text, up to the last byte that they determine.
package func decodeBase64(firstOf text: String, count: Int) -> [UInt8]? {
    let start = text.utf8.prefix(count)
    return decodeBase64(start, isCut: start.endIndex != text.utf8.endIndex)
}

private func decodeBase64(_ text: Substring.UTF8View, isCut: Bool) -> [UInt8]? {
    unsafe text.withContiguousStorageIfAvailable { unsafe decodeBase64($0.span, isCut: isCut) }
        ?? decodeBase64(Array(text).span, isCut: isCut)
}

private func decodeBase64(_ text: Span<UInt8>, isCut: Bool) -> [UInt8]? {
    let values = digitValues.span
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 3)
    var group: UInt32 = 0
    var digits = 0
    var isPadded = false
    for index in text.indices {
        let value = values[Int(text[index])]
        guard value < 64 else {
            if value == space { continue }
            guard value == padding else { return nil }
            isPadded = true
            continue
        }
        guard !isPadded else { return nil }
        group = group << 6 | UInt32(value)
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

private let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// The meaning of each byte: 0…63, ``padding``, ``space``, or nothing.
private let digitValues: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    values[Int(UInt8(ascii: "="))] = padding
    for white: UInt8 in [0x09, 0x0A, 0x0D, 0x20] { values[Int(white)] = space }
    return values
}()

private let padding: UInt8 = 64
private let space: UInt8 = 65

/// Encodes bytes as base64 (RFC 4648 §4), padded, in one line.
package func encodeBase64(_ bytes: [UInt8]) -> String {
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
