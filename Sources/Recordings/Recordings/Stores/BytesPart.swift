internal import Bytes

/// A part that is a range of a file's bytes.
struct BytesPart: FramePart {
    let file: StoredBytes
    let range: Range<Int>

    func read(
        into bytes: inout [UInt8], _ memory: inout StoreMemory, _ limits: DecodingLimits
    ) throws(ContainerError) {
        try limits.check(.codedBytes, range.count, at: range.lowerBound)
        try file.source.read(range, into: &bytes)
    }

    func source(_ limits: DecodingLimits) -> (any ByteSource)? { SourcePart(range, of: file.source) }

    func count(unpacked byteCount: Int, of packed: Int, _ limits: DecodingLimits) throws(ContainerError) {
        try file.unpacked.count(byteCount, onceFrom: range.lowerBound)
    }
}

/// A file that holds frames one after another.
final class StoredBytes: Sendable {
    let source: any ByteSource
    /// What frames are decompressed to.
    let unpacked: UnpackedBytes

    init(_ source: any ByteSource, _ limits: DecodingLimits) {
        self.source = source
        unpacked = UnpackedBytes(ofFile: source.byteCount, limits)
    }
}
