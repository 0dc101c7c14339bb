/// A box of an ISO base media file (ISO/IEC 14496-12 §4.2): its type and its ranges in the file.
package struct Box: Sendable {
    /// The type in its header.
    package var type: FourCharacterCode
    /// The range of the complete box, including its header.
    package var range: Range<Int>
    /// The range after its header.
    package var payload: Range<Int>
    /// The UUID of a `uuid` box, as 32 hexadecimal digits.
    package var uuid: String?

    /// A box with this header whose payload ends at `end`, or at the end of the header if that is later.
    package init(_ header: BoxHeader, end: Int) {
        type = header.type
        range = header.offset..<end
        payload = header.offset + header.headerSize..<end
        uuid = header.uuid
    }

    /// An empty box, instead of a missing one.
    package init(lacking type: FourCharacterCode, at offset: Int) {
        self.type = type
        range = offset..<offset
        payload = range
    }
}

/// The header of a box, whose size may be wrong.
package struct BoxHeader: Sendable {
    /// The maximum size of a header: 8 bytes, 8 of a 64-bit size, 16 of a UUID.
    package static let mostBytes = 32

    package var type: FourCharacterCode
    package var offset: Int
    /// The size of the header: 8, 16 with a 64-bit size, 16 more with a UUID.
    package var headerSize: Int
    /// The size of the complete box; `nil` if it extends to the end of the file.
    package var size: Int?
    /// The UUID of a `uuid` box, as 32 hexadecimal digits.
    package var uuid: String?
}

extension ByteCursor {
    /// Reads a box header.
    @_lifetime(self: copy self)
    package mutating func readBoxHeader() throws(ContainerError) -> BoxHeader {
        let start = offset
        let size32 = try readUInt32()
        let type = try readCode()
        var size: Int? = size32
        if size32 == 1 { size = try readUnsigned(byteCount: 8) }
        if size32 == 0 { size = nil }
        var uuid: String?
        if type == "uuid" {
            uuid = try readBytes(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        let headerSize = offset - start
        if let size, size < headerSize {
            throw ContainerError(
                .malformed(
                    rule: "box '\(type)' declares \(size) bytes, fewer than its header of \(headerSize)"),
                at: start, in: path)
        }
        return BoxHeader(type: type, offset: start, headerSize: headerSize, size: size, uuid: uuid)
    }

    /// A cursor over the payload of a box whose header was just read; a box inside another must fit in it.
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    package mutating func payload(of box: BoxHeader) throws(ContainerError) -> ByteCursor {
        let byteCount = box.size.map { $0 - box.headerSize } ?? remaining
        guard byteCount <= remaining else {
            throw ContainerError(
                .truncated(needed: byteCount, available: remaining), at: box.offset,
                in: path.appending(box.type))
        }
        return try child(named: box.type, byteCount: byteCount)
    }

    /// Reads the boxes of a track (`trak`, ISO/IEC 14496-12 §8.3), including those in `mdia`, `minf` and `stbl`.
    ///
    /// Throws ``ContainerError`` if a box does not fit in the one around it, and what `body` throws.
    @_lifetime(self: copy self)
    package mutating func forEachTrackBox(
        depth: Int = 1, limits: DecodingLimits,
        _ body: (BoxHeader, inout ByteCursor) throws(ContainerError) -> Void
    ) throws(ContainerError) {
        try limits.check(.nesting, depth, at: offset, in: path)
        while !isAtEnd {
            let header = try readBoxHeader()
            var content = try payload(of: header)
            switch header.type {
            case "mdia", "minf", "stbl":
                try content.forEachTrackBox(depth: depth + 1, limits: limits, body)
            default: try body(header, &content)
            }
        }
    }

    /// Reads a box inside another, and skips its payload.
    @_lifetime(self: copy self)
    package mutating func readBox() throws(ContainerError) -> Box {
        let header = try readBoxHeader()
        return Box(header, end: try payload(of: header).remainingRange.upperBound)
    }

    /// Reads the version and flags of a FullBox (§4.2.2).
    @_lifetime(self: copy self)
    package mutating func readFullBoxHeader() throws(ContainerError) -> (version: Int, flags: Int) {
        let word = try readUInt32()
        return (word >> 24, word & 0xFF_FFFF)
    }
}
