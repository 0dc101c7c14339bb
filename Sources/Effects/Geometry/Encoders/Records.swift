extension [UInt8] {
    /// Appends `count` records of `size` bytes, each written by `fill`, in order. `fill` writes every byte of a record, and
    /// may write up to four bytes after it, which are overwritten.
    @inline(__always)
    mutating func append(records count: Int, of size: Int, fill: (Int, UnsafeMutableRawPointer) -> Void) {
        unsafe append(byteCount: count * size) { output in
            guard let first = output.baseAddress else { return }
            // SAFETY: there is memory for all records and four bytes; each pointer is inside.
            for index in 0..<count { unsafe fill(index, first + index * size) }
        }
    }

    /// Appends bytes that `fill` writes, every one of them; it may write up to four bytes after them.
    @inline(__always)
    mutating func append(byteCount count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        let start = self.count
        guard start > 0 else {
            // Does not zero the bytes first.
            self = unsafe [UInt8](unsafeUninitializedCapacity: count + 4) { output, initialized in
                unsafe fill(UnsafeMutableRawBufferPointer(output))
                initialized = count
            }
            return
        }
        self += repeatElement(0, count: count + 4)
        unsafe withUnsafeMutableBytes { unsafe fill(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
        removeLast(4)
    }

    /// Appends a number, least significant byte first.
    package mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        var rest = number
        for _ in 0..<MemoryLayout<Number>.size {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Appends a number in IEEE 754 binary64, least significant byte first.
    mutating func append(littleEndian number: Double) { append(littleEndian: number.bitPattern) }

    /// Appends ASCII text in exactly `size` bytes: truncated, or padded with zeros.
    mutating func append(_ text: String, inBytes size: Int) {
        let bytes = text.utf8.prefix(size)
        self += bytes
        self += repeatElement(0, count: size - bytes.count)
    }
}
