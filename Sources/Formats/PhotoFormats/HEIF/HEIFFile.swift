package import Bytes
internal import DepthTypes

/// The item graph of a HEIF file (ISO/IEC 23008-12): its `meta` box, not interpreted.
package struct HEIFFile: Sendable {
    let source: any ByteSource
    /// The first bytes of the file.
    private let start: [UInt8]
    let limits: DecodingLimits
    private(set) var brands: [FourCharacterCode] = []
    /// The boxes of the file, in order; a truncated one ends with the file.
    package private(set) var boxes: [Box] = []
    /// The boxes in `meta`, in order.
    package private(set) var metaBoxes: [Box] = []
    /// The number of the item that is the photo (`pitm`).
    package private(set) var primaryItem = 0
    /// All items, sorted by number.
    package private(set) var items: [ItemInformation] = []
    /// All references, in file order.
    package private(set) var references: [ItemReference] = []
    /// All groups, in file order; empty if one of them is broken.
    package private(set) var groups: [EntityGroup] = []
    /// The payload of a `sefd` box, where Samsung's phones store their trailer.
    private(set) var samsungTrailer: Range<Int>?
    private(set) var diagnostics: [Diagnostic] = []
    /// Where the data of items is.
    package private(set) var locations = ItemLocationTable()
    /// The properties, and the items that have them.
    package private(set) var propertyTable = ItemPropertyTable()
    /// The payload of the `idat` box.
    private(set) var itemData: Range<Int>?
    /// The payload of the `moov` box, which holds an image sequence.
    private var movie: Range<Int>?
    /// The frame that is the photo of a sequence without a still picture; its track replaces items.
    private(set) var frame: ImageSequenceSample?
    private var hasPrimary = false
    /// The payload of the `meta` box, from which properties are read when needed, and its offset.
    private var meta: [UInt8] = []
    private(set) var metaOffset = 0

    /// The brands of image files.
    static let imageBrands: [FourCharacterCode] = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "miaf", "MiHB", "MiHE",
        "MiPr",
        "avif", "avis", "tmap",
    ]

    /// Walks the boxes of the file and reads `ftyp` and `meta`. `start` holds the first bytes of the file.
    ///
    /// Throws if the file is not an image file, has no items, or is damaged where it describes them.
    package init(_ source: any ByteSource, start: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        (self.source, self.start, self.limits) = (source, start, limits)
        var offset = 0
        while offset < source.byteCount {
            try limits.check(.items, boxes.count + 1, at: offset)
            guard source.byteCount - offset >= 8 else {
                diagnostics.append(
                    ContainerError(.truncated(needed: 8, available: source.byteCount - offset), at: offset))
                break
            }
            offset = try readBox(at: offset)
        }
        if !hasPrimary, let movie { try readSequence(movie) }
        guard !meta.isEmpty else {
            throw diagnostics.lazy.compactMap(\.error).first
                ?? ContainerError(
                    .unrecognized(detail: "the file has no 'meta' box, so no image items"))
        }
        guard hasPrimary else {
            throw ContainerError(
                .malformed(rule: "the 'meta' box names no primary item ('pitm')"), at: metaOffset,
                in: StructurePath("meta"))
        }
    }

    /// Makes the first frame of a sequence the only item.
    private mutating func readSequence(_ payload: Range<Int>) throws(ContainerError) {
        let path = StructurePath("moov")
        try limits.check(.metadataBytes, payload.count, at: payload.lowerBound, in: path)
        let bytes = try bytes(payload)
        var box = ByteCursor(bytes.span, base: payload.lowerBound, path: path)
        guard let frame = try ImageSequenceSample.find(in: &box, limits: limits) else { return }
        (meta, metaOffset, self.frame) = (bytes, payload.lowerBound, frame)
        (primaryItem, hasPrimary) = (1, true)
        items = [ItemInformation(id: 1, type: frame.type)]
        locations = ItemLocationTable(
            ItemLocation(itemID: 1, entryOffset: payload.lowerBound),
            ItemLocation.Extent(offset: frame.offset, length: frame.byteCount))
        (references, groups, itemData) = ([], [], nil)
        propertyTable = ItemPropertyTable(frame.properties, ofItem: 1)
        diagnostics.append(
            .note(
                .firstFrame,
                "the file is a sequence without a still picture; its first frame is the photo",
                at: payload.lowerBound, in: path))
    }

    /// Reads the top-level box at `offset` if it is needed, and returns its end. A truncated box is reported; it is an error
    /// only if it is needed.
    private mutating func readBox(at offset: Int) throws(ContainerError) -> Int {
        let head = try bytes(offset..<min(offset + BoxHeader.mostBytes, source.byteCount))
        var cursor = ByteCursor(head.span, base: offset)
        let header = try cursor.readBoxHeader()
        let (end, overflow) = offset.addingReportingOverflow(header.size ?? source.byteCount - offset)
        guard !overflow else {
            throw ContainerError(.arithmeticOverflow, at: offset, in: StructurePath(header.type))
        }
        let box = Box(header, end: min(max(end, offset + header.headerSize), source.byteCount))
        if end > source.byteCount {
            let cut = ContainerError(
                .truncated(needed: end - offset, available: source.byteCount - offset), at: offset,
                in: StructurePath(box.type))
            guard box.type != "meta", box.type != "ftyp" else { throw cut }
            diagnostics.append(cut)
        }
        boxes.append(box)
        switch box.type {
        case "ftyp": try readFileType(box.payload)
        case "sefd": samsungTrailer = box.payload
        case "meta" where meta.isEmpty: try readMeta(box.payload)
        case "moov" where movie == nil: movie = box.payload
        default: break
        }
        return end
    }

    /// Bytes of the file, from memory if they are among its first ones.
    func bytes(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        range.upperBound <= start.count ? Array(start[range]) : try source.read(range)
    }

    private mutating func readFileType(_ payload: Range<Int>) throws(ContainerError) {
        try limits.check(.metadataBytes, payload.count, at: payload.lowerBound, in: StructurePath("ftyp"))
        let bytes = try bytes(payload)
        var box = ByteCursor(bytes.span, base: payload.lowerBound, path: StructurePath("ftyp"))
        brands = [try box.readCode()]
        try box.skip(4)
        while box.remaining >= 4 { brands.append(try box.readCode()) }
        // This is checked before anything else is read: a damaged video is not a damaged photo.
        guard brands.contains(where: Self.imageBrands.contains) else {
            throw ContainerError(
                .unrecognized(detail: "this is a media file of brand '\(brands[0])', not an image file"),
                at: 8)
        }
    }

    private mutating func readMeta(_ payload: Range<Int>) throws(ContainerError) {
        let path = StructurePath("meta")
        try limits.check(.metadataBytes, payload.count, at: payload.lowerBound, in: path)
        let meta = try bytes(payload)
        self.meta = meta
        metaOffset = payload.lowerBound
        var box = ByteCursor(meta.span, base: metaOffset, path: path)
        _ = try box.readFullBoxHeader()
        while !box.isAtEnd {
            let header = try box.readBoxHeader()
            var child = try box.payload(of: header)
            metaBoxes.append(Box(header, end: child.remainingRange.upperBound))
            switch header.type {
            case "hdlr":
                try child.skip(8)
                let handler = try child.readCode()
                guard handler == "pict" else {
                    throw child.malformed("handler is '\(handler)'; an image file has 'pict'")
                }
            case "pitm":
                let (version, _) = try child.readFullBoxHeader()
                primaryItem = try child.readUnsigned(byteCount: version == 0 ? 2 : 4)
                hasPrimary = true
            case "iinf": items = try ItemInformation.parse(&child, limits: limits)
            case "iloc": locations = try ItemLocationTable(parsing: &child, limits: limits)
            case "iref": references = try ItemReference.parse(&child, limits: limits)
            case "iprp": propertyTable = try ItemPropertyTable(parsing: &child, limits: limits)
            case "idat": itemData = child.remainingRange
            case "grpl":
                do {
                    groups = try EntityGroup.parse(&child, limits: limits)
                } catch {
                    diagnostics.append(error)
                }
            default: break
            }
        }
    }
}

extension HEIFFile {
    /// The entry of an item; `nil` if missing.
    func item(_ id: Int) -> ItemInformation? {
        let index = items.partitioningIndex { $0.id >= id }
        return index < items.count && items[index].id == id ? items[index] : nil
    }

    /// The targets of all references of a type from an item, in file order.
    func targets(of type: FourCharacterCode, from id: Int) -> [Int] {
        var found: [Int] = []
        for reference in references where reference.from == id && reference.type == type {
            found += reference.to
        }
        return found
    }

    /// Reads the known properties of an item.
    func properties(ofItem id: Int) throws(ContainerError) -> ItemProperties {
        let path = StructurePath("meta").appending("iprp").appending("ipco")
        let associations = try propertyTable.properties(ofItem: id, limits: limits, in: path)
        var properties = try ItemProperties(
            parsing: associations, meta: meta, metaOffset: metaOffset, in: path)
        if let frame {
            properties.size = (frame.width, frame.height)
            properties.orientation = frame.orientation == .up ? nil : frame.orientation
        }
        return properties
    }

    /// Reads the decoder configuration whose payload is at `range` in the `meta` box.
    func hevcConfiguration(at range: Range<Int>) throws(ContainerError) -> HEVCConfiguration {
        let path = StructurePath("meta").appending("iprp").appending("ipco").appending("hvcC")
        let inside = range.lowerBound - metaOffset..<range.upperBound - metaOffset
        var box = ByteCursor(meta.span.extracting(inside), base: range.lowerBound, path: path)
        return try HEVCConfiguration(parsing: &box)
    }
}
