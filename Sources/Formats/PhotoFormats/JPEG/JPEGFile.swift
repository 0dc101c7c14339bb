internal import Bytes

/// One JPEG file for vendors' readers: segments, metadata, and the data after the image. It keeps everything that it has
/// read.
struct JPEGFile {
    let source: any ByteSource
    let limits: DecodingLimits
    /// The segments of the first image, the photo itself.
    let header: JPEGHeader
    private var lastBytes: [UInt8]?
    private var longTail: [UInt8]?
    private var readPackets: Result<Packets, ContainerError>?
    private var parsedXMP: Result<ParsedXMP, ContainerError>?

    /// The photo's own XMP.
    private struct ParsedXMP {
        var properties: XMPProperties
        /// Why extended XMP could not be included in the properties.
        var failure: ContainerError?
    }

    /// XMP in serialized form.
    private struct Packets {
        var main: [UInt8] = []
        /// The segments of extended XMP, starting at their GUID.
        var extended: [[UInt8]] = []
    }

    init(source: any ByteSource, limits: DecodingLimits, header: JPEGHeader) {
        (self.source, self.limits, self.header) = (source, limits, header)
    }

    /// The last bytes of the file, at most 4 KiB, where the marks of trailers are.
    mutating func tail() throws(ContainerError) -> [UInt8] {
        if let lastBytes { return lastBytes }
        let bytes = try source.readPrefix(at: max(0, source.byteCount - 4096), count: 4096)
        lastBytes = bytes
        return bytes
    }

    /// Whether the file ends in something other than a JPEG image, ignoring zeros at the end.
    mutating func hasUnknownEnd() throws(ContainerError) -> Bool {
        let end = try tail()
        guard let last = end.lastIndex(where: { $0 != 0 }), last > end.startIndex else { return false }
        return !(end[last] == 0xD9 && end[last - 1] == 0xFF)
    }

    /// Throws if the file is visibly truncated: in the photo, or in Samsung's blocks, which should end in a directory.
    ///
    /// The photo is read only if the file does not end in an image.
    mutating func checkEnd() throws(ContainerError) {
        guard try hasUnknownEnd() else { return }
        let path = StructurePath("JPEG")
        var bytes = WindowedBytes(source, size: 1 << 18)
        guard let end = try bytes.endOfImage(afterScan: header.scan) else {
            throw ContainerError(
                .malformed(rule: "the photo has no end-of-image marker: the file may be cut off"),
                at: source.byteCount, in: path)
        }
        guard try SamsungTrailer.startsBlock(at: end, of: source) else { return }
        throw ContainerError(
            .malformed(
                rule: "Samsung's data behind the photo has no directory at its end: the file may be cut off"),
            at: end, in: path)
    }

    /// The last 16 MiB of the file, and their offset, for vendors whose trailers have no mark at their end. Call
    /// ``isWorthSearching(for:_:)`` first.
    mutating func searchableTail() throws(ContainerError) -> (bytes: [UInt8], start: Int) {
        let count = 16 << 20
        let start = max(0, source.byteCount - count)
        if let longTail { return (longTail, start) }
        let bytes = try source.readPrefix(at: start, count: count)
        longTail = bytes
        return (bytes, start)
    }

    /// Whether to search for a trailer of some vendors: if Exif names one of them, or if the file does not end in an image
    /// and Exif names no vendor that writes other trailers.
    mutating func isWorthSearching(
        for vendors: [StaticString], _ photo: PhotoDescription
    ) throws(ContainerError) -> Bool {
        let make = Array((photo.make ?? "").lowercased().utf8)
        if vendors.contains(where: { contains(make, mark: $0) }) { return true }
        let others: [StaticString] = ["apple", "google", "samsung"]
        return others.contains { contains(make, mark: $0) } ? false : try hasUnknownEnd()
    }

    /// The photo's own XMP, including extended XMP; empty if missing.
    mutating func xmp() throws(ContainerError) -> XMPProperties {
        let xmp = try parsed()
        if let failure = xmp.failure { throw failure }
        return xmp.properties
    }

    /// The readable part of the photo's own XMP, if its bytes contain a mark, and why extended XMP cannot be read.
    /// Without the mark, the result is `nil`, and XMP is only searched, not parsed.
    mutating func xmp(
        holding mark: StaticString
    ) throws(ContainerError) -> (properties: XMPProperties, failure: ContainerError?)? {
        guard header.xmp != nil else { return nil }
        let packets = try packets()
        guard
            contains(packets.main, mark: mark)
                || packets.extended.contains(where: { contains($0, mark: mark) })
        else { return nil }
        return try readableXMP()
    }

    /// The readable part of the photo's own XMP, and why extended XMP cannot be read.
    mutating func readableXMP() throws(ContainerError) -> (
        properties: XMPProperties, failure: ContainerError?
    ) {
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
        source.prefetch(header.extendedXMP)
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
