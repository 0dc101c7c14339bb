extension String {
    /// The text with everything that a terminal might interpret, or that might be misleading, written as `\u{…}`: control
    /// characters, line ends, and marks that change the direction of writing. Bytes of file names that are not UTF-8 are
    /// written as `\xE9`.
    package var forTerminal: String {
        guard unicodeScalars.contains(where: Self.isUnsafe) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if Self.isUnsafe(scalar) {
                text +=
                    scalar.isRawByte
                    ? "\\x" + String(scalar.value & 0xFF, radix: 16)
                    : "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        case 0x10FF80...0x10FFFF: true
        default: false
        }
    }
}
