extension JPEGStream {
    /// Replaces the metadata with that of `picture`: Exif, XMP, gain map, ICC, in this order after JFIF.
    mutating func replaceMetadata(with picture: MultiPictureJPEG.Picture) throws(ContainerWritingError) {
        if let exif = picture.exif {
            head.removeAll { $0.identifier == .exif }
            head.insert(JPEGSegment(.exif, exif), at: index(after: .jfif))
        }
        if let xmp = picture.xmp {
            head.removeAll { $0.identifier == .xmp || $0.identifier == .extendedXMP }
            head.insert(JPEGSegment(.xmp, xmp), at: index(after: .jfif, .exif))
        }
        if let profile = picture.iccProfile {
            head.removeAll { $0.identifier == .iccProfile }
            head.insert(contentsOf: try JPEGSegment.iccProfile(profile), at: endOfMetadata)
        }
        if let gainMap = picture.gainMap {
            head.removeAll { $0.identifier == .gainMap }
            head.insert(JPEGSegment(.gainMap, gainMap), at: endOfMetadata)
        }
    }

    /// Marks the JFIF segment as announcing more images: `AMPF` after its 14 bytes, as Apple does.
    mutating func markAsMultiPicture() {
        // Version 1.1, no unit, aspect ratio 1 : 1, no thumbnail.
        let plain = JPEGSegment(.jfif, [1, 1, 0, 0, 1, 0, 1, 0, 0])
        let current = head.first { $0.identifier == .jfif } ?? plain
        // Removes a thumbnail: its size is the last two of the 14 bytes.
        let payload = current.payload.prefix(12) + [0, 0] + Array("AMPF".utf8)
        head.removeAll { $0.identifier == .jfif }
        head.insert(JPEGSegment(marker: plain.marker, payload: Array(payload)), at: 0)
    }

    /// Undoes ``markAsMultiPicture()``.
    mutating func markAsSinglePicture() {
        let mark = Array("AMPF".utf8)
        for index in head.indices
        where head[index].identifier == .jfif && head[index].payload.suffix(4) == mark[...] {
            head[index].payload.removeLast(mark.count)
        }
    }

    /// Inserts an MPF segment, before any ICC profile, and returns the offset of its TIFF header in the file.
    mutating func insert(_ multiPictureIndex: [UInt8]) -> Int {
        let place = endOfMetadata
        let segment = JPEGSegment(.multiPicture, multiPictureIndex)
        head.insert(segment, at: place)
        let startOfImage = 2
        let markerAndLength = 4
        let before = head[..<place].reduce(startOfImage) { $0 + markerAndLength + $1.payload.count }
        return before + markerAndLength + JPEGSegment.Identifier.multiPicture.signature.count
    }

    /// The index where APP2 segments are inserted: after JFIF, Exif and XMP, which readers expect first.
    private var endOfMetadata: Int {
        index(after: .jfif, .exif, .xmp, .extendedXMP)
    }

    private func index(after identifiers: JPEGSegment.Identifier...) -> Int {
        let last = head.lastIndex { $0.identifier.map(identifiers.contains) ?? false }
        return last.map { $0 + 1 } ?? 0
    }
}
