internal import ByteParsing

/// The marker segments of one JPEG image up to its scan (ITU-T T.81 Annex B): sizes, and where metadata is.
struct JPEGHeader: Sendable {
    /// Where the image starts.
    var start: Int
    /// Where the entropy-coded data of the first scan starts.
    var scan: Int
    var width = 0
    var height = 0
    var bitDepth = 0
    var components = 0
    /// The Exif block, from its TIFF header on.
    var exif: Range<Int>?
    /// The main XMP packet.
    var xmp: Range<Int>?
    /// The segments of extended XMP, from their GUID on.
    var extendedXMP: [Range<Int>] = []
    /// The pieces of the ICC profile by sequence number.
    var colorProfile: [(number: Int, range: Range<Int>)] = []
    /// The MPF block, from its TIFF header on: offsets in it count from there.
    var multiPicture: Range<Int>?
    /// What a JPS file says of its two pictures, from the length behind `_JPSJPS_` on.
    var stereoDescriptor: Range<Int>?
    /// The bytes between segments that belong to none, which are skipped.
    var strayBytes: StrayBytes?

    /// Walks the segments of the image that starts at `start`, reading no payload that is not asked for.
    init(_ bytes: inout WindowedBytes, at start: Int, limits: DecodingLimits) throws(ContainerError) {
        self.start = start
        let path = StructurePath("JPEG")
        guard try bytes.uint16(at: start) == 0xFFD8 else {
            throw ContainerError(.malformed(rule: "a JPEG image starts with FF D8"), at: start, in: path)
        }
        scan = start
        var place = start + 2
        var segments = 0
        while true {
            segments += 1
            try limits.check(.segments, segments, at: place, in: path)
            let (marker, stray) = try bytes.nextMarker(from: &place, limits: limits, after: strayBytes)
            strayBytes = stray
            switch marker {
            case 0x01, 0xD0...0xD7:
                place += 2
                continue
            case 0xD9, 0xD8:
                throw ContainerError(
                    .malformed(rule: "the image ends or restarts before any scan"), at: place, in: path)
            default: break
            }
            let length = try bytes.uint16(at: place + 2)
            guard length >= 2 else {
                throw ContainerError(
                    .malformed(rule: "a segment counts its own two length bytes, so \(length) is too short"),
                    at: place, in: path)
            }
            let payload = place + 4..<place + 2 + length
            try bytes.source.check(payload, in: path)
            try read(marker, payload, &bytes, limits: limits)
            place = payload.upperBound
            if marker == 0xDA { break }
        }
        scan = place
        guard width > 0, height > 0 else {
            throw ContainerError(.malformed(rule: "the image has no frame header (SOF)"), at: place, in: path)
        }
    }

    private mutating func read(
        _ marker: UInt8, _ payload: Range<Int>, _ bytes: inout WindowedBytes, limits: DecodingLimits
    ) throws(ContainerError) {
        switch marker {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            guard payload.count >= 6 else {
                throw ContainerError(.truncated(needed: 6, available: payload.count), at: payload.lowerBound)
            }
            bitDepth = Int(try bytes.byte(at: payload.lowerBound))
            guard (2...16).contains(bitDepth) else {
                throw ContainerError(
                    .malformed(rule: "samples of \(bitDepth) bits do not exist in JPEG"),
                    at: payload.lowerBound,
                    in: StructurePath("SOF"))
            }
            height = try bytes.uint16(at: payload.lowerBound + 1)
            width = try bytes.uint16(at: payload.lowerBound + 3)
            components = Int(try bytes.byte(at: payload.lowerBound + 5))
            _ = try limits.pixelCount(
                width: width, height: height, at: payload.lowerBound, in: StructurePath("SOF"))
        case 0xE1:
            if try bytes.matches("Exif\0\0", in: payload) {
                exif = exif ?? payload.lowerBound + 6..<payload.upperBound
            } else if try bytes.matches("http://ns.adobe.com/xap/1.0/\0", in: payload) {
                xmp = xmp ?? payload.lowerBound + 29..<payload.upperBound
            } else if try bytes.matches("http://ns.adobe.com/xmp/extension/\0", in: payload) {
                extendedXMP.append(payload.lowerBound + 35..<payload.upperBound)
            }
        case 0xE2:
            if try bytes.matches("MPF\0", in: payload) {
                multiPicture = multiPicture ?? payload.lowerBound + 4..<payload.upperBound
            } else if try bytes.matches("ICC_PROFILE\0", in: payload), payload.count > 14 {
                let number = Int(try bytes.byte(at: payload.lowerBound + 12))
                colorProfile.append((number, payload.lowerBound + 14..<payload.upperBound))
            }
        case 0xE3:
            if try bytes.matches("_JPSJPS_", in: payload) {
                stereoDescriptor = stereoDescriptor ?? payload.lowerBound + 8..<payload.upperBound
            }
        default: break
        }
    }
}
