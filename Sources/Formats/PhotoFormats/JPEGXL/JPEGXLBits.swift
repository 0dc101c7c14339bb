internal import Bytes

/// The bits of a JPEG XL codestream, least significant first (ISO/IEC 18181-1 §6).
struct JPEGXLBits {
    private let bytes: [UInt8]
    private let base: Int
    private var bit = 0

    /// Reads the codestream whose first byte is at `base` of the file.
    init(_ bytes: [UInt8], at base: Int) {
        self.bytes = bytes
        self.base = base
    }

    /// An error at the next bit.
    func failure(_ reason: ContainerError.Reason) -> ContainerError {
        ContainerError(reason, at: base + bit / 8, in: StructurePath("JXL"))
    }

    /// `u(n)`, 0 to 32 bits.
    mutating func read(_ count: Int) throws(ContainerError) -> Int {
        guard bit + count <= bytes.count * 8 else {
            throw failure(.truncated(needed: (count + 7) / 8, available: bytes.count - bit / 8))
        }
        var value = 0
        for place in 0..<count {
            value |= Int(bytes[bit >> 3] >> UInt8(bit & 7) & 1) << place
            bit += 1
        }
        return value
    }

    /// `Bool()`
    mutating func readFlag() throws(ContainerError) -> Bool { try read(1) == 1 }

    mutating func skip(_ count: Int) throws(ContainerError) {
        guard count <= bytes.count * 8 - bit else {
            throw failure(.truncated(needed: (count + 7) / 8, available: bytes.count - bit / 8))
        }
        bit += count
    }

    /// One of the four alternatives of a `U32()`: an offset, and the number of bits to add to it.
    struct Alternative {
        var offset: Int
        var bits = 0

        init(_ offset: Int, _ bits: Int = 0) {
            self.offset = offset
            self.bits = bits
        }
    }

    /// `U32(d0, d1, d2, d3)`
    mutating func read(
        _ first: Alternative, _ second: Alternative, _ third: Alternative, _ fourth: Alternative
    ) throws(ContainerError) -> Int {
        let chosen = [first, second, third, fourth][try read(2)]
        return chosen.offset + (try read(chosen.bits))
    }
}
