internal import Bytes

/// The marker segments of a JPEG image up to its first scan, one after the other (ITU-T T.81 §B.1.1.4).
struct SegmentWalk {
    /// The bytes between segments that were skipped so far.
    private(set) var strayBytes: StrayBytes?
    private var offset: Int
    private var count = 0
    private let limits: DecodingLimits

    /// Starts after the marker at the start of an image (SOI).
    init(at offset: Int, limits: DecodingLimits) {
        (self.offset, self.limits) = (offset, limits)
    }

    /// The next segment. The last is the header of the scan (SOS, DA).
    ///
    /// Throws for markers that do not start a segment, for a segment that extends past the end of the file, and beyond a
    /// limit.
    mutating func next(in bytes: inout WindowedBytes) throws(ContainerError) -> JPEGLayout.Segment {
        count += 1
        let (start, path) = (offset, StructurePath("JPEG"))
        try limits.check(.segments, count, at: start, in: path)
        let marker: UInt8
        (marker, strayBytes) = try bytes.nextMarker(from: &offset, limits: limits, after: strayBytes)
        var payload = offset + 2..<offset + 2
        if marker != 0x01, !(0xD0...0xD7).contains(marker) {
            payload = try bytes.payload(of: marker, at: offset, in: path)
        }
        offset = payload.upperBound
        return JPEGLayout.Segment(marker: marker, range: start..<offset, payload: payload)
    }
}

extension WindowedBytes {
    /// The kind of an application segment; `nil` for others.
    mutating func kind(of segment: JPEGLayout.Segment) throws(ContainerError) -> JPEGSegmentKind? {
        for kind in JPEGSegmentKind.allCases where kind.marker == segment.marker {
            if try matches(kind.signature, in: segment.payload) { return kind }
        }
        return nil
    }

    /// The payload of the segment whose marker is at `offset`.
    ///
    /// Throws for markers that do not start a segment, and for a segment that extends past the end of the file.
    fileprivate mutating func payload(
        of marker: UInt8, at offset: Int, in path: StructurePath
    ) throws(ContainerError) -> Range<Int> {
        guard marker != 0xD8, marker != 0xD9 else {
            throw ContainerError(
                .malformed(rule: "the image ends or restarts before any scan"), at: offset, in: path)
        }
        let length = try uint16(at: offset + 2)
        guard length >= 2 else {
            throw ContainerError(
                .malformed(rule: "segment length is \(length); its own two bytes make it at least 2"),
                at: offset, in: path)
        }
        let payload = offset + 4..<offset + 2 + length
        try source.check(payload, in: path)
        return payload
    }
}
