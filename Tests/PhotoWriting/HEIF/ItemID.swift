/// The number of an item in the boxes of a HEIF file (`item_ID`); never 0.
package struct ItemID: RawRepresentable, Hashable, Sendable {
    /// The number in the file.
    package var rawValue: UInt32

    /// The identifier with this number.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}
