internal import Bytes

/// A part within a compressed message of a bag; `range` is a range of the decompressed bytes.
struct PackedPart: FramePart {
    let message: PackedMessage
    let range: Range<Int>

    func read(
        into bytes: inout [UInt8], _ memory: inout StoreMemory, _ limits: DecodingLimits
    ) throws(ContainerError) {
        let unpacked = try message.read(&memory, limits)
        try MemorySource(unpacked).check(range)
        bytes.removeAll(keepingCapacity: true)
        bytes += unpacked[range]
    }

    func source(_ limits: DecodingLimits) -> (any ByteSource)? { copy(limits) }
}

/// A message of a bag that is a Zstandard frame by itself.
final class PackedMessage: Sendable {
    private let part: any FramePart
    private let offset: Int
    private let byteCount: Int

    /// Decompresses the message in a part of a bag, and counts its bytes. `offset` is for errors.
    init(
        _ part: any FramePart, at offset: Int, _ limits: DecodingLimits, _ unpacked: UnpackedBytes,
        into bytes: inout [UInt8]
    ) throws(ContainerError) {
        self.part = part
        self.offset = offset
        var packed: [UInt8] = []
        var memory = StoreMemory()
        try part.read(into: &packed, &memory, limits)
        byteCount = try Packing.zstandardSize(packed, at: offset, limits, unpacked)
        try Packing.zstandard.unpack(packed, count: byteCount, into: &bytes, at: offset, limits)
    }

    /// Decompresses the message again.
    func read(_ memory: inout StoreMemory, _ limits: DecodingLimits) throws(ContainerError) -> [UInt8] {
        var packed: [UInt8] = []
        try part.read(into: &packed, &memory, limits)
        var bytes: [UInt8] = []
        try Packing.zstandard.unpack(packed, count: byteCount, into: &bytes, at: offset, limits)
        return bytes
    }
}
