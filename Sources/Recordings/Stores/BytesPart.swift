internal import ByteParsing

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
}

/// A file that holds frames one after another.
final class StoredBytes: Sendable {
    let source: any ByteSource

    init(_ source: any ByteSource) { self.source = source }
}
