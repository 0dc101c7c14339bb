package import ByteParsing
internal import CCodecShims
package import RasterContainers

/// Unpacks members of a ZIP archive.
package struct ArchiveMembers: Sendable {
    private static let path = StructurePath("ZIP")
    private let source: any ByteSource
    private let limits: DecodingLimits

    /// The members of the archive whose bytes are in `source`.
    package init(_ source: any ByteSource, limits: DecodingLimits) {
        self.source = source
        self.limits = limits
    }

    /// All bytes of a member, after checking their checksum. Check its size against a limit first.
    package func bytes(of entry: ZIPDirectory.Entry) throws(ContainerError) -> [UInt8] {
        let bytes = try bytes(of: entry, upTo: entry.byteCount)
        try checkSum(of: bytes, entry)
        return bytes
    }

    /// Reads all bytes of a member into an array, whose memory is reused if the member is not packed. Otherwise the same as
    /// ``bytes(of:)``.
    package func read(
        _ entry: ZIPDirectory.Entry, into bytes: inout [UInt8]
    ) throws(ContainerError) {
        if entry.isDeflated || entry.range.count != entry.byteCount {
            bytes = try self.bytes(of: entry)
        } else {
            try source.read(entry.range, into: &bytes)
            try checkSum(of: bytes, entry)
        }
    }

    /// Throws if the checksum of a member's bytes differs from the archive's.
    func checkSum(of bytes: [UInt8], _ entry: ZIPDirectory.Entry) throws(ContainerError) {
        let checksum = unsafe bytes.withUnsafeBufferPointer {
            unsafe isobath_checksum($0.baseAddress, $0.count)
        }
        guard checksum == entry.checksum else {
            throw ContainerError(
                .damaged(detail: "the checksum of '\(entry.name)' is wrong"), at: entry.range.lowerBound,
                in: Self.path)
        }
    }

    /// The first bytes of a member, at most `most`.
    func bytes(of entry: ZIPDirectory.Entry, upTo most: Int) throws(ContainerError) -> [UInt8] {
        let wanted = min(entry.byteCount, most)
        guard entry.isDeflated else {
            return try source.readPrefix(at: entry.range.lowerBound, count: wanted)
        }
        try limits.check(.codedBytes, entry.range.count, at: entry.range.lowerBound, in: Self.path)
        // A beginning needs few packed bytes; stored blocks are the worst case.
        let isWhole = wanted == entry.byteCount
        let packed = try source.readPrefix(
            at: entry.range.lowerBound,
            count: isWhole ? entry.range.count : min(entry.range.count, wanted + wanted / 8 + 1024))
        return try inflated(packed, byteCount: wanted, at: entry.range.lowerBound, in: Self.path)
    }
}

/// Unpacks raw deflate data (RFC 1951) to `byteCount` bytes. Throws if it has fewer, or cannot have that many.
func inflated(
    _ packed: [UInt8], byteCount: Int, at offset: Int, in path: StructurePath
) throws(ContainerError) -> [UInt8] {
    // Deflate compresses at most 1,032 to 1.
    guard byteCount / 2048 <= packed.count else {
        throw ContainerError(
            .truncated(needed: byteCount / 2048, available: packed.count), at: offset, in: path)
    }
    var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
    var (written, code) = (0, Int32(0))
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
        // SAFETY: the buffer holds `byteCount` bytes, and zlib gets this size.
        code = unsafe isobath_inflate(
            packed, packed.count, output.baseAddress, byteCount, &written, &message)
        count = written
    }
    guard Int(code) == ISOBATH_OK else {
        throw ContainerError(.damaged(detail: text(message)), at: offset, in: path)
    }
    guard bytes.count == byteCount else {
        throw ContainerError(
            .truncated(needed: byteCount, available: bytes.count), at: offset + packed.count, in: path)
    }
    return bytes
}

/// Unpacks a zlib stream (RFC 1950) so that it fills an array, whose memory is kept. The checksum is not checked.
///
/// Throws if the stream is damaged or has fewer bytes.
package func inflateZlib(
    _ stream: [UInt8], into bytes: inout [UInt8], at offset: Int = 0
) throws(ContainerError) {
    let path = StructurePath("zlib")
    guard stream.count >= 2, stream[0] & 0x0F == 8, (Int(stream[0]) << 8 | Int(stream[1])) % 31 == 0,
        stream[1] & 0x20 == 0
    else {
        let start = stream.prefix(2).map { String($0, radix: 16) }.joined(separator: " ")
        throw ContainerError(
            .malformed(rule: "zlib stream starts with '\(start)', which is not a zlib header"), at: offset,
            in: path)
    }
    var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
    let (code, written) = unsafe stream.withUnsafeBufferPointer { packed in
        unsafe bytes.withUnsafeMutableBufferPointer { output in
            var written = 0
            // SAFETY: the stream has two bytes before the packed data, and zlib gets the size of the array.
            let code = unsafe isobath_inflate(
                packed.baseAddress.map { unsafe $0 + 2 }, packed.count - 2, output.baseAddress, output.count,
                &written, &message)
            return (code, written)
        }
    }
    guard Int(code) == ISOBATH_OK else {
        throw ContainerError(.damaged(detail: text(message)), at: offset, in: path)
    }
    guard written == bytes.count else {
        throw ContainerError(
            .truncated(needed: bytes.count, available: written), at: offset + stream.count, in: path)
    }
}
