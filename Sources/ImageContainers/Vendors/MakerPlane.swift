internal import ByteParsing
internal import DepthModel

extension SampleMapping {
    /// Codes of a maker's raw plane, 8 bits without a unit, dark is near: 0 stands for the largest disparity.
    static var darkIsNear: SampleMapping {
        var mapping = SampleMapping(undeclared: .disparity, bitDepth: 8)
        (mapping.low, mapping.high) = (1, 0)
        return mapping
    }
}

extension AuxiliaryPlane {
    /// A raw plane, one byte a sample, dark near, without scale.
    init(raw samples: RawSamples, of photo: PhotoDescription, source: String, type: String) {
        let size = samples.orientation.size(width: samples.width, height: samples.height)
        self.init(
            kind: .disparity, width: size.width, height: size.height, codedWidth: size.width,
            codedHeight: size.height, bitDepth: 8, components: 1, codec: "raw", source: source, type: type,
            orientation: photo.orientation, location: .rawSamples(samples))
        mapping = .darkIsNear
    }

    /// A JPEG image inside another file; throws when it is none.
    init(
        jpeg range: Range<Int>, kind: PlaneKind, of photo: PhotoDescription, source: String, type: String,
        in file: any ByteSource, limits: DecodingLimits
    ) throws(ContainerError) {
        try file.check(range)
        var bytes = WindowedBytes(file)
        let header = try JPEGHeader(&bytes, at: range.lowerBound, limits: limits)
        guard header.scan <= range.upperBound else {
            throw ContainerError(
                .truncated(needed: header.scan - range.lowerBound, available: range.count),
                at: range.lowerBound, in: StructurePath("JPEG"))
        }
        self.init(
            kind: kind, width: header.width, height: header.height, codedWidth: header.width,
            codedHeight: header.height, bitDepth: header.bitDepth, components: header.components,
            codec: "jpeg", source: source, type: type, orientation: photo.orientation,
            location: .jpegStream(range))
        if kind.isDepth { mapping = SampleMapping(undeclared: .disparity, bitDepth: header.bitDepth) }
    }
}

extension [UInt8] {
    /// The last place at or before `end` where these bytes stand; `nil` when they do not.
    func lastIndex(of needle: [UInt8], before end: Int) -> Int? {
        let (bytes, wanted) = (span, needle.span)
        var place = Swift.min(end, count - needle.count)
        while place >= 0 {
            if bytes.holds(wanted, at: place) { return place }
            place -= 1
        }
        return nil
    }

    /// The first place where these bytes stand; `nil` when they do not.
    func firstIndex(of needle: [UInt8], before end: Int) -> Int? {
        let (bytes, wanted) = (span, needle.span)
        var place = 0
        while place <= Swift.min(end, count) - needle.count {
            if bytes.holds(wanted, at: place) { return place }
            place += 1
        }
        return nil
    }
}

extension Span<UInt8> {
    /// Whether these bytes stand at a place, which leaves room for them.
    fileprivate func holds(_ needle: Span<UInt8>, at place: Int) -> Bool {
        for index in needle.indices where self[place + index] != needle[index] { return false }
        return true
    }
}
