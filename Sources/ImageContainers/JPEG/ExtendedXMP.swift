internal import ByteParsing

/// The part of a photo's XMP that does not fit one JPEG segment (XMP specification part 3, §1.1.3.1).
enum ExtendedXMP {
    private static let note = "http://ns.adobe.com/xmp/note/"

    /// Joins the segments that the main packet names by their GUID, wherever they stand in the file.
    ///
    /// `nil` when the main packet names none. Throws when pieces are missing, overlap the announced length, or
    /// pass a limit.
    static func assemble(
        _ segments: [Range<Int>], namedBy main: XMPProperties, _ bytes: WindowedBytes, limits: DecodingLimits
    ) throws(ContainerError) -> (packet: [UInt8], offset: Int)? {
        guard let guid = main[note, "HasExtendedXMP"]?.text else { return nil }
        let path = StructurePath("APP1").appending("XMP")
        var packet: [UInt8] = []
        var missing = 0
        var place = 0
        for segment in segments {
            let data = try bytes.read(segment)
            var cursor = ByteCursor(data.span, base: segment.lowerBound, path: path)
            let name = String(decoding: try cursor.readBytes(32), as: UTF8.self)
            guard name == guid else { continue }
            let total = try cursor.readUInt32()
            let start = try cursor.readUInt32()
            let piece = try cursor.readRemainingBytes()
            if packet.isEmpty {
                try limits.check(.xmpBytes, total, at: segment.lowerBound, in: path)
                packet = [UInt8](repeating: 0, count: total)
                missing = total
                place = segment.lowerBound
            }
            guard total == packet.count, start <= total, piece.count <= total - start else {
                throw cursor.malformed(
                    "a piece of \(piece.count) bytes at \(start) leaves the \(total) announced")
            }
            packet.replaceSubrange(start..<start + piece.count, with: piece)
            missing -= piece.count
        }
        guard !packet.isEmpty, missing == 0 else {
            throw ContainerError(
                .malformed(rule: "the extended XMP that the photo names is not all there"), at: place,
                in: path)
        }
        return (packet, place)
    }
}
