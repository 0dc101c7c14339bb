package import PhotoWriting
internal import TestSupport

/// The number of an item of a HEIF file, never 0.
package typealias ItemID = Int

/// Builds a HEIF file of up to 127 properties: items, their properties and references, and groups (ISO/IEC 23008-12 §9, ISO/IEC
/// 14496-12 §8.11). The same calls give the same bytes. What contradicts itself is written as it is.
package struct HEIFFileBuilder: Sendable {
    /// A primary item was not chosen.
    private struct NoPrimaryItem: Error {}

    /// The brand that describes the file best (`ftyp`).
    private let majorBrand: FourCC
    /// All brands that the file conforms to, usually including the major one.
    private let compatibleBrands: [FourCC]
    /// The item that a reader shows if it shows one image (`pitm`).
    package var primaryItem: ItemID?
    private var items: [(id: ItemID, item: HEIFItem)] = []
    private var references: [(kind: FourCC, source: ItemID, targets: [ItemID])] = []
    private var groups: [(type: FourCC, id: Int, members: [ItemID])] = []
    private var nextNumber = 1

    /// An empty file. Brands default to those of an HEVC still image.
    package init(majorBrand: FourCC = "heic", compatibleBrands: [FourCC] = ["mif1", "miaf", "heic"]) {
        (self.majorBrand, self.compatibleBrands) = (majorBrand, compatibleBrands)
    }

    /// Adds an item under the next free number.
    package mutating func add(_ item: HEIFItem) -> ItemID {
        let id = nextNumber
        add(item, id: id)
        return id
    }

    /// Adds an item under a number.
    package mutating func add(_ item: HEIFItem, id: ItemID) {
        items.append((id, item))
        nextNumber = max(nextNumber, id + 1)
    }

    /// Links `source` to `targets`. A second reference of the same kind and source extends the first one.
    package mutating func addReference(_ kind: FourCC, from source: ItemID, to targets: [ItemID]) {
        if let index = references.firstIndex(where: { $0.kind == kind && $0.source == source }) {
            references[index].targets += targets
        } else {
            references.append((kind, source, targets))
        }
    }

    /// Groups `members`, under the next free number.
    package mutating func addGroup(_ type: FourCC, of members: [ItemID]) {
        groups.append((type, nextNumber, members))
        nextNumber += 1
    }

    /// The file: `ftyp`, `meta`, `mdat`.
    package func serialized() throws -> [UInt8] {
        guard let primaryItem else { throw NoPrimaryItem() }
        let brands = [majorBrand.bytes, bigEndian(0)] + compatibleBrands.map(\.bytes)
        let start = box("ftyp", Array(brands.joined()))
        // The offsets in `meta` do not change its size.
        let size = meta(primaryItem, mediaDataStart: 0).count
        return start + meta(primaryItem, mediaDataStart: start.count + size + 8)
            + box("mdat", items.flatMap(\.item.payload.mediaData))
    }

    private func meta(_ primaryItem: ItemID, mediaDataStart: Int) -> [UInt8] {
        let entries = items.map { id, item in
            let type = item.type == "mime" ? Array(item.contentType.utf8) + [0] : []
            return fullBox(
                "infe", version: 2, flags: item.isHidden ? 1 : 0,
                bigEndian(id, 2) + [0, 0] + item.type.bytes + [0] + type)
        }
        let links = references.map { kind, source, targets in
            box(
                kind.description,
                bigEndian(source, 2) + bigEndian(targets.count, 2) + targets.flatMap { bigEndian($0, 2) })
        }
        let lists = groups.map { type, id, members in
            fullBox(
                type.description, bigEndian(id) + bigEndian(members.count) + members.flatMap { bigEndian($0) }
            )
        }
        let itemData = items.flatMap(\.item.payload.itemData)
        return fullBox(
            "meta", fullBox("hdlr", bigEndian(0) + Array("pict".utf8) + bigEndian(0, 13)),
            fullBox("pitm", bigEndian(primaryItem, 2)),
            fullBox("iinf", bigEndian(entries.count, 2) + entries.joined()),
            links.isEmpty ? [] : fullBox("iref", Array(links.joined())), properties,
            itemData.isEmpty ? [] : box("idat", itemData), locations(mediaDataStart: mediaDataStart),
            lists.isEmpty ? [] : box("grpl", Array(lists.joined())))
    }

    /// `iprp`: each property once, however many items use it, and the items with the indices of theirs.
    private var properties: [UInt8] {
        var boxes: [[UInt8]] = []
        var associations: [(id: ItemID, bytes: [UInt8])] = []
        for (id, item) in items where !item.properties.isEmpty {
            var bytes = bigEndian(id, 2) + [UInt8(item.properties.count)]
            for property in item.properties {
                let written = box(property.type.description, property.payload)
                if !boxes.contains(written) { boxes.append(written) }
                let index = (boxes.firstIndex(of: written) ?? 0) + 1
                bytes.append(UInt8(index) | (property.isEssential ? 0x80 : 0))
            }
            associations.append((id, bytes))
        }
        let sorted = associations.sorted { $0.id < $1.id }.flatMap(\.bytes)
        return box(
            "iprp", box("ipco", Array(boxes.joined())),
            fullBox("ipma", bigEndian(associations.count) + sorted))
    }

    /// `iloc`: version 0 if every payload is in `mdat`, else 1. An item without bytes has no location: a length of 0 would mean
    /// the complete file.
    private func locations(mediaDataStart: Int) -> [UInt8] {
        var (places, offsets): ([(id: ItemID, isItemData: Bool, extent: [UInt8])], [Int]) = (
            [], [mediaDataStart, 0]
        )
        for (id, item) in items {
            for (method, bytes) in [item.payload.mediaData, item.payload.itemData].enumerated()
            where !bytes.isEmpty {
                let extent = bigEndian(1, 2) + bigEndian(offsets[method]) + bigEndian(bytes.count)
                places.append((id, method == 1, extent))
                offsets[method] += bytes.count
            }
        }
        let hasMethod = places.contains(where: \.isItemData)
        let entries = places.sorted { $0.id < $1.id }.flatMap { place -> [UInt8] in
            let method = hasMethod ? bigEndian(place.isItemData ? 1 : 0, 2) : []
            return bigEndian(place.id, 2) + method + [0, 0] + place.extent
        }
        return fullBox(
            "iloc", version: hasMethod ? 1 : 0, [0x44, 0] + bigEndian(places.count, 2) + entries)
    }

    private func fullBox(_ type: String, version: Int = 0, flags: Int = 0, _ content: [UInt8]...) -> [UInt8] {
        box(type, bigEndian(version << 24 | flags), Array(content.joined()))
    }
}

extension FourCC {
    fileprivate var bytes: [UInt8] { bigEndian(Int(rawValue)) }

    /// From an auxiliary image to the images it belongs to.
    package static let auxiliary: FourCC = "auxl"
    /// From metadata to the item it describes.
    package static let contentDescription: FourCC = "cdsc"
    /// From a derived image to its inputs, tiles in raster order.
    package static let derivedImage: FourCC = "dimg"
    /// From a thumbnail to its master image.
    package static let thumbnail: FourCC = "thmb"
    /// From a color image to the alpha plane that its colors are multiplied by.
    package static let premultiplied: FourCC = "prem"
}
