/// Four ASCII characters in a 32-bit number: box and brand names, item types, pixel formats.
///
/// A string literal must be exactly four ASCII characters:
///
///     let brand: FourCC = "heic"
package struct FourCC: RawRepresentable, Hashable, Sendable {
    /// The characters, first one in the most significant byte.
    package var rawValue: UInt32

    /// The code with this value.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The code spelled `text`; `nil` unless that is exactly four ASCII characters.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 4, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        self.rawValue = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension FourCC: ExpressibleByStringLiteral {
    /// The code spelled by a literal of exactly four ASCII characters.
    package init(stringLiteral value: String) {
        guard let code = FourCC(value) else {
            preconditionFailure("\"\(value)\" is not four ASCII characters")
        }
        self = code
    }
}

extension FourCC: CustomStringConvertible {
    /// The four characters; anything but printable ASCII is shown as `.`.
    package var description: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) }
        return String(bytes.map { (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "." })
    }
}
