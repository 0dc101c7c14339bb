@testable package import PhotoWriting

extension HEIFFileBuilder {
    /// The file: `ftyp`, `meta`, `mdat`.
    ///
    /// - Throws: ``ContainerWritingError`` if the parts contradict each other or do not fit the format.
    package func serialized() throws(ContainerWritingError) -> [UInt8] {
        try validate()
        var layout = PayloadLayout()
        var mediaData: [[UInt8]] = []
        var itemData: [UInt8] = []
        for entry in entries {
            // An item without bytes gets no location: in `iloc` a length of 0 would mean the complete file.
            switch entry.item.payload {
            case .mediaData(let bytes) where !bytes.isEmpty:
                layout.place(entry.id, method: .fileOffset, byteCount: bytes.count)
                mediaData.append(bytes)
            case .itemData(let bytes) where !bytes.isEmpty:
                layout.place(entry.id, method: .itemData, byteCount: bytes.count)
                itemData += bytes
            case .none, .mediaData, .itemData:
                break
            }
        }
        var writer = try head(layout, itemData: itemData)
        writer.append(layout.mediaDataHeader)
        mediaData.forEach { writer.append($0) }
        return writer.bytes
    }

    /// `ftyp` and `meta`. The offsets in `meta` depend on its length, but the length not on their values. So it is written
    /// twice: once to measure it, and once with the offsets.
    private func head(_ layout: PayloadLayout, itemData: [UInt8]) throws(ContainerWritingError) -> ByteWriter
    {
        let header = layout.mediaDataHeader.count
        var fieldSize = 4
        var start = try head(layout, itemData, mediaDataStart: 0, fieldSize: fieldSize).count + header
        if layout.fieldSize(mediaDataStart: start) != fieldSize {
            fieldSize = 8
            start = try head(layout, itemData, mediaDataStart: 0, fieldSize: fieldSize).count + header
        }
        return try head(layout, itemData, mediaDataStart: start, fieldSize: fieldSize)
    }

    private func head(
        _ layout: PayloadLayout, _ itemData: [UInt8], mediaDataStart: Int, fieldSize: Int
    ) throws(ContainerWritingError) -> ByteWriter {
        var writer = ByteWriter()
        try appendFileType(to: &writer)
        try writer.appendFullBox("meta") { writer throws(ContainerWritingError) in
            try appendHandler(to: &writer)
            try appendPrimaryItem(to: &writer)
            try appendItemInformation(to: &writer)
            try appendReferences(to: &writer)
            try PropertyTable(entries).append(to: &writer, wideIDs: hasWideIDs)
            if !itemData.isEmpty {
                try writer.appendBox("idat") { $0.append(itemData) }
            }
            try layout.append(
                to: &writer, mediaDataStart: mediaDataStart, fieldSize: fieldSize, wideIDs: hasWideIDs)
            try appendGroups(to: &writer)
        }
        return writer
    }

    /// Whether any number needs 32 bits; then the boxes use the versions with 32 bits for all numbers. More than 65,535 items
    /// always include such a number.
    private var hasWideIDs: Bool {
        entries.contains { $0.id.rawValue > UInt32(UInt16.max) }
    }

    private func appendFileType(to writer: inout ByteWriter) throws(ContainerWritingError) {
        try writer.appendBox("ftyp") { writer in
            writer.append(majorBrand)
            writer.append(UInt32(0))  // minor_version
            compatibleBrands.forEach { writer.append($0) }
        }
    }

    /// ISO/IEC 14496-12 §8.4.3; HEIF requires the handler `pict`.
    private func appendHandler(to writer: inout ByteWriter) throws(ContainerWritingError) {
        try writer.appendFullBox("hdlr") { writer in
            writer.append(UInt32(0))  // pre_defined
            writer.append("pict" as FourCC)
            writer.append([UInt8](repeating: 0, count: 12))  // reserved
            writer.append(UInt8(0))  // empty name
        }
    }

    private func appendPrimaryItem(to writer: inout ByteWriter) throws(ContainerWritingError) {
        let id = Int(primaryItem?.rawValue ?? 0)
        let isWide = id > Int(UInt16.max)
        try writer.appendFullBox("pitm", version: isWide ? 1 : 0) {
            $0.append(id, byteCount: isWide ? 4 : 2)
        }
    }

    private func appendItemInformation(to writer: inout ByteWriter) throws(ContainerWritingError) {
        let isWide = entries.count > Int(UInt16.max)
        try writer.appendFullBox("iinf", version: isWide ? 1 : 0) { writer throws(ContainerWritingError) in
            writer.append(entries.count, byteCount: isWide ? 4 : 2)
            for entry in entries {
                try append(entry, to: &writer)
            }
        }
    }

    /// `infe` version 2, or 3 if the number needs 32 bits (ISO/IEC 14496-12 §8.11.6).
    private func append(_ entry: Entry, to writer: inout ByteWriter) throws(ContainerWritingError) {
        let item = entry.item
        let isWide = entry.id.rawValue > UInt32(UInt16.max)
        try writer.appendFullBox("infe", version: isWide ? 3 : 2, flags: item.isHidden ? 1 : 0) {
            writer throws(ContainerWritingError) in
            writer.append(Int(entry.id.rawValue), byteCount: isWide ? 4 : 2)
            writer.append(UInt16(0))  // item_protection_index
            writer.append(item.type)
            try writer.append(terminated: item.name, field: "infe item_name")
            if item.type == "mime" {
                try writer.append(terminated: item.contentType, field: "infe content_type")
            }
        }
    }

    private func appendReferences(to writer: inout ByteWriter) throws(ContainerWritingError) {
        guard !references.isEmpty else { return }
        let idSize = hasWideIDs ? 4 : 2
        try writer.appendFullBox("iref", version: hasWideIDs ? 1 : 0) {
            writer throws(ContainerWritingError) in
            for reference in references {
                try writer.appendBox(reference.kind.rawValue) { writer throws(ContainerWritingError) in
                    writer.append(Int(reference.source.rawValue), byteCount: idSize)
                    let count = reference.targets.count
                    writer.append(try narrow(count, to: UInt16.self, field: "iref reference_count"))
                    reference.targets.forEach { writer.append(Int($0.rawValue), byteCount: idSize) }
                }
            }
        }
    }

    private func appendGroups(to writer: inout ByteWriter) throws(ContainerWritingError) {
        guard !groups.isEmpty else { return }
        try writer.appendBox("grpl") { writer throws(ContainerWritingError) in
            for group in groups {
                try writer.appendFullBox(group.type) { writer throws(ContainerWritingError) in
                    writer.append(group.id)
                    let count = group.members.count
                    writer.append(try narrow(count, to: UInt32.self, field: "grpl num_entities_in_group"))
                    group.members.forEach { writer.append($0.rawValue) }
                }
            }
        }
    }
}
