@testable internal import PhotoWriting

/// The properties of a file, each stored once, and the items that use them (ISO/IEC 23008-12 §9.3, `iprp`).
struct PropertyTable: Sendable {
    struct Association: Sendable {
        var id: ItemID
        /// Indices into `properties`, starting at 1 as in the file.
        var indices: [(index: Int, isEssential: Bool)]
    }

    private(set) var properties: [ItemProperty] = []
    private(set) var associations: [Association] = []

    init(_ entries: [HEIFFileBuilder.Entry]) {
        var indices: [ItemProperty: Int] = [:]
        for entry in entries where !entry.item.properties.isEmpty {
            let used = entry.item.properties.map { property in
                // The association declares whether a property is essential, so properties that differ only in this are
                // stored once.
                var shared = property
                shared.isEssential = false
                if indices[shared] == nil {
                    properties.append(property)
                    indices[shared] = properties.count
                }
                return (index: indices[shared, default: 0], isEssential: property.isEssential)
            }
            associations.append(Association(id: entry.id, indices: used))
        }
    }

    func append(to writer: inout ByteWriter, wideIDs: Bool) throws(ContainerWritingError) {
        try writer.appendBox("iprp") { writer throws(ContainerWritingError) in
            try appendContainer(to: &writer)
            try appendAssociations(to: &writer, wideIDs: wideIDs)
        }
    }

    private func appendContainer(to writer: inout ByteWriter) throws(ContainerWritingError) {
        try writer.appendBox("ipco") { writer throws(ContainerWritingError) in
            for property in properties {
                try writer.appendBox(property.type) { $0.append(property.payload) }
            }
        }
    }

    /// Seven bits hold an index up to 127; beyond that, flag 1 selects fifteen bits.
    private func appendAssociations(
        to writer: inout ByteWriter, wideIDs: Bool
    ) throws(ContainerWritingError) {
        let limit = Int(Int16.max)
        guard properties.count <= limit else {
            throw .tooLarge(field: "ipma property_index", limit: limit, actual: properties.count)
        }
        let wideIndices = properties.count > Int(Int8.max)
        try writer.appendFullBox("ipma", version: wideIDs ? 1 : 0, flags: wideIndices ? 1 : 0) {
            writer throws(ContainerWritingError) in
            writer.append(try narrow(associations.count, to: UInt32.self, field: "ipma entry_count"))
            for association in associations.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
                writer.append(Int(association.id.rawValue), byteCount: wideIDs ? 4 : 2)
                let count = association.indices.count
                writer.append(try narrow(count, to: UInt8.self, field: "ipma association_count"))
                for (index, isEssential) in association.indices {
                    let essential = isEssential ? (wideIndices ? 0x8000 : 0x80) : 0
                    writer.append(essential | index, byteCount: wideIndices ? 2 : 1)
                }
            }
        }
    }
}
