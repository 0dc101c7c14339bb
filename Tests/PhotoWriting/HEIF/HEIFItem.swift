package import PhotoWriting
internal import TestSupport

/// One item of a HEIF file: a coded or derived image, or metadata (ISO/IEC 14496-12 §8.11).
package struct HEIFItem: Sendable {
    /// Where the payload is stored (`iloc` construction methods, ISO/IEC 14496-12 §8.11.3).
    package enum Payload: Sendable {
        /// No bytes at all, as for an identity derivation (`iden`).
        case none
        /// Bytes in the `mdat` box, method 0: for everything large, and for XMP that ImageIO must find.
        case mediaData([UInt8])
        /// Bytes in the `idat` box, method 1: for a few bytes, such as a grid description.
        case itemData([UInt8])

        var mediaData: [UInt8] { if case .mediaData(let bytes) = self { bytes } else { [] } }
        var itemData: [UInt8] { if case .itemData(let bytes) = self { bytes } else { [] } }
    }

    /// The item type, e.g. `hvc1`, `grid`, `Exif`, `mime`.
    package var type: FourCC
    /// Whether the item is not shown by itself: tiles, auxiliary images, metadata.
    var isHidden: Bool
    /// The MIME type; written for an item of type `mime` only.
    var contentType: String
    /// The item's bytes.
    var payload: Payload
    /// The item's properties. Transformations apply in this order.
    package var properties: [ItemProperty]

    /// An item with the given parts.
    package init(
        type: FourCC, isHidden: Bool = false, contentType: String = "", payload: Payload = .none,
        properties: [ItemProperty] = []
    ) {
        (self.type, self.isHidden, self.contentType) = (type, isHidden, contentType)
        (self.payload, self.properties) = (payload, properties)
    }
}

extension HEIFItem {
    /// An HEVC coded image: length-prefixed NAL units. The parameter sets are in the `hvcC` property among `properties`
    /// (ISO/IEC 23008-12 Annex B).
    package static func hevcImage(
        nalUnits: [UInt8], isHidden: Bool = false, properties: [ItemProperty]
    ) -> HEIFItem {
        HEIFItem(type: "hvc1", isHidden: isHidden, payload: .mediaData(nalUnits), properties: properties)
    }

    /// An AV1 coded image: its OBUs. The `av1C` property among `properties` describes them (AV1 Image File Format §2.1).
    package static func av1Image(
        data: [UInt8], isHidden: Bool = false, properties: [ItemProperty]
    ) -> HEIFItem {
        HEIFItem(type: "av01", isHidden: isHidden, payload: .mediaData(data), properties: properties)
    }

    /// An image composed of equal tiles, which a `dimg` reference lists in raster order. Pixels beyond the right and the bottom
    /// edge are cut off (ISO/IEC 23008-12 §6.6.2.3).
    package static func grid(
        rows: Int, columns: Int, width: Int, height: Int, properties: [ItemProperty]
    ) -> HEIFItem {
        let bytes = [0, 0] + bigEndian(rows - 1, 1) + bigEndian(columns - 1, 1)
        return HEIFItem(
            type: "grid", payload: .itemData(bytes + bigEndian(width, 2) + bigEndian(height, 2)),
            properties: properties)
    }

    /// Images laid over each other on a canvas; a `dimg` reference lists them from the lowest to the highest (ISO/IEC
    /// 23008-12 §6.6.2.2, item type `iovl`). `fill` is red, green, blue and opacity; `offsets` are the column and row of each
    /// image's first pixel.
    package static func overlay(
        width: Int, height: Int, fill: [Int], offsets: [SIMD2<Int16>], properties: [ItemProperty]
    ) -> HEIFItem {
        // Version and flags come first: fields of 16 bits.
        let numbers = [0] + fill + [width, height] + offsets.flatMap { [Int($0.x), Int($0.y)] }
        return HEIFItem(
            type: "iovl", payload: .itemData(numbers.flatMap { bigEndian($0, 2) }), properties: properties)
    }

    /// Exif metadata: `tiff` is a TIFF stream, without the `Exif\0\0` that JPEG puts before it.
    ///
    /// The payload is `exif_tiff_header_offset`, then the stream (ISO/IEC 23008-12 §A.2.1). Phones write the offset 6 and the
    /// six bytes `Exif\0\0`, and the strictest readers expect them.
    package static func exif(tiff: [UInt8]) -> HEIFItem {
        let prefix: [UInt8] = [0, 0, 0, 6] + "Exif\0\0".utf8
        return HEIFItem(type: "Exif", isHidden: true, payload: .mediaData(prefix + tiff))
    }

    /// XMP metadata: an item of type `mime` (ISO/IEC 23008-12 §A.3), in `mdat`, where ImageIO expects it.
    package static func xmp(_ packet: [UInt8]) -> HEIFItem {
        HEIFItem(
            type: "mime", isHidden: true, contentType: "application/rdf+xml", payload: .mediaData(packet))
    }
}
