internal import ByteParsing

/// One JPEG file as the readers of makers' planes see it: segments, metadata, and what stands behind the image.
struct JPEGFile {
    let source: any ByteSource
    let limits: DecodingLimits
    /// The segments of the first image, the photo itself.
    let header: JPEGHeader
    /// The trailer that a reader has accounted for, from its first byte to its mark; `nil` when none has.
    var knownTrailer: Range<Int>?
    private var parsedXMP: XMPProperties?
    private var lastBytes: [UInt8]?
    private var longTail: [UInt8]?

    init(source: any ByteSource, limits: DecodingLimits, header: JPEGHeader) {
        self.source = source
        self.limits = limits
        self.header = header
    }

    /// The last bytes of the file, 4 KiB at most: the marks of trailers stand there. Read once, when first asked for.
    mutating func tail() throws(ContainerError) -> [UInt8] {
        if let lastBytes { return lastBytes }
        let bytes = try source.readPrefix(at: max(0, source.byteCount - 4096), count: 4096)
        lastBytes = bytes
        return bytes
    }

    /// Whether something that is no JPEG image stands at the end; zeros do not count.
    mutating func hasUnknownEnd() throws(ContainerError) -> Bool {
        guard knownTrailer == nil else { return false }
        let end = try tail()
        guard let last = end.lastIndex(where: { $0 != 0 }), last > end.startIndex else { return false }
        return !(end[last] == 0xD9 && end[last - 1] == 0xFF)
    }

    /// The last 16 MiB of the file, and where they start, for the makers whose trailers have no mark at their end; to
    /// be asked for only where there is reason to.
    mutating func searchableTail() throws(ContainerError) -> (bytes: [UInt8], start: Int) {
        let count = 16 << 20
        let start = max(0, source.byteCount - count)
        if let longTail { return (longTail, start) }
        let bytes = try source.readPrefix(at: start, count: count)
        longTail = bytes
        return (bytes, start)
    }

    /// Whether a search for a trailer of some makers is worth its time: when the photo is theirs, or something stands
    /// at its end and the maker is not known to write other trailers.
    mutating func isWorthSearching(
        for makers: [String], _ photo: PhotoDescription
    ) throws(ContainerError) -> Bool {
        guard knownTrailer == nil else { return false }
        let make = photo.make?.lowercased() ?? ""
        if makers.contains(where: make.contains) { return true }
        return !["apple", "google", "samsung"].contains(where: make.contains) ? try hasUnknownEnd() : false
    }

    /// The photo's own XMP, extended XMP included; empty when there is none. Parsed once, when first asked for.
    mutating func xmp() throws(ContainerError) -> XMPProperties {
        if let parsedXMP { return parsedXMP }
        guard let range = header.xmp else { return XMPProperties() }
        let bytes = WindowedBytes(source)
        let path = StructurePath("APP1").appending("XMP")
        var xmp = try XMPProperties(
            parsing: try bytes.read(range), limits: limits, at: range.lowerBound, in: path)
        if let more = try ExtendedXMP.assemble(header.extendedXMP, namedBy: xmp, bytes, limits: limits) {
            xmp.merge(try XMPProperties(parsing: more.packet, limits: limits, at: more.offset, in: path))
        }
        parsedXMP = xmp
        return xmp
    }
}
