internal import ByteParsing

/// One JPEG file as the readers of makers' planes see it: segments, metadata, and what stands behind the image.
struct JPEGFile {
    let source: any ByteSource
    let limits: DecodingLimits
    /// The segments of the first image, the photo itself.
    let header: JPEGHeader
    private var readPackets: Result<Packets, ContainerError>?
    private var parsedXMP: Result<ParsedXMP, ContainerError>?

    /// The photo's own XMP.
    private struct ParsedXMP {
        var properties: XMPProperties
        /// Why extended XMP is not among the properties, although there is some.
        var failure: ContainerError?
    }

    /// XMP as it stands in the file.
    private struct Packets {
        var main: [UInt8] = []
        /// The segments of extended XMP, from their GUID on.
        var extended: [[UInt8]] = []
    }

    init(source: any ByteSource, limits: DecodingLimits, header: JPEGHeader) {
        self.source = source
        self.limits = limits
        self.header = header
    }

    /// The photo's own XMP, extended XMP included; empty when there is none. Parsed once, when first asked for.
    mutating func xmp() throws(ContainerError) -> XMPProperties {
        let xmp = try parsed()
        if let failure = xmp.failure { throw failure }
        return xmp.properties
    }

    /// The photo's own XMP as far as it can be read, where a mark stands in its bytes; `nil` where it does not, which
    /// costs a search and no parse. Extended XMP that is damaged is noted in `photo` and leaves the main packet.
    mutating func xmp(
        holding mark: StaticString, _ photo: inout JPEGContainer
    ) throws(ContainerError) -> XMPProperties? {
        guard header.xmp != nil else { return nil }
        let packets = try packets()
        guard
            contains(packets.main, mark: mark)
                || packets.extended.contains(where: { contains($0, mark: mark) })
        else { return nil }
        let xmp = try parsed()
        if let failure = xmp.failure { photo.add(lost: failure) }
        return xmp.properties
    }

    /// The photo's own XMP as far as it can be read, and why extended XMP cannot.
    mutating func readableXMP() throws(ContainerError) -> (XMPProperties, ContainerError?) {
        let xmp = try parsed()
        return (xmp.properties, xmp.failure)
    }

    /// An error about the photo's XMP.
    func malformedXMP(_ rule: String) -> ContainerError {
        ContainerError(
            .malformed(rule: rule), at: header.xmp?.lowerBound ?? 0,
            in: StructurePath("APP1").appending("XMP"))
    }

    private mutating func packets() throws(ContainerError) -> Packets {
        if let readPackets { return try readPackets.get() }
        let result: Result<Packets, ContainerError>
        do throws(ContainerError) {
            result = .success(try packetsInFile())
        } catch {
            result = .failure(error)
        }
        readPackets = result
        return try result.get()
    }

    private func packetsInFile() throws(ContainerError) -> Packets {
        guard let range = header.xmp else { return Packets() }
        let bytes = WindowedBytes(source)
        var packets = Packets(main: try bytes.read(range))
        guard contains(packets.main, mark: "HasExtendedXMP") else { return packets }
        let place = header.extendedXMP.first?.lowerBound ?? 0
        try limits.check(.xmpBytes, header.extendedXMP.reduce(0) { $0 + $1.count }, at: place)
        for segment in header.extendedXMP { packets.extended.append(try bytes.read(segment)) }
        return packets
    }

    private mutating func parsed() throws(ContainerError) -> ParsedXMP {
        if let parsedXMP { return try parsedXMP.get() }
        let packets = try packets()
        let result: Result<ParsedXMP, ContainerError>
        do throws(ContainerError) {
            result = .success(try parse(packets))
        } catch {
            result = .failure(error)
        }
        parsedXMP = result
        return try result.get()
    }

    private func parse(_ packets: Packets) throws(ContainerError) -> ParsedXMP {
        guard let range = header.xmp else { return ParsedXMP(properties: XMPProperties()) }
        let path = StructurePath("APP1").appending("XMP")
        var xmp = ParsedXMP(
            properties: try XMPProperties(
                parsing: packets.main, limits: limits, at: range.lowerBound, in: path))
        do throws(ContainerError) {
            let more = try ExtendedXMP.assemble(
                header.extendedXMP, packets.extended, namedBy: xmp.properties, limits: limits)
            if let more {
                xmp.properties.merge(
                    try XMPProperties(parsing: more.packet, limits: limits, at: more.offset, in: path))
            }
        } catch {
            xmp.failure = error
        }
        return xmp
    }
}
