internal import PhotoWriting

extension HEIFFileBuilder {
    /// Finds contradictions before anything is written.
    func validate() throws(ContainerWritingError) {
        try validateIdentifiers()
        let known = Set(entries.map(\.id))
        guard let primaryItem else { throw .missingPrimaryItem }
        try require([primaryItem], in: known, usedBy: "pitm")
        for reference in references {
            let user = "iref/\(reference.kind.rawValue)"
            try require([reference.source] + reference.targets, in: known, usedBy: user)
        }
        for group in groups {
            try require(group.members, in: known, usedBy: "grpl/\(group.type)")
        }
    }

    private func validateIdentifiers() throws(ContainerWritingError) {
        var seen: Set<UInt32> = []
        for identifier in entries.map(\.id.rawValue) + groups.map(\.id) {
            guard identifier != 0 else { throw .notRepresentable(field: "item_ID", value: "0") }
            guard seen.insert(identifier).inserted else { throw .duplicateIdentifier(identifier) }
        }
    }

    private func require(
        _ items: [ItemID], in known: Set<ItemID>, usedBy user: String
    ) throws(ContainerWritingError) {
        for item in items where !known.contains(item) {
            throw .unknownItem(item.rawValue, usedBy: user)
        }
    }
}
