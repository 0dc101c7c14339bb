package import Bytes

/// The list of files after a photo: Dynamic Depth's list (`photos/dd/1.0/container/`), or the list of Ultra HDR and
/// later Pixels (`photos/1.0/container/`).
package struct ContainerDirectory {
    /// One entry.
    package struct Item {
        package var mime: String
        /// Its meaning, in the later kind of directory: `Depth`, `GainMap` …
        package var semantic: String?
        /// The name that Dynamic Depth uses to refer to it.
        package var uri: String?
        package var length: Int
        /// Unused bytes after it.
        package var padding: Int

        package var isImage: Bool { mime.hasPrefix("image/") }
        /// Its name in the file.
        package var name: String { uri ?? semantic ?? mime }
    }

    private static let styles = [
        (container: DynamicDepthNames.container, item: DynamicDepthNames.item),
        (container: DynamicDepthNames.laterContainer, item: DynamicDepthNames.laterItem),
    ]

    /// All entries, the photo itself first.
    package var items: [Item]
    /// The offset of each item relative to the photo's end; 0 for the photo itself.
    package var starts: [Int]
    /// The total size of all items after the photo.
    package var total: Int

    /// Reads the directory of a photo; `nil` if missing.
    ///
    /// Throws if a length is not a number, if the sum of all overflows, or if there are more items than the limit of images.
    package init?(_ xmp: XMPProperties, at place: Int, limits: DecodingLimits) throws(ContainerError) {
        let path = StructurePath("XMP").appending("Container")
        for (container, namespace) in Self.styles {
            let holder = xmp[DynamicDepthNames.device, "Container"]?.fields ?? xmp
            guard let entries = (holder[container, "Directory"] ?? xmp[container, "Directory"])?.items else {
                continue
            }
            try limits.check(.images, entries.count, at: place, in: path)
            items = []
            for entry in entries {
                let fields = (entry.fields?[container, "Item"] ?? entry).fields ?? XMPProperties()
                items.append(try Item(fields, namespace, at: place, in: path))
            }
            starts = []
            total = items.first?.padding ?? 0
            for (index, item) in items.enumerated() {
                starts.append(index == 0 ? 0 : total)
                guard index > 0 else { continue }
                for size in [item.length, item.padding] {
                    let (sum, overflow) = total.addingReportingOverflow(size)
                    guard !overflow else { throw ContainerError(.arithmeticOverflow, at: place, in: path) }
                    total = sum
                }
            }
            return
        }
        return nil
    }
}

extension ContainerDirectory.Item {
    fileprivate init(
        _ fields: XMPProperties, _ namespace: String, at place: Int, in path: StructurePath
    ) throws(ContainerError) {
        func size(_ name: String) throws(ContainerError) -> Int {
            guard let text = fields[namespace, name]?.text, !text.isEmpty else { return 0 }
            guard let size = Int(text), size >= 0 else {
                throw ContainerError(
                    .malformed(rule: "an item's \(name) is '\(text.prefix(100))', not a number of bytes"),
                    at: place, in: path)
            }
            return size
        }
        mime = fields[namespace, "Mime"]?.text ?? ""
        semantic = fields[namespace, "Semantic"]?.text
        uri = fields[namespace, "DataURI"]?.text ?? fields[namespace, "URI"]?.text
        length = try size("Length")
        padding = try size("Padding")
    }
}
