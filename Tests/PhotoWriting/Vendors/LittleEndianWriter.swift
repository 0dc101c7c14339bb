/// Collects bytes in little-endian order, which phone vendors' trailers use.
struct LittleEndianWriter: Sendable {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: some FixedWidthInteger & Sendable) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func append(_ other: some Sequence<UInt8>) {
        bytes.append(contentsOf: other)
    }
}
