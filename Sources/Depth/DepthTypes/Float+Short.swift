extension Float {
    /// Up to four significant digits, for people.
    package var short: String {
        guard isFinite, magnitude > 0 else { return isFinite ? "0" : "infinity" }
        var (digits, scale) = (3, magnitude)
        while scale >= 10, digits > 0 { (scale, digits) = (scale / 10, digits - 1) }
        while scale < 1, digits < 9 { (scale, digits) = (scale * 10, digits + 1) }
        var unit = 1.0
        for _ in 0..<digits { unit *= 10 }
        let rounded = (Double(self) * unit).rounded() / unit
        let text = "\(rounded)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
