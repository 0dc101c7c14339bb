internal import Bytes
internal import RasterFormats

extension RasterDecoder {
    private static let path = StructurePath("NPZ")

    /// Chooses an array of an archive, and reads its header: the one named `name`, else the only one, else the only one whose
    /// name includes depth or disparity.
    func describeArchive(choosing name: String?) throws(ContainerError) -> RasterDescription {
        let directory = try ZIPDirectory(parsing: source, limits: limits)
        let arrays = directory.entries.filter { $0.name.hasSuffix(".npy") }
        guard !arrays.isEmpty else {
            throw ContainerError(
                .unrecognized(detail: "this is a ZIP archive without NumPy arrays"), in: Self.path)
        }
        let file = arrays.first { $0.name == name }
        let index = try (file?.arrayName ?? name).choice(of: arrays.map(\.arrayName), in: Self.path)
        let entry = arrays[index]
        let start = try bytes(of: entry, upTo: NPYHeader.usualByteCount)
        return try RasterDescription(entry, startingWith: start, limits: limits)
    }

    /// The samples of a member after its header. The complete member is unpacked, and its checksum checked.
    func samples(
        in entry: ZIPDirectory.Entry, behind header: Int, count: Int
    ) throws(ContainerError) -> [UInt8] {
        // A header of at most 16 MiB and a plane of checked size: larger members are not unpacked.
        guard entry.byteCount - header == count else {
            throw ContainerError(
                .malformed(
                    rule:
                        "array takes \(count) bytes, its ZIP member has \(entry.byteCount - header)"
                ),
                at: entry.range.lowerBound, in: Self.path)
        }
        let member = try bytes(of: entry, upTo: entry.byteCount)
        try ArchiveMembers(source, limits: limits).checkSum(of: member, entry)
        return Array(member[header...])
    }

    private func bytes(of entry: ZIPDirectory.Entry, upTo most: Int) throws(ContainerError) -> [UInt8] {
        try ArchiveMembers(source, limits: limits).bytes(of: entry, upTo: most)
    }
}
