package import Bytes

/// The directories of an Exif block (Exif 2.32 §4.6.3) with their values but without their offsets, so that they can be
/// written elsewhere: as a separate block or into a TIFF file.
///
/// Values stay unchanged, including maker notes; but maker notes with offsets relative to the block's start lose the
/// data at these offsets.
///
/// The tests compare this with libexif, which cannot replace it: libexif reads at most 64 KiB of a block, while some photos
/// have more; it rewrites maker notes; and it writes complete blocks, while a TIFF file needs directories at other
/// offsets. The directories of DNG and MPF need this code anyway.
package struct ExifTree: Hashable, Sendable {
    /// The fields, in ascending order of tags.
    package var fields: [TIFFField] = []
    /// The directories that fields refer to, by the tags of these fields.
    package var children: [Int: ExifTree] = [:]

    /// A directory of these fields, which refers to no others.
    package init(_ fields: [TIFFField] = []) { self.fields = fields }

    /// The fields that refer to other directories: Exif, GPS, and interoperability, which is inside Exif.
    package static let exif = TIFFTag.exifDirectory.rawValue
    /// See ``exif``.
    package static let gps = TIFFTag.gpsDirectory.rawValue
    /// See ``exif``.
    package static let interoperability = TIFFTag.interoperabilityDirectory.rawValue
    private static let pointers: Set = [exif, gps, interoperability]

    /// The fields of a first directory that describe the photo, not how a file stores it.
    private static let descriptive: Set<TIFFTag> = [
        .imageDescription, .make, .model, .orientation, .xResolution, .yResolution, .resolutionUnit,
        .software,
        .dateTime, .artist, .hostComputer, .copyright,
    ]

    /// Reads the directory at an offset of a file and the directories that it refers to. Of the first one, reads only
    /// fields that describe the photo.
    init(
        _ file: TIFFFile, at offset: Int, isFirst: Bool = true
    ) throws(ContainerError) {
        var size = 0
        try self.init(file, at: offset, nesting: isFirst ? 0 : 1, size: &size)
    }

    private init(
        _ file: TIFFFile, at offset: Int, nesting: Int, size: inout Int
    ) throws(ContainerError) {
        let directory = try file.directory(at: offset)
        for tag in directory.tags.sorted() {
            if Self.pointers.contains(tag) {
                guard nesting < 2, let place = try directory.integer(number: tag) else { continue }
                children[tag] = try ExifTree(file, at: place, nesting: nesting + 1, size: &size)
            } else if nesting > 0 || TIFFTag(rawValue: tag).map(Self.descriptive.contains) == true,
                let field = try directory.field(tag)
            {
                size += field.bytes.count
                // The values of several fields may overlap.
                try file.limits.check(.metadataBytes, size, at: offset, in: StructurePath("Exif"))
                fields.append(field)
            }
        }
    }

    /// Reads an Exif block, starting at its TIFF header. Throws if its directories are broken.
    package init(_ block: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        let file = try TIFFFile(MemorySource(block), limits: limits)
        try self.init(file, at: file.first)
    }

    /// The byte order of the values in an Exif block.
    package static func byteOrder(of block: [UInt8]) -> ByteOrder {
        block.first == 0x49 ? .littleEndian : .bigEndian
    }

    /// The value of an ASCII field; `nil` if the directory does not have it.
    package func text(_ tag: Int) -> String? {
        guard let field = fields.first(where: { $0.tag == tag && $0.type == 2 }) else { return nil }
        return String(decoding: field.bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The complete tree as an Exif block, in the byte order of its values.
    package func block(_ byteOrder: ByteOrder) -> [UInt8] {
        let start = Self.header(byteOrder)
        return start + serialized(at: start.count, byteOrder).bytes
    }

    /// A TIFF header; the first directory follows.
    package static func header(_ byteOrder: ByteOrder) -> [UInt8] {
        (byteOrder == .bigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + byteOrder.bytes(of: 42, count: 2)
            + byteOrder.bytes(of: 8, count: 4)
    }

    /// Serializes the directory, and the directories that it refers to, for the file position `offset`. `offsets` lists
    /// the fields of four bytes to relocate if it moves. If `isFollowed`, it links to a directory directly after it.
    package func serialized(
        at offset: Int, _ byteOrder: ByteOrder, isFollowed: Bool = false
    ) -> (bytes: [UInt8], offsets: [Int]) {
        func number(_ value: Int, _ count: Int) -> [UInt8] { byteOrder.bytes(of: value, count: count) }
        let tags = (fields.map(\.tag) + children.keys).sorted()
        var (entries, values, offsets) = (number(tags.count, 2), [UInt8](), [Int]())
        let valuesStart = 2 + 12 * tags.count + 4
        for tag in tags {
            var place: Int { valuesStart + values.count }
            if let child = children[tag] {
                entries += number(tag, 2) + number(4, 2) + number(1, 4)
                offsets.append(entries.count)
                entries += number(offset + place, 4)
                let (bytes, inside) = child.serialized(at: offset + place, byteOrder)
                offsets += inside.map { $0 + place }
                values += bytes
            } else if let field = fields.first(where: { $0.tag == tag }) {
                entries += number(tag, 2) + number(field.type, 2) + number(field.count, 4)
                if field.bytes.count <= 4 {
                    entries += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
                } else {
                    offsets.append(entries.count)
                    entries += number(offset + place, 4)
                    values += field.bytes
                }
            }
            if values.count % 2 == 1 { values.append(0) }  // values start at even offsets
        }
        let next = isFollowed ? offset + valuesStart + values.count : 0
        return (entries + number(next, 4) + values, offsets)
    }

    /// The tree with its values in the other byte order.
    package var byteSwapped: ExifTree {
        var tree = self
        for index in fields.indices {
            // A rational is two numbers.
            let isRational = [5, 10].contains(fields[index].type)
            let unit = TIFFDirectory.byteCount(ofType: fields[index].type) / (isRational ? 2 : 1)
            guard unit > 1 else { continue }
            let bytes = fields[index].bytes
            tree.fields[index].bytes = stride(from: 0, to: bytes.count, by: unit).flatMap {
                bytes[$0..<min($0 + unit, bytes.count)].reversed()
            }
        }
        tree.children = children.mapValues(\.byteSwapped)
        return tree
    }
}

extension TIFFFile.Directory {
    /// A field with its values; `nil` if it is missing, or its values are not in the file.
    fileprivate func field(_ tag: Int) throws(ContainerError) -> TIFFField? {
        do throws(ContainerError) {
            guard let entry = entry(number: tag) else { return nil }
            return TIFFField(
                tag: tag, type: entry.type, count: entry.count, bytes: try bytes(of: entry))
        } catch {
            guard case .limitExceeded = error.reason else { return nil }
            throw error
        }
    }
}
