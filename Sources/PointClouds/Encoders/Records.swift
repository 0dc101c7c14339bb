extension [UInt8] {
    /// Appends `count` records of `size` bytes, each written by `fill` at its place, in order. `fill` writes every byte
    /// of a record, and may write up to four behind it, which what follows overwrites.
    @inline(__always)
    mutating func append(records count: Int, of size: Int, fill: (Int, UnsafeMutableRawPointer) -> Void) {
        reserveCapacity(self.count + count * size)
        let step = 1024
        var records = [UInt8](repeating: 0, count: Swift.min(step, count) * size + 4)
        for start in stride(from: 0, to: count, by: step) {
            let indices = start..<Swift.min(start + step, count)
            // SAFETY: there is room for `step` records and four bytes; each gets a place inside.
            unsafe records.withUnsafeMutableBytes { output in
                guard let first = output.baseAddress else { return }
                for index in indices { unsafe fill(index, first + (index - start) * size) }
            }
            self += records[..<(indices.count * size)]
        }
    }

    /// Appends a number, least significant byte first.
    mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        var rest = number
        for _ in 0..<MemoryLayout<Number>.size {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Appends a number in IEEE 754 binary64, least significant byte first.
    mutating func append(littleEndian number: Double) { append(littleEndian: number.bitPattern) }

    /// Appends ASCII text in exactly `size` bytes: cut off, or followed by zeros.
    mutating func append(_ text: String, inBytes size: Int) {
        let bytes = text.utf8.prefix(size)
        self += bytes
        self += repeatElement(0, count: size - bytes.count)
    }
}
