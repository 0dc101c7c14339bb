extension RGB<UInt8> {
    /// The sRGB color of a name, or of `#rgb` or `#rrggbb` in hexadecimal digits; `nil` for other text.
    package init?(named text: String) {
        guard text.hasPrefix("#") else {
            guard let code = Self.names[text.lowercased()] else { return nil }
            self.init(code)
            return
        }
        let digits = text.dropFirst()
        guard digits.allSatisfy(\.isHexDigit), let code = UInt32(digits, radix: 16) else { return nil }
        switch digits.count {
        case 3: self.init((code & 0xF00) * 0x1100 + (code & 0xF0) * 0x110 + (code & 0xF) * 0x11)
        case 6: self.init(code)
        default: return nil
        }
    }

    private init(_ code: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: code >> 16), green: UInt8(truncatingIfNeeded: code >> 8),
            blue: UInt8(truncatingIfNeeded: code))
    }

    /// The basic color keywords of CSS (CSS Color Module Level 4 §6.1, as in HTML 4), and orange.
    private static let names: [String: UInt32] = [
        "aqua": 0x00FFFF, "black": 0x000000, "blue": 0x0000FF, "fuchsia": 0xFF00FF, "gray": 0x808080,
        "grey": 0x808080, "green": 0x008000, "lime": 0x00FF00, "maroon": 0x800000, "navy": 0x000080,
        "olive": 0x808000, "orange": 0xFFA500, "purple": 0x800080, "red": 0xFF0000, "silver": 0xC0C0C0,
        "teal": 0x008080, "white": 0xFFFFFF, "yellow": 0xFFFF00,
    ]
}
