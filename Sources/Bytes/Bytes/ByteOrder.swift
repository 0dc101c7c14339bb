/// The order of the bytes of a number.
package enum ByteOrder: Hashable, Sendable {
    /// Most significant byte first (`MM` in TIFF; all of ISO BMFF and JPEG).
    case bigEndian
    /// Least significant byte first (`II` in TIFF).
    case littleEndian
}

extension ByteOrder {
    /// The order of this machine. Libraries return samples in it.
    @inlinable
    package static var host: ByteOrder {
        #if _endian(little)
            .littleEndian
        #else
            .bigEndian
        #endif
    }

    /// The low bytes of a number, at most eight.
    package func bytes(of value: Int, count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return self == .littleEndian ? bytes : bytes.reversed()
    }
}
