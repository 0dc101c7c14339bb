import Bytes
import Embedded
import PhotoFormats
import Testing

@testable import PhotoEditing

/// The boxes of a HEIF file as the editor knows them, for comparisons of structure.
struct HEIFStructure {
    let bytes: [UInt8]
    let graph: ItemGraph
    /// The types of the boxes of the file, and of the boxes in `meta`, in order.
    let boxes: [String]
    let metaBoxes: [String]
    private let itemData: Range<Int>?

    init(_ bytes: [UInt8]) throws {
        let limits = DecodingLimits()
        self.bytes = bytes
        let file = try HEIFFile(MemorySource(bytes), start: bytes, limits: limits)
        boxes = file.boxes.map(\.type.description)
        metaBoxes = file.metaBoxes.map(\.type.description)
        itemData = file.metaBoxes.first { $0.type == "idat" }?.payload
        graph = try HEIFFileEditor(bytes, limits: limits).graph
    }

    /// The bytes of an item.
    func data(of item: Int) -> [UInt8] {
        guard let location = graph.locations.first(where: { $0.item == item }) else { return [] }
        let base = location.construction == .itemData ? itemData?.lowerBound ?? 0 : 0
        return location.extents.flatMap { Array(bytes[base + $0.offset..<base + $0.offset + $0.length]) }
    }

    /// The first item that is an auxiliary image of this type.
    func auxiliaryItem(_ type: String) -> Int? {
        graph.items.map(\.id).first { id in
            graph.associations(of: id).contains { association in
                graph.type(ofProperty: association.number) == "auxC"
                    && graph.properties[association.number - 1].box.dropFirst(12).starts(with: type.utf8)
            }
        }
    }

    /// Type and flags of an item's entry: version 2 has them at fixed offsets.
    func entry(of item: Int) -> (flags: [UInt8], type: String)? {
        guard let box = graph.items.first(where: { $0.id == item })?.box, box.count >= 20 else { return nil }
        return (Array(box[8..<12]), String(decoding: box[16..<20], as: UTF8.self))
    }

    /// The properties of an item with their use: `hvcC!` is essential.
    func properties(of item: Int) -> [String] {
        graph.associations(of: item).map {
            (graph.type(ofProperty: $0.number)?.description ?? "") + ($0.isEssential ? "!" : "")
        }
    }

    /// The elements of the XMP that describes an item, with their namespaces.
    func xmpKeys(of item: Int) throws -> Set<String> {
        let packet = try #require(
            graph.references.first {
                $0.type == "cdsc" && $0.to == [item] && entry(of: $0.from)?.type == "mime"
            })
        let document = try XMPDocument(data(of: packet.from), limits: DecodingLimits(), at: 0)
        return Set(document.nodes.map { $0.name.namespace + $0.name.local })
    }
}
