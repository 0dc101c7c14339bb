/// Numbers as XMP writes them: plain decimals with a point, without an exponent, in every locale.
package enum DecimalText {
    /// `value` with six decimals, as Apple writes ranges and sizes: halves are rounded to even digits, as C's `printf` does.
    package static func sixDecimals(_ value: Double, field: String) throws(ContainerWritingError) -> String {
        guard let millionths = Int(exactly: (value * 1_000_000).rounded(.toNearestOrEven)) else {
            throw .notRepresentable(field: field, value: "\(value)")
        }
        let magnitude = millionths.magnitude
        let fraction = String(magnitude % 1_000_000)
        let zeros = String(repeating: "0", count: 6 - fraction.count)
        return "\(millionths < 0 ? "-" : "")\(magnitude / 1_000_000).\(zeros)\(fraction)"
    }

    /// The shortest decimal that reads back as exactly `value`.
    package static func shortest(_ value: Double, field: String) throws(ContainerWritingError) -> String {
        guard value.isFinite else { throw .notRepresentable(field: field, value: "\(value)") }
        // Swift's description has the fewest digits that identify the number, such as 12.5 or 1.25e-05.
        let parts = value.magnitude.description.split(separator: "e")
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let number = parts[0].split(separator: ".")
        let whole = String(number[0])
        let fraction = number.count > 1 && number[1] != "0" ? String(number[1]) : ""
        return (value < 0 ? "-" : "") + pointShifted(whole: whole, fraction: fraction, by: exponent)
    }

    private static func pointShifted(whole: String, fraction: String, by exponent: Int) -> String {
        var digits = whole + fraction
        var point = whole.count + exponent
        if point < 1 {
            digits = String(repeating: "0", count: 1 - point) + digits
            point = 1
        }
        digits += String(repeating: "0", count: max(0, point - digits.count))
        let decimals = digits.dropFirst(point)
        return decimals.isEmpty ? digits : "\(digits.prefix(point)).\(decimals)"
    }
}
