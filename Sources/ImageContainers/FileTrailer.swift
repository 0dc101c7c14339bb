/// Bytes that a vendor put behind a photo or beside its images, listed by their raw type and not interpreted.
package struct FileTrailer: Hashable, Sendable {
    /// The layout they were found by: `samsung-sef`, `oppo`, `vivo`, or `unknown`.
    package var source: String
    /// The raw type: a number, a name or the first bytes.
    package var type: String
    /// The name that the file gives them. Show it; never use it as part of a file name.
    package var name: String?
    /// Where they are in the file.
    package var range: Range<Int>
}
