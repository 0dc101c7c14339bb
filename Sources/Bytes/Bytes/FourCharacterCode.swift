/// A four-character code: the type of a box, brand, item, pixel format or path component.
///
/// Shorter names are padded with spaces, as ISO/IEC 14496-12 does (`url `).
package struct FourCharacterCode: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// The four bytes, the first in the most significant byte.
    package var rawValue: UInt32

    /// The four bytes as a big-endian number, as stored in files.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
    /// Up to four ASCII characters; a longer literal is truncated to four.
    package init(stringLiteral value: StaticString) {
        var code: UInt32 = 0
        value.withUTF8Buffer { bytes in
            for index in 0..<4 {
                let byte = index < bytes.count ? unsafe bytes[index] : 0x20
                code = code << 8 | UInt32(byte)
            }
        }
        self.rawValue = code
    }
}

extension FourCharacterCode: CustomStringConvertible {
    /// The code as printable ASCII: trailing spaces removed, unprintable bytes as `\xNN`.
    package var description: String {
        var text = ""
        for shift in [24, 16, 8, 0] as [UInt32] {
            let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
            if (0x20..<0x7F).contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}
