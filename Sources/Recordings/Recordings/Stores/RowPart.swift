internal import Bytes

/// A part within a message in a database; `range` is a range of the message.
struct RowPart: FramePart {
    let source: RowSource
    let range: Range<Int>

    func read(
        into bytes: inout [UInt8], _ memory: inout StoreMemory, _ limits: DecodingLimits
    ) throws(ContainerError) {
        try limits.check(.codedBytes, range.count)
        try source.read(range, into: &bytes)
    }

    func source(_ limits: DecodingLimits) -> (any ByteSource)? { copy(limits) }
}
