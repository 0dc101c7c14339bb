package import Bytes

extension RasterSamples {
    /// Reads the decimal samples of a text PGM or PPM file (netpbm's plain formats), separated by white space. `#` starts a
    /// comment up to the end of the line.
    ///
    /// Throws if there are fewer than `count`, if one is larger than `maximum`, or if there is anything but digits.
    package init(text: [UInt8], at start: Int, count: Int, maximum: Int) throws(ContainerError) {
        let path = StructurePath("PGM")
        var numbers = NumberText(text)
        var codes: [UInt16] = []
        codes.reserveCapacity(count)
        while codes.count < count {
            let (number, offset) = numbers.next()
            guard let number else {
                guard offset < text.count else {
                    throw ContainerError(
                        .truncated(needed: count, available: codes.count), at: start + offset, in: path)
                }
                throw ContainerError(
                    .malformed(rule: "sample of a text PGM is not a decimal number"), at: start + offset,
                    in: path)
            }
            guard number <= maximum else {
                throw ContainerError(
                    .malformed(rule: "the largest sample is declared as \(maximum), but one is \(number)"),
                    at: start + offset, in: path)
            }
            codes.append(UInt16(number))
        }
        self = maximum > 255 ? .uint16(codes) : .uint8(codes.map { UInt8(truncatingIfNeeded: $0) })
    }
}

/// Decimal numbers that are separated by white space and comments.
private struct NumberText {
    private let text: [UInt8]
    private var offset = 0

    init(_ text: [UInt8]) { self.text = text }

    /// The next number and its offset; `nil` at the end of the text, or at a byte that is not a digit. A number of more than
    /// six digits is too large for a sample; its first digits are returned.
    mutating func next() -> (number: Int?, offset: Int) {
        while offset < text.count, isHeaderSpace(text[offset]) || text[offset] == UInt8(ascii: "#") {
            if text[offset] == UInt8(ascii: "#") {
                while offset < text.count, text[offset] != 0x0A { offset += 1 }
            } else {
                offset += 1
            }
        }
        let start = offset
        var number = 0
        while offset < text.count, offset - start < 6, (0x30...0x39).contains(text[offset]) {
            number = number * 10 + Int(text[offset] - 0x30)
            offset += 1
        }
        return (offset > start ? number : nil, start)
    }
}
