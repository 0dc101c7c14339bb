/// Bytes that a maker put behind a photo or beside its images, listed by their raw type and not interpreted.
public struct FileTrailer: Hashable, Sendable {
    /// The layout they were found by: `samsung-sef`, `oppo`, `vivo`, or `unknown`.
    public var source: String
    /// The raw type: a number, a name or the first bytes.
    public var type: String
    /// The name that the file gives them; data for a reader, as the type is.
    public var name: String?
    /// Where they are in the file.
    public var range: Range<Int>
}
