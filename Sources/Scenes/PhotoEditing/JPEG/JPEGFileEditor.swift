internal import Bytes
internal import PhotoFormats

/// A JPEG photo and the data after it, as pieces. Some are changed, all others copied.
struct JPEGFileEditor {
    /// A segment before the photo's scans.
    private enum Piece {
        case kept(JPEGLayout.Segment)
        case new(marker: UInt8, payload: [UInt8])
    }

    let bytes: [UInt8]
    let layout: JPEGLayout
    let limits: DecodingLimits
    private var head: [Piece]
    /// Ranges to remove after the photo, in offsets of the old file.
    private var removed: [Range<Int>] = []
    /// Bytes to insert after the photo, before an offset of the old file.
    private var inserted: [(offset: Int, bytes: [UInt8])] = []
    /// The index of images; `nil` if the file does not need one.
    var index: MultiPictureBlock?

    init(_ bytes: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        self.bytes = bytes
        self.limits = limits
        let source = MemorySource(bytes)
        layout = try JPEGLayout(source, limits: limits)
        head = layout.segments.map(Piece.kept)
        if let range = layout.multiPicture {
            index = try MultiPictureBlock(
                parsing: Array(bytes[range]), at: range.lowerBound, limits: limits)
        }
    }

    // MARK: Behind the photo

    /// Removes bytes.
    mutating func remove(_ range: Range<Int>) {
        let inside = range.clamped(to: layout.end..<bytes.count)
        if !inside.isEmpty { removed.append(inside) }
    }

    /// Inserts bytes at an offset, after earlier insertions at the same offset.
    mutating func insert(_ new: [UInt8], at offset: Int) {
        inserted.append((min(max(offset, layout.end), bytes.count), new))
    }

    /// Inserts an image, and adds it to the index before the images that follow it.
    mutating func insertIndexed(_ image: [UInt8], at offset: Int) {
        var index = index ?? MultiPictureBlock()
        let next = index.entries.dropFirst().firstIndex { entry in
            (entry.insertion.map { inserted[$0].offset } ?? entry.offset) > offset
        }
        index.insert(
            MultiPictureBlock.Entry(
                attributes: 0, size: image.count, offset: offset, insertion: inserted.count),
            at: next ?? index.entries.count)
        self.index = index
        insert(image, at: offset)
    }

    /// The size of the tail before an offset of the old file, and before a given insertion there.
    private func tailSize(before offset: Int, insertion number: Int?) -> Int {
        var size = offset - layout.end
        for range in removed {
            size -= max(0, min(range.upperBound, offset) - range.lowerBound)
        }
        for (index, part) in inserted.enumerated() {
            if part.offset < offset || part.offset == offset && index < number ?? .max {
                size += part.bytes.count
            }
        }
        return size
    }

    private var tail: [UInt8] {
        let cuts = removed.map { (offset: $0.lowerBound, end: $0.upperBound, bytes: [UInt8]()) }
        let additions = inserted.map { (offset: $0.offset, end: $0.offset, bytes: $0.bytes) }
        var output: [UInt8] = []
        var place = layout.end
        // Insertions at the start of a removed range go before it.
        for change in (additions + cuts).enumerated().sorted(by: {
            ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
        }).map(\.element) {
            if change.offset > place {
                output += bytes[place..<change.offset]
                place = change.offset
            }
            output += change.bytes
            place = max(place, change.end)
        }
        return output + bytes[min(place, bytes.count)...]
    }

    /// Removes everything after the photo, and the index.
    mutating func removeTail() throws(PhotoEditingError) {
        remove(layout.end..<bytes.count)
        index = nil
        try set([], .multiPicture, behind: [])
    }

    // MARK: Segments

    /// Replaces the XMP packet; an empty one removes it.
    mutating func setXMP(_ packet: [UInt8]) throws(PhotoEditingError) {
        try set(packet.isEmpty ? [] : [packet], .xmp, behind: [.jfif, .exif])
    }

    /// Replaces the segments of extended XMP.
    mutating func setExtendedXMP(_ segments: [[UInt8]]) throws(PhotoEditingError) {
        try set(segments, .extendedXMP, behind: [.jfif, .exif, .xmp])
    }

    /// Removes the photo's own description of a gain map: the version of ISO 21496-1, and the numbers of Apple's maker
    /// note.
    mutating func removeGainMapSegments() throws(PhotoEditingError) {
        try set([], .gainMap, behind: [])
        guard let exif = head.first(where: { holds($0, .exif) }) else { return }
        let block = Array(contents(exif).dropFirst(JPEGSegmentKind.exif.signature.count))
        try set([exifWithoutHDR(block, limits: limits)], .exif, behind: [.jfif])
    }

    /// Announces further images in the JFIF segment, as iPhones do: `AMPF` after its 14 bytes.
    ///
    /// A photo without the segment gets one, unless its colors are declared in another way, which JFIF would override.
    mutating func announceImages() throws(PhotoEditingError) {
        let mark = Array("AMPF".utf8)
        var payload: [UInt8] = [1, 1, 0, 0, 1, 0, 1, 0, 0]
        if let piece = head.first(where: { holds($0, .jfif) }) {
            let present = contents(piece)
            guard present.suffix(4) != mark[...] else { return }
            if present.count >= 14 { payload = Array(present[5..<12]) + [0, 0] }
        } else if declaresColors {
            return
        }
        try set([payload + mark], .jfif, behind: [])
    }

    /// Whether decoders may assume other components than YCbCr, because of Adobe's segment (ITU-T T.872 §6.5.3) or the
    /// components' identifiers.
    private var declaresColors: Bool {
        layout.segments.contains { segment in
            let payload = bytes[segment.payload]
            switch segment.marker {
            case 0xEE: return payload.starts(with: "Adobe".utf8)
            // SOF: precision, height, width and number of components; then three bytes each, starting with the identifier.
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                return stride(from: 6, to: payload.count, by: 3)
                    .map { payload[payload.startIndex + $0] }.elementsEqual("RGB".utf8)
            default: return false
            }
        }
    }

    private mutating func set(
        _ contents: [[UInt8]], _ kind: JPEGSegmentKind, behind others: [JPEGSegmentKind]
    ) throws(PhotoEditingError) {
        var place = head.firstIndex { holds($0, kind) }
        if place == nil {
            place = head.lastIndex { piece in others.contains { holds(piece, $0) } }.map { $0 + 1 }
        }
        let start = place ?? 0
        head = head[..<start] + head[start...].filter { !holds($0, kind) }
        var pieces: [Piece] = []
        for content in contents {
            let payload = kind.signature + content
            guard payload.count <= 65_533 else {
                throw .noRoom("a segment of the photo (\(kind.rawValue), 65,533 bytes)")
            }
            pieces.append(.new(marker: kind.marker, payload: payload))
        }
        head.insert(contentsOf: pieces, at: min(start, head.count))
    }

    private func contents(_ piece: Piece) -> [UInt8] {
        switch piece {
        case .kept(let segment): Array(bytes[segment.payload])
        case .new(_, let payload): payload
        }
    }

    private func holds(_ piece: Piece, _ kind: JPEGSegmentKind) -> Bool {
        switch piece {
        case .kept(let segment):
            segment.marker == kind.marker && bytes[segment.payload].starts(with: kind.signature)
        case .new(let marker, let payload): marker == kind.marker && payload.starts(with: kind.signature)
        }
    }

    // MARK: Writing

    func serialized() throws(PhotoEditingError) -> [UInt8] {
        var copy = self
        guard var block = index else { return copy.joinedHead() + body + tail }
        // The block's length depends only on the number of images, so a first run determines all positions.
        let draft = try block.serialized(at: -(1 << 20))
        try copy.set([draft], .multiPicture, behind: [.jfif, .exif, .xmp, .extendedXMP])
        let photoEnd = copy.joinedHead().count + body.count
        for number in block.entries.indices.dropFirst() {
            let insertion = block.entries[number].insertion
            let offset = insertion.map { inserted[$0].offset } ?? block.entries[number].offset
            block.entries[number].offset = photoEnd + tailSize(before: offset, insertion: insertion)
        }
        block.entries[0].size = photoEnd
        let base = copy.multiPictureBase
        try copy.set([try block.serialized(at: base)], .multiPicture, behind: [])
        return copy.joinedHead() + body + tail
    }

    private var body: ArraySlice<UInt8> { bytes[layout.scan..<layout.end] }

    private func size(_ piece: Piece) -> Int {
        switch piece {
        case .kept(let segment): segment.range.count
        case .new(_, let payload): payload.count + 4
        }
    }

    /// The offset of the TIFF header of the new index.
    private var multiPictureBase: Int {
        var place = 2
        for piece in head {
            if holds(piece, .multiPicture) {
                return place + 4 + JPEGSegmentKind.multiPicture.signature.count
            }
            place += size(piece)
        }
        return place
    }

    private mutating func joinedHead() -> [UInt8] {
        var output: [UInt8] = [0xFF, 0xD8]
        for piece in head {
            switch piece {
            case .kept(let segment): output += bytes[segment.range]
            case .new(let marker, let payload):
                output += [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)]
                output += payload
            }
        }
        return output
    }
}
