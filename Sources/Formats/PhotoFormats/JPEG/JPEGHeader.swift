internal import Bytes

/// The marker segments of one JPEG image up to its scan (ITU-T T.81 Annex B): its size, and the ranges of metadata.
struct JPEGHeader: Sendable {
    /// The offset of the image.
    var start: Int
    /// The offset of the entropy-coded data of the first scan.
    var scan: Int
    var width = 0
    var height = 0
    var bitDepth = 0
    var components = 0
    /// The Exif block, starting at its TIFF header.
    var exif: Range<Int>?
    /// The main XMP packet.
    var xmp: Range<Int>?
    /// The segments of extended XMP, starting at their GUID.
    var extendedXMP: [Range<Int>] = []
    /// The pieces of the ICC profile by sequence number.
    var colorProfile: [(number: Int, range: Range<Int>)] = []
    /// The MPF block, starting at its TIFF header, which its offsets are relative to.
    var multiPicture: Range<Int>?
    /// The parameters of a gain map by ISO 21496-1; a photo's own segment has only their version.
    var gainMap: Range<Int>?
    /// The arrangement of the two pictures of a JPS file, starting at the length after `_JPSJPS_`.
    var stereoDescriptor: Range<Int>?
    /// The bytes that were skipped between segments.
    var strayBytes: StrayBytes?

    /// Walks the segments of the image at `start`. Reads only the payloads that it needs for a value below.
    init(_ bytes: inout WindowedBytes, at start: Int, limits: DecodingLimits) throws(ContainerError) {
        self.start = start
        let path = StructurePath("JPEG")
        let mark = try bytes.uint16(at: start)
        guard mark == 0xFFD8 else {
            throw ContainerError(
                .malformed(rule: "JPEG image starts with \(String(mark, radix: 16)), not ffd8"), at: start,
                in: path)
        }
        scan = start
        var walk = SegmentWalk(at: start + 2, limits: limits)
        var segment: JPEGLayout.Segment
        repeat {
            segment = try walk.next(in: &bytes)
            try read(segment, &bytes, limits: limits)
        } while segment.marker != 0xDA
        (scan, strayBytes) = (segment.payload.upperBound, walk.strayBytes)
        guard width > 0, height > 0 else {
            throw ContainerError(.malformed(rule: "the image has no frame header (SOF)"), at: scan, in: path)
        }
    }

    private mutating func read(
        _ segment: JPEGLayout.Segment, _ bytes: inout WindowedBytes, limits: DecodingLimits
    ) throws(ContainerError) {
        switch segment.marker {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            return try readFrame(segment.payload, &bytes, limits: limits)
        default: break
        }
        guard let kind = try bytes.kind(of: segment) else { return }
        let contents = segment.payload.lowerBound + kind.signature.count..<segment.payload.upperBound
        switch kind {
        case .exif: exif = exif ?? contents
        case .xmp: xmp = xmp ?? contents
        case .extendedXMP:
            if extendedXMP.isEmpty { bytes.prefetchExtendedXMP(segment.payload, limits: limits) }
            extendedXMP.append(contents)
        case .multiPicture: multiPicture = multiPicture ?? contents
        case .colorProfile where contents.count > 2:
            let number = Int(try bytes.byte(at: contents.lowerBound))
            colorProfile.append((number, contents.lowerBound + 2..<contents.upperBound))
        case .gainMap: gainMap = gainMap ?? contents
        case .stereo: stereoDescriptor = stereoDescriptor ?? contents
        case .jfif, .colorProfile: break
        }
    }

    /// Reads a frame header (§B.2.2).
    private mutating func readFrame(
        _ payload: Range<Int>, _ bytes: inout WindowedBytes, limits: DecodingLimits
    ) throws(ContainerError) {
        let start = payload.lowerBound
        guard payload.count >= 6 else {
            throw ContainerError(.truncated(needed: 6, available: payload.count), at: start)
        }
        bitDepth = Int(try bytes.byte(at: start))
        guard (2...16).contains(bitDepth) else {
            throw ContainerError(
                .malformed(rule: "samples have \(bitDepth) bits; JPEG has 2 to 16"), at: start,
                in: StructurePath("SOF"))
        }
        height = try bytes.uint16(at: start + 1)
        width = try bytes.uint16(at: start + 3)
        components = Int(try bytes.byte(at: start + 5))
        _ = try limits.pixelCount(width: width, height: height, at: start, in: StructurePath("SOF"))
    }
}

extension WindowedBytes {
    /// Fetches all segments of extended XMP in advance, the first of which is at `payload`, and the bytes up to the scan.
    ///
    /// Each segment gives the total length of the packet (XMP specification, part 3, §1.1.3.1). Readers go through all of
    /// them, one after the other.
    fileprivate mutating func prefetchExtendedXMP(_ payload: Range<Int>, limits: DecodingLimits) {
        let prefix = 35 + 32 + 4 + 4
        guard payload.count > prefix, let high = try? uint16(at: payload.lowerBound + 67),
            let low = try? uint16(at: payload.lowerBound + 69), high << 16 | low <= limits[.xmpBytes]
        else { return }
        let packet = high << 16 | low
        let segments = packet / (payload.count - prefix) + 1
        let end = payload.lowerBound + packet + segments * (prefix + 4) + (1 << 14)
        source.prefetch([payload.lowerBound..<(source.byteCount - end <= (1 << 16) ? source.byteCount : end)])
    }
}
