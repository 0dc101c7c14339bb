internal import ByteParsing

/// The part of a photo's XMP that does not fit one JPEG segment (XMP specification part 3, §1.1.3.1).
///
/// Each segment holds 32 digits (the MD5 of the whole, by which the main packet names it), the size of the whole, the
/// place of this piece in it, both big-endian, and the piece.
enum ExtendedXMP {
    private static let note = "http://ns.adobe.com/xmp/note/"

    /// Joins the segments that the main packet names by their GUID, wherever they stand in the file. `data` holds what
    /// is in the segments, from the GUID on.
    ///
    /// Writers get places wrong, repeat segments and change the case of the GUID. Pieces go to their places; where they
    /// leave a gap there, they are joined in file order, if that gives the announced size.
    ///
    /// `nil` when the main packet names none. Throws when pieces are missing, or pass a limit.
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
            let packet = joinedByPlace(pieces, total) ?? joinedInFileOrder(pieces, total)
        else {
            throw ContainerError(
                .malformed(rule: "the extended XMP that the photo names is not all there"), at: place,
                in: path)
        }
        return (packet, place)
    }

    private struct Piece {
        var total: Int
        var start: Int
        /// The place in the file.
        var place: Int
        var bytes: [UInt8]
    }

    /// Every piece at its place; `nil` when one leaves the whole, or they do not cover it.
    private static func joinedByPlace(_ pieces: [Piece], _ total: Int) -> [UInt8]? {
        var packet: [UInt8] = []
        packet.reserveCapacity(pieces.reduce(0) { $0 + $1.bytes.count })
        for piece in pieces.sorted(by: { $0.start < $1.start }) {
            guard piece.start <= packet.count, piece.start + piece.bytes.count <= total else { return nil }
            packet += piece.bytes.dropFirst(packet.count - piece.start)
        }
        return packet.count == total ? packet : nil
    }

    /// The pieces as they follow each other, repeated ones once.
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
