/// A typed link from one item to others (ISO/IEC 14496-12 §8.11.12, `iref`).
public struct HEIFItemReference: Hashable, Sendable {
    /// The type of the link. For types not listed here, use a literal of four characters.
    public struct Kind: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The reference type as written in the file.
        public var rawValue: FourCC

        /// The kind with this reference type.
        public init(rawValue: FourCC) {
            self.rawValue = rawValue
        }

        /// The kind with the reference type spelled by the literal.
        public init(stringLiteral value: String) {
            self.rawValue = FourCC(stringLiteral: value)
        }

        /// `auxl`: from an auxiliary image to the images it belongs to.
        public static let auxiliary: Kind = "auxl"
        /// `cdsc`: from metadata to the item it describes.
        public static let contentDescription: Kind = "cdsc"
        /// `dimg`: from a derived image to its inputs, tiles in raster order.
        public static let derivedImage: Kind = "dimg"
        /// `thmb`: from a thumbnail to its master image.
        public static let thumbnail: Kind = "thmb"
        /// `prem`: from a color image to the alpha plane that its colors are multiplied by.
        public static let premultiplied: Kind = "prem"
    }

    /// The type of the link.
    public var kind: Kind
    /// The item that the link starts from.
    public var source: ItemID
    /// The items it leads to, in order.
    public var targets: [ItemID]
}
