package import PhotoWriting

/// A typed link from one item to others (ISO/IEC 14496-12 §8.11.12, `iref`).
package struct HEIFItemReference: Hashable, Sendable {
    /// The type of the link. For types not listed here, use a literal of four characters.
    package struct Kind: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The reference type as written in the file.
        package var rawValue: FourCC

        /// The kind with this reference type.
        package init(rawValue: FourCC) {
            self.rawValue = rawValue
        }

        /// The kind with the reference type spelled by the literal.
        package init(stringLiteral value: String) {
            self.rawValue = FourCC(stringLiteral: value)
        }

        /// `auxl`: from an auxiliary image to the images it belongs to.
        package static let auxiliary: Kind = "auxl"
        /// `cdsc`: from metadata to the item it describes.
        package static let contentDescription: Kind = "cdsc"
        /// `dimg`: from a derived image to its inputs, tiles in raster order.
        package static let derivedImage: Kind = "dimg"
        /// `thmb`: from a thumbnail to its master image.
        package static let thumbnail: Kind = "thmb"
        /// `prem`: from a color image to the alpha plane that its colors are multiplied by.
        package static let premultiplied: Kind = "prem"
    }

    /// The type of the link.
    package var kind: Kind
    /// The item that the link starts from.
    package var source: ItemID
    /// The items it leads to, in order.
    package var targets: [ItemID]
}
