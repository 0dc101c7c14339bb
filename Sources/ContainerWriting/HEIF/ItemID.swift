/// The number of an item in the boxes of a HEIF file (`item_ID`); never 0.
public struct ItemID: RawRepresentable, Hashable, Sendable {
    /// The number in the file.
    public var rawValue: UInt32

    /// The identifier with this number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}
