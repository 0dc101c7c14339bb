internal import Bytes
internal import DepthTypes

extension JPEGContainer {
    /// The thumbnail in Exif (its second directory, Exif 2.32 §4.5.5), and the previews after the photo that the
    /// multi-picture index calls large thumbnails (CIPA DC-007 §5.2.3.3.1).
    func previews() -> [CodedView] {
        let ranges = [try? thumbnailInExif()].compactMap(\.self) + ((try? largeThumbnails()) ?? [])
        return ranges.compactMap { try? preview(at: $0) }
    }

    /// The range of the thumbnail in Exif; `nil` if it is missing or not JPEG.
    private func thumbnailInExif() throws(ContainerError) -> Range<Int>? {
        guard let range = header.exif else { return nil }
        let bytes = try source.read(range)
        var block = ByteCursor(bytes.span, base: range.lowerBound, path: StructurePath("Exif"))
        let first = try block.readTIFFHeader()
        let next = try TIFFDirectory(parsing: &block, at: first, limits: limits).next
        guard next != 0 else { return nil }
        let directory = try TIFFDirectory(parsing: &block, at: next, limits: limits)
        guard let start = try directory.integer(.jpegInterchangeFormat, in: &block),
            let count = try directory.integer(.jpegInterchangeFormatLength, in: &block)
        else { return nil }
        try block.seek(to: start)
        let data = try block.child(byteCount: count)
        return data.offset..<data.offset + count
    }

    private func largeThumbnails() throws(ContainerError) -> [Range<Int>] {
        guard let block = header.multiPicture else { return [] }
        let index = try MultiPictureIndex(
            parsing: try source.read(block), at: block.lowerBound, limits: limits)
        let starts = Set(index.entries.dropFirst().filter(\.isLargeThumbnail).map(\.offset))
        return planes.compactMap { plane in
            guard plane.carrier == .mpf, case .jpegStream(let range) = plane.location,
                starts.contains(range.lowerBound)
            else { return nil }
            return range
        }
    }

    private func preview(at range: Range<Int>) throws(ContainerError) -> CodedView {
        try source.check(range, in: StructurePath("JPEG"))
        var bytes = WindowedBytes(source, size: 1 << 12)
        let header = try JPEGHeader(&bytes, at: range.lowerBound, limits: limits)
        var preview = CodedView(
            location: .jpegStream(range), codedWidth: header.width, codedHeight: header.height)
        preview.orientation = photo.orientation
        let profile = header.colorProfile.sorted { $0.number < $1.number }.map(\.range)
        // Thumbnails mostly omit the profile, which is the photo's.
        preview.colorProfile = profile.isEmpty ? photo.colorProfile : profile
        return preview
    }
}
