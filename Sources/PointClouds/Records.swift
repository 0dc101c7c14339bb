extension [UInt8] {
    /// Appends `count` records of `size` bytes, each written by `fill` at its place, in order. `fill` writes every byte
    /// of a record, and may write up to four behind it, which what follows overwrites.
    @inline(__always)
    mutating func append(records count: Int, of size: Int, fill: (Int, UnsafeMutableRawPointer) -> Void) {
        // SAFETY: there is room for all records and four bytes; each gets a place inside.
        let records = unsafe [UInt8](unsafeUninitializedCapacity: count * size + 4) { output, initialized in
            if let start = unsafe UnsafeMutableRawPointer(output.baseAddress) {
                for index in 0..<count { unsafe fill(index, start + index * size) }
            }
            initialized = count * size
        }
        if isEmpty { self = records } else { self += records }
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
