internal import ByteParsing
internal import ImageCodecs
internal import RasterContainers

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
        try ArchiveMembers(archive.source, limits: limits).read(member, into: &bytes)
    }

    func source(_ limits: DecodingLimits) -> (any ByteSource)? {
        guard (try? limits.check(.codedBytes, member.byteCount)) != nil else { return nil }
        let bytes = try? ArchiveMembers(archive.source, limits: limits).bytes(of: member)
        return bytes.map { MemorySource($0) }
    }
}

/// An archive with members for frames.
final class StoredArchive: Sendable {
    let source: any ByteSource
    let members: [ZIPDirectory.Entry]

    init(_ source: any ByteSource, members: [ZIPDirectory.Entry]) {
        self.source = source
        self.members = members
    }
}
