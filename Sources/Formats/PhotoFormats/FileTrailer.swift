/// Vendor data after a photo or among its images, listed by its raw type and not interpreted.
package struct FileTrailer: Hashable, Sendable {
    /// The recognized layout: `samsung-sef`, `oppo`, `vivo`, or `unknown`.
    package var source: String
    /// The raw type: a number, a name or the first bytes.
    package var type: String
    /// The name of the data in the file. Show it; never use it as part of a file name.
    package var name: String?
    /// The range of the data in the file.
    package var range: Range<Int>
}
