package import Bytes
internal import CCodecShims
package import RasterFormats

/// Unpacks members of a ZIP archive.
package struct ArchiveMembers: Sendable {
    private static let path = StructurePath("ZIP")
    private let source: any ByteSource
    private let limits: DecodingLimits
    private let unpacked: UnpackedBytes

    /// The members of the archive whose bytes are in `source`. What they are decompressed to is counted in `unpacked`.
    package init(_ source: any ByteSource, limits: DecodingLimits, unpacked: UnpackedBytes? = nil) {
        self.source = source
        self.limits = limits
        self.unpacked = unpacked ?? UnpackedBytes(ofFile: source.byteCount, limits)
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
        // Deflate compresses at most 1,032 to 1.
        guard wanted / 2048 <= packed.count else {
            throw ContainerError(
                .truncated(needed: wanted / 2048, available: packed.count), at: entry.range.lowerBound,
                in: Self.path)
        }
        try unpacked.count(wanted, onceFrom: entry.range.lowerBound)
        var bytes = [UInt8](repeating: 0, count: wanted)
        try inflate(
            packed, as: .raw, into: &bytes, isPrefix: !isWhole, at: entry.range.lowerBound, in: Self.path)
        return bytes
    }
}
