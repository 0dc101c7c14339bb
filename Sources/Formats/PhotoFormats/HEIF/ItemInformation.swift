package import Bytes

/// One item of a HEIF file (`infe`, ISO/IEC 14496-12 §8.11.6).
package struct ItemInformation: Sendable {
    /// The item's number.
    package var id: Int
    /// The type of its data; `mime` for entries of older versions, which have no type.
    package var type: FourCharacterCode
    /// The media type of a `mime` item.
    var contentType = ""
    /// The range of its entry in the file; empty if missing.
    package var entry = 0..<0

    /// Reads the entries of an `iinf` box, sorted by id.
    static func parse(_ box: inout ByteCursor, limits: DecodingLimits) throws(ContainerError)
        -> [ItemInformation]
    {
        let (version, _) = try box.readFullBoxHeader()
        let count = try box.readUnsigned(byteCount: version == 0 ? 2 : 4)
        try limits.check(.items, count, at: box.offset, in: box.path)
        var items: [ItemInformation] = []
        items.reserveCapacity(min(count, box.remaining / 8))
        while !box.isAtEnd, items.count < count {
            let header = try box.readBoxHeader()
            var entry = try box.payload(of: header)
            guard header.type == "infe" else { continue }
            let end = entry.remainingRange.upperBound
            var item = try ItemInformation(parsing: &entry)
            item.entry = header.offset..<end
            items.append(item)
        }
        guard items.count == count else {
            throw box.malformed("iinf announces \(count) items and holds \(items.count)")
        }
        items.sort { $0.id < $1.id }
        for (item, next) in zip(items, items.dropFirst()) where item.id == next.id {
            throw box.malformed("item \(item.id) is described twice")
        }
        return items
    }

    /// An image without an entry in an `iinf` box.
    init(id: Int, type: FourCharacterCode) {
        (self.id, self.type) = (id, type)
    }

    private init(parsing box: inout ByteCursor) throws(ContainerError) {
        let (version, _) = try box.readFullBoxHeader()
        id = try box.readUnsigned(byteCount: version == 3 ? 4 : 2)
        try box.skip(2)  // protection index
        switch version {
        case 0, 1:
            box.skipString()  // name
            contentType = try box.readString()
            type = "mime"
        case 2, 3:
            type = try box.readCode()
            box.skipString()
            if type == "mime" { contentType = try box.readString() }
        default:
            throw box.failure(.unsupported(feature: "version \(version) of an item information entry"))
        }
    }
}
