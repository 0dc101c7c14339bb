package import Bytes

/// The segments of a JPEG photo, and its end. For changing a file and keeping the rest unchanged.
package struct JPEGLayout: Sendable {
    /// A marker segment before the first scan.
    package struct Segment: Sendable {
        /// The second byte of the marker.
        package var marker: UInt8
        /// From the end of the segment before it to its end, including fill bytes and stray bytes.
        package var range: Range<Int>
        /// The range after the length; empty for a marker without one.
        package var payload: Range<Int>
    }

    /// All segments between SOI and the first scan, in file order.
    package let segments: [Segment]
    /// The offset of the marker of the first scan.
    package let scan: Int
    /// The offset after the end-of-image marker of the photo.
    package let end: Int
    /// The main XMP packet.
    package let xmp: Range<Int>?
    /// The block of the multi-picture index, starting at its TIFF header.
    package let multiPicture: Range<Int>?
    /// The segments of extended XMP, starting at their GUID.
    package let extendedXMP: [Range<Int>]

    /// Reads the segments of the photo that starts at byte 0, and searches for its end.
    ///
    /// Throws ``ContainerError`` if the marker is missing.
    package init(_ source: any ByteSource, limits: DecodingLimits) throws(ContainerError) {
        var bytes = WindowedBytes(source, size: 1 << 18)
        let header = try JPEGHeader(&bytes, at: 0, limits: limits)
        (xmp, multiPicture, extendedXMP) = (header.xmp, header.multiPicture, header.extendedXMP)
        var walk = SegmentWalk(at: 2, limits: limits)
        var segments = [try walk.next(in: &bytes)]
        while let last = segments.last, last.marker != 0xDA { segments.append(try walk.next(in: &bytes)) }
        // Stray bytes before the scan's marker belong to the scan.
        scan = segments.removeLast().range.lowerBound
        self.segments = segments
        guard let end = try bytes.endOfImage(afterScan: header.scan) else {
            throw ContainerError(
                .malformed(rule: "the photo has no end-of-image marker"), at: header.scan,
                in: StructurePath("JPEG"))
        }
        self.end = end
    }

    /// The offset after the end-of-image marker of an image that starts at `start`; `nil` if missing.
    package static func endOfImage(
        at start: Int, in source: any ByteSource, limits: DecodingLimits
    ) throws(ContainerError) -> Int? {
        var bytes = WindowedBytes(source, size: 1 << 16)
        let header = try JPEGHeader(&bytes, at: start, limits: limits)
        return try bytes.endOfImage(afterScan: header.scan)
    }

    /// The packet in the segments of extended XMP, as the main packet names it; empty if missing.
    package func extendedPacket(
        _ source: any ByteSource, limits: DecodingLimits
    ) throws(ContainerError) -> [UInt8] {
        guard let xmp, !extendedXMP.isEmpty else { return [] }
        try limits.check(.xmpBytes, extendedXMP.reduce(0) { $0 + $1.count }, at: xmp.lowerBound)
        let main = try XMPProperties(
            parsing: try source.read(xmp), limits: limits, at: xmp.lowerBound,
            in: StructurePath("APP1").appending("XMP"))
        var pieces: [[UInt8]] = []
        for range in extendedXMP { pieces.append(try source.read(range)) }
        return try ExtendedXMP.assemble(extendedXMP, pieces, namedBy: main, limits: limits)?.packet ?? []
    }
}
