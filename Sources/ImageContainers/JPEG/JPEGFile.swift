internal import ByteParsing

/// One JPEG file as the readers of makers' planes see it: segments, metadata, and what stands behind the image.
struct JPEGFile {
    let source: any ByteSource
    let limits: DecodingLimits
    /// The segments of the first image, the photo itself.
    let header: JPEGHeader
    private var parsedXMP: XMPProperties?

    init(source: any ByteSource, limits: DecodingLimits, header: JPEGHeader) {
        self.source = source
        self.limits = limits
        self.header = header
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
