/// A complete JPEG image, from SOI to EOI: the segments before its tables, and the rest.
struct JPEGStream: Sendable {
    /// The APPn and COM segments at the beginning.
    var head: [JPEGSegment] = []
    /// Everything after them: tables, frame, scans, EOI.
    private(set) var body: ArraySlice<UInt8>

    /// Splits `bytes`, and checks that they hold one image and nothing else.
    init(_ bytes: [UInt8]) throws(ContainerWritingError) {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else {
            throw .malformedJPEG(rule: "does not start with FF D8 FF (SOI)", offset: 0)
        }
        var walk = MarkerWalk(bytes: bytes, position: 2)
        var bodyStart = 2
        while let segment = try walk.nextHeadSegment() {
            head.append(segment)
            bodyStart = walk.position
        }
        walk.position = bodyStart
        try walk.skipToEnd()
        guard walk.position == bytes.count else {
            throw .malformedJPEG(
                rule: "\(bytes.count - walk.position) bytes follow EOI", offset: walk.position)
        }
        self.body = bytes[bodyStart...]
    }

    func serialized() throws(ContainerWritingError) -> [UInt8] {
        var writer = ByteWriter()
        writer.append([0xFF, 0xD8])
        for segment in head { try segment.append(to: &writer) }
        writer.append(body)
        return writer.bytes
    }
}

/// Goes from marker to marker. Only this finds the true EOI: thumbnails and entropy-coded data can contain the same bytes
/// (ITU-T T.81 §B.1.1.2).
private struct MarkerWalk {
    let bytes: [UInt8]
    var position: Int

    private static let endOfImage: UInt8 = 0xD9
    private static let startOfScan: UInt8 = 0xDA

    /// The next segment if it is APPn or COM.
    mutating func nextHeadSegment() throws(ContainerWritingError) -> JPEGSegment? {
        let marker = try readMarker()
        guard (0xE0...0xEF).contains(marker) || marker == 0xFE else { return nil }
        return JPEGSegment(marker: marker, payload: Array(try readPayload()))
    }

    /// Moves to the byte after EOI.
    mutating func skipToEnd() throws(ContainerWritingError) {
        while true {
            let marker = try readMarker()
            if marker == Self.endOfImage { return }
            _ = try readPayload()
            if marker == Self.startOfScan { skipEntropyCodedData() }
        }
    }

    private mutating func readMarker() throws(ContainerWritingError) -> UInt8 {
        guard position < bytes.count, bytes[position] == 0xFF else { throw failure("no marker here") }
        // Any number of fill bytes may precede the marker code.
        while position < bytes.count, bytes[position] == 0xFF { position += 1 }
        guard position < bytes.count, bytes[position] != 0 else { throw failure("no marker here") }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func readPayload() throws(ContainerWritingError) -> ArraySlice<UInt8> {
        guard position + 2 <= bytes.count else { throw failure("the length of a segment is cut off") }
        let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
        guard length >= 2, position + length <= bytes.count else {
            throw failure("segment length is \(length), not 2 to \(bytes.count - position)")
        }
        defer { position += length }
        return bytes[position + 2..<position + length]
    }

    /// In coded data, `FF 00` is a byte of data and `FF D0`…`FF D7` are restart markers.
    private mutating func skipEntropyCodedData() {
        while position + 1 < bytes.count {
            let next = bytes[position + 1]
            let isData = bytes[position] != 0xFF || next == 0
            let isRestart = bytes[position] == 0xFF && (0xD0...0xD7).contains(next)
            guard isData || isRestart else { return }
            position += isData ? 1 : 2
        }
    }

    private func failure(_ rule: String) -> ContainerWritingError {
        .malformedJPEG(rule: rule, offset: position)
    }
}
