internal import Bytes

/// The part of a photo's XMP that does not fit one JPEG segment (XMP specification part 3, §1.1.3.1).
///
/// Each segment has 32 digits (the MD5 of the complete packet, which the main packet uses as its name), the packet's
/// size and the offset of this piece in it, both big-endian, and the piece.
enum ExtendedXMP {
    private static let note = "http://ns.adobe.com/xmp/note/"

    /// Joins the segments that the main packet names by their GUID, in any order. `data` holds the contents of the segments,
    /// starting at the GUID.
    ///
    /// Some writers get offsets wrong, repeat segments, or change the case of the GUID. Pieces are joined by their offsets,
    /// or in file order if offsets leave gaps and file order gives the declared size.
    ///
    /// `nil` if the main packet does not name extended XMP. Throws if pieces are missing or exceed a limit.
    static func assemble(
        _ segments: [Range<Int>], _ data: [[UInt8]], namedBy main: XMPProperties, limits: DecodingLimits
    ) throws(ContainerError) -> (packet: [UInt8], offset: Int)? {
        guard let guid = main[note, "HasExtendedXMP"]?.text else { return nil }
        let path = StructurePath("APP1").appending("XMP")
        var pieces: [Piece] = []
        for (segment, bytes) in zip(segments, data) {
            var cursor = ByteCursor(bytes.span, base: segment.lowerBound, path: path)
            let name = String(decoding: try cursor.readBytes(32), as: UTF8.self)
            guard name.lowercased() == guid.lowercased() else { continue }
            let piece = Piece(
                total: try cursor.readUInt32(), start: try cursor.readUInt32(), place: segment.lowerBound,
                bytes: try cursor.readRemainingBytes())
            try limits.check(.xmpBytes, piece.total, at: segment.lowerBound, in: path)
            pieces.append(piece)
        }
        let place = pieces.first?.place ?? 0
        guard let total = pieces.first?.total, pieces.allSatisfy({ $0.total == total }),
            let packet = joinedByOffset(pieces, total) ?? joinedInFileOrder(pieces, total)
        else {
            throw ContainerError(
                .malformed(rule: "a part of the extended XMP that the photo names is missing"), at: place,
                in: path)
        }
        return (packet, place)
    }

    private struct Piece {
        var total: Int
        var start: Int
        /// The offset in the file.
        var place: Int
        var bytes: [UInt8]
    }

    /// Every piece at its offset; `nil` if one ends outside the packet, or they leave gaps.
    private static func joinedByOffset(_ pieces: [Piece], _ total: Int) -> [UInt8]? {
        var packet: [UInt8] = []
        packet.reserveCapacity(pieces.reduce(0) { $0 + $1.bytes.count })
        for piece in pieces.sorted(by: { $0.start < $1.start }) {
            guard piece.start <= packet.count, piece.start + piece.bytes.count <= total else { return nil }
            packet += piece.bytes.dropFirst(packet.count - piece.start)
        }
        return packet.count == total ? packet : nil
    }

    /// The pieces in file order, without repetitions.
    private static func joinedInFileOrder(_ pieces: [Piece], _ total: Int) -> [UInt8]? {
        var packet: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            guard packet.count + piece.bytes.count <= total else { continue }
            guard index == 0 || piece.bytes != pieces[index - 1].bytes else { continue }
            packet += piece.bytes
        }
        return packet.count == total ? packet : nil
    }
}
