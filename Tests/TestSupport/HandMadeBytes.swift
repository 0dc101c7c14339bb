// Numbers, boxes and small files, made without the code under test.

/// The bytes of a hex dump; white space is ignored.
public func hex(_ dump: String) -> [UInt8] {
    let digits = dump.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// A number whose least significant byte is the first.
public func littleEndian(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// Float32 numbers whose least significant bytes are the first.
public func littleEndian(_ values: [Float]) -> [UInt8] {
    values.flatMap { littleEndian(Int($0.bitPattern)) }
}

/// A number whose most significant byte is the first.
public func bigEndian(_ value: Int, _ count: Int = 4) -> [UInt8] { littleEndian(value, count).reversed() }

/// A box of ISO/IEC 14496-12 §4.2 around its content.
public func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
    let content = Array(content.joined())
    return bigEndian(content.count + 8) + Array(type.utf8) + content
}

/// A stream of LZFSE whose only block is not compressed.
public func uncompressedLZFSE(_ content: [UInt8]) -> [UInt8] {
    Array("bvx-".utf8) + littleEndian(content.count) + content + Array("bvx$".utf8)
}

/// An array in NumPy's format 1.0, row by row; `type` is that of its samples, as in `<f4`.
public func npy(_ samples: [UInt8], type: String, shape: String) -> [UInt8] {
    let header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(shape)), }"
    let text = header + String(repeating: " ", count: 117 - header.utf8.count) + "\n"
    return [0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0] + Array(text.utf8) + samples
}

/// A PGM file of these 16-bit codes, whose most significant bytes are the first.
public func pgm(_ codes: [Int], width: Int) -> [UInt8] {
    Array("P5 \(width) \(codes.count / width) 65535\n".utf8) + codes.flatMap { bigEndian($0, 2) }
}

extension Collection<UInt8> {
    /// The number at an offset from the start, least significant byte first.
    public func littleEndian(at offset: Int, _ count: Int = 4) -> Int {
        dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The number at an offset from the start, most significant byte first.
    public func bigEndian(at offset: Int, _ count: Int = 4) -> Int {
        dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }

    /// The Float32 number at an offset from the start, least significant byte first.
    public func float(at offset: Int) -> Float {
        Float(bitPattern: UInt32(littleEndian(at: offset)))
    }
}
