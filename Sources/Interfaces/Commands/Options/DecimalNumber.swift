internal import ArgumentParser

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
    /// Parses a number in decimal digits, with an optional point and exponent. Returns `nil` for other text that Swift
    /// accepts: hexadecimal digits, infinity and `nan`.
    init?(decimal text: some StringProtocol) {
        guard text.utf8.contains(where: { (0x30...0x39).contains($0) }), text.utf8.allSatisfy(Self.isDecimal)
        else {
            return nil
        }
        self.init(String(text))
    }

    private static func isDecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"),
            UInt8(ascii: "E"):
            true
        default: false
        }
    }
}

/// Reads the value of an option as a decimal number.
@Sendable
func decimal<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ argument: String) throws -> Number {
    guard let number = Number(decimal: argument) else {
        throw ValidationError("write a decimal number, such as 2.5")
    }
    return number
}
