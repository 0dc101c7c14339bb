internal import ByteParsing

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

    /// The message in a part of a bag. `offset` is for errors.
    init(_ part: any FramePart, at offset: Int) {
        self.part = part
        self.offset = offset
    }

    /// Decompresses the message.
    func read(_ memory: inout StoreMemory, _ limits: DecodingLimits) throws(ContainerError) -> [UInt8] {
        var packed: [UInt8] = []
        try part.read(into: &packed, &memory, limits)
        var bytes: [UInt8] = []
        let count = try Packing.zstandardSize(packed, at: offset, limits)
        try Packing.zstandard.unpack(packed, count: count, into: &bytes, at: offset, limits)
        return bytes
    }
}
