internal import Bytes
internal import Codecs
internal import RasterFormats

/// A part that is a member of an archive.
struct MemberPart: FramePart {
    private let archive: StoredArchive
    private let index: Int

    /// The member with an index among ``StoredArchive/members``.
    init(of archive: StoredArchive, at index: Int) {
        self.archive = archive
        self.index = index
    }

    private var member: ZIPDirectory.Entry { archive.members[index] }

    var name: String? { member.name }

    func read(
        into bytes: inout [UInt8], _ memory: inout StoreMemory, _ limits: DecodingLimits
    ) throws(ContainerError) {
        try limits.check(.codedBytes, member.byteCount, at: member.range.lowerBound)
        try archive.reader(limits).read(member, into: &bytes)
    }

    func source(_ limits: DecodingLimits) -> (any ByteSource)? {
        guard (try? limits.check(.codedBytes, member.byteCount)) != nil else { return nil }
        let bytes = try? archive.reader(limits).bytes(of: member)
        return bytes.map { MemorySource($0) }
    }

    func count(unpacked byteCount: Int, of packed: Int, _ limits: DecodingLimits) throws(ContainerError) {
        try archive.unpacked.count(byteCount, onceFrom: member.range.lowerBound)
    }
}

/// An archive with members for frames.
final class StoredArchive: Sendable {
    private let source: any ByteSource
    let members: [ZIPDirectory.Entry]
    /// What members, and frames in them, are decompressed to.
    let unpacked: UnpackedBytes

    init(_ source: any ByteSource, members: [ZIPDirectory.Entry], _ limits: DecodingLimits) {
        self.source = source
        self.members = members
        unpacked = UnpackedBytes(ofFile: source.byteCount, limits)
    }

    /// Reads members.
    func reader(_ limits: DecodingLimits) -> ArchiveMembers {
        ArchiveMembers(source, limits: limits, unpacked: unpacked)
    }
}
