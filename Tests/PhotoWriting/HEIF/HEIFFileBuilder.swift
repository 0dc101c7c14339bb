package import PhotoWriting

/// Builds a HEIF file: items, their properties and references, groups and brands (ISO/IEC 23008-12 §9, ISO/IEC 14496-12
/// §8.11).
///
/// ```swift
/// var file = HEIFFileBuilder()
/// let photo = file.add(.hevcImage(nalUnits: nalUnits, properties: [.hevcConfiguration(record), size]))
/// let depth = file.add(.hevcImage(nalUnits: plane, isHidden: true, properties: planeProperties))
/// file.addReference(.auxiliary, from: depth, to: [photo])
/// file.primaryItem = photo
/// let bytes = try file.serialized()
/// ```
///
/// Only ``serialized()`` checks anything: it refuses a file that contradicts itself. Box versions and field widths are the
/// smallest that hold the contents. The same calls give the same bytes.
package struct HEIFFileBuilder: Hashable, Sendable {
    /// An item and the number it got.
    struct Entry: Hashable, Sendable {
        var id: ItemID
        var item: HEIFItem
    }

    /// The brand that describes the file best (`ftyp`).
    package var majorBrand: FourCC
    /// All brands that the file conforms to, usually including the major one.
    package var compatibleBrands: [FourCC]
    /// The item that a reader shows if it shows one image (`pitm`).
    package var primaryItem: ItemID?

    private(set) var entries: [Entry] = []
    private(set) var references: [HEIFItemReference] = []
    private(set) var groups: [HEIFEntityGroup] = []
    private var nextIdentifier: UInt32 = 1

    /// An empty file. Brands default to those of an HEVC still image.
    package init(
        majorBrand: FourCC = "heic",
        compatibleBrands: [FourCC] = ["mif1", "miaf", "heic"]
    ) {
        self.majorBrand = majorBrand
        self.compatibleBrands = compatibleBrands
    }

    /// Adds an item under the next free number.
    package mutating func add(_ item: HEIFItem) -> ItemID {
        let id = ItemID(rawValue: takeIdentifier())
        entries.append(Entry(id: id, item: item))
        return id
    }

    /// Adds an item under the number `id`, such as the one it had in another file.
    package mutating func add(_ item: HEIFItem, id: ItemID) {
        reserve(id.rawValue)
        entries.append(Entry(id: id, item: item))
    }

    /// Links `source` to `targets`. A second reference of the same kind and source extends the first one, since a file may
    /// hold only one (ISO/IEC 14496-12 §8.11.12).
    package mutating func addReference(
        _ kind: HEIFItemReference.Kind, from source: ItemID, to targets: [ItemID]
    ) {
        if let index = references.firstIndex(where: { $0.kind == kind && $0.source == source }) {
            references[index].targets += targets
        } else {
            references.append(HEIFItemReference(kind: kind, source: source, targets: targets))
        }
    }

    /// Groups `members`, under the next free number.
    @discardableResult
    package mutating func addGroup(_ type: FourCC, of members: [ItemID]) -> UInt32 {
        let id = takeIdentifier()
        groups.append(HEIFEntityGroup(type: type, id: id, members: members))
        return id
    }

    private mutating func takeIdentifier() -> UInt32 {
        defer { reserve(nextIdentifier) }
        return nextIdentifier
    }

    /// After the last possible number the counter does not advance: serializing then finds the duplicate.
    private mutating func reserve(_ identifier: UInt32) {
        nextIdentifier = max(nextIdentifier, identifier == .max ? .max : identifier + 1)
    }
}
