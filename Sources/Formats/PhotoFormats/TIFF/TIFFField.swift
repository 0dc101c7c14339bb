/// A field of a directory with its values (TIFF 6.0 §2), in the byte order of its file.
package struct TIFFField: Hashable, Sendable {
    /// The tag, which identifies the field.
    package var tag: Int
    /// The type of its values.
    package var type: Int
    /// The number of its values.
    package var count: Int
    /// Its values.
    package var bytes: [UInt8]

    /// A field with its values.
    package init(tag: Int, type: Int, count: Int, bytes: [UInt8]) {
        (self.tag, self.type, self.count, self.bytes) = (tag, type, count, bytes)
    }
}
