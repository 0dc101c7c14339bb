internal import ByteParsing
internal import DepthModel
internal import EmbeddedFormats
internal import ImageCodecs
internal import RasterContainers
internal import Sequences

/// Record3D's archive: a ZIP file with `metadata`, `rgbd/N.jpg`, and `rgbd/N.depth` and `rgbd/N.conf` in LZFSE.
enum Record3DArchiveReader {
    /// `nil` for another kind of archive.
    static func read(
        _ source: any ByteSource, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft? {
        guard let (directory, isCutOff) = try directory(source, limits) else { return nil }
        let described =
            if let entry = directory.entries.first(where: { $0.name == "metadata" }) {
                try self.draft(entry, source, limits)
            } else {
                isCutOff ? try unlabelled(directory, limits) : nil
            }
        guard var draft = described else { return nil }
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
        if isCutOff { noteCut(&draft) }
        return draft
    }

    /// Whether an archive is Record3D's, by its members, even if it is cut off.
    static func recognizes(_ source: any ByteSource, _ limits: DecodingLimits) -> Bool {
        ((try? directory(source, limits)) ?? nil)?.directory.entries.contains { $0.name == "metadata" }
            ?? false
    }

    /// The members, and whether the archive is cut off; `nil` if it is cut off and not Record3D's.
    private static func directory(
        _ source: any ByteSource, _ limits: DecodingLimits
    ) throws(ContainerError) -> (directory: ZIPDirectory, isCutOff: Bool)? {
        let failure: ContainerError
        do throws(ContainerError) {
            return (try ZIPDirectory(parsing: source, limits: limits, countedBy: .frames), false)
        } catch {
            failure = error
        }
        let found = try ZIPDirectory(recovering: source, limits: limits, countedBy: .frames)
        guard found.entries.contains(where: { $0.name == "metadata" || isDepth($0.name) }) else {
            throw failure
        }
        return (found, true)
    }

    private static func isDepth(_ name: String) -> Bool {
        name.hasPrefix("rgbd/") && name.hasSuffix(".depth")
    }

    /// A cut removes the frames behind it, and the description if that comes last.
    private static func noteCut(_ draft: inout RecordingDraft) {
        let count = draft.frames.count
        draft.frames.removeAll { $0.depth == nil }
        let lost =
            draft.convention == nil ? "; its description is lost, and with it poses, times and camera" : ""
        draft.warn(
            .cutOff,
            draft.convention == nil
                ? "the archive is cut off after \(draft.frames.count) frames\(lost)"
                : "the archive is cut off: \(draft.frames.count) of \(count) frames are there")
    }

    /// The frames of an archive without its `metadata`, by their names.
    private static func unlabelled(
        _ directory: ZIPDirectory, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft? {
        var draft = RecordingDraft(.record3DArchive)
        let numbers = directory.entries.filter { isDepth($0.name) }.compactMap { entry in
            Int(entry.name.dropFirst(5).dropLast(6))
        }
        for number in Set(numbers).sorted() where number >= 0 {
            try draft.append(RecordedFrame(number: number), limits)
        }
        return draft.frames.isEmpty ? nil : draft
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
