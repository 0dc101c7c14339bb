internal import Bytes
internal import Codecs
internal import DepthTypes
internal import Embedded
internal import RasterFormats
internal import Scenes

/// Record3D's archive: a ZIP file with `metadata`, `rgbd/N.jpg`, and `rgbd/N.depth` and `rgbd/N.conf` in LZFSE.
enum Record3DArchiveReader {
    /// `nil` for another kind of archive.
    static func read(
        _ source: any ByteSource, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft? {
        let directory = try ZIPDirectory(parsing: source, limits: limits, countedBy: .frames)
        guard let entry = directory.entries.first(where: { $0.name == "metadata" }),
            var draft = try draft(entry, source, limits)
        else { return nil }
        let archive = StoredArchive(source, members: directory.entries, limits)
        draft.coding.depth = FrameCoding.Depth(storage: .lzfse, unitsPerMeter: 1)
        draft.coding.confidence = .lzfse
        var members: [String: MemberPart] = [:]
        for (index, entry) in directory.entries.enumerated() {
            members[entry.name] = MemberPart(of: archive, at: index)
        }
        draft.sound = members["sound.m4a"]
        for index in draft.frames.indices {
            let stem = "rgbd/\(draft.frames[index].number)"
            draft.frames[index].color = members[stem + ".jpg"] ?? members[stem + ".png"]
            draft.frames[index].depth = members[stem + ".depth"]
            draft.frames[index].confidence = members[stem + ".conf"]
        }
        return draft
    }

    /// Whether an archive is Record3D's, by its members.
    static func recognizes(_ source: any ByteSource, _ limits: DecodingLimits) -> Bool {
        let directory = try? ZIPDirectory(parsing: source, limits: limits, countedBy: .frames)
        return directory?.entries.contains { $0.name == "metadata" } ?? false
    }

    /// The draft that `metadata` describes; `nil` if it describes something else.
    private static func draft(
        _ entry: ZIPDirectory.Entry, _ source: any ByteSource, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft? {
        try limits.check(.metadataBytes, entry.byteCount, at: entry.range.lowerBound)
        let metadata: Record3DMetadata?
        do throws(ContainerError) {
            let bytes = try ArchiveMembers(source, limits: limits).bytes(of: entry)
            metadata = try Record3DMetadata(try JSONValue(parsing: bytes, limits: limits), limits)
        } catch {
            throw error.inFile("metadata")
        }
        guard let metadata else { return nil }
        var draft = metadata.draft(.record3DArchive)
        for frame in metadata.frames { try draft.append(frame, limits) }
        return draft
    }
}
