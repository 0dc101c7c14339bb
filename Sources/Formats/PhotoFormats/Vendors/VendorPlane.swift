internal import Bytes
internal import DepthTypes

extension SampleMapping {
    /// The samples of a vendor's raw plane: 8 bits without a unit, dark is near, so 0 is the largest disparity.
    static var darkIsNear: SampleMapping {
        var mapping = SampleMapping(undeclared: .disparity, bitDepth: 8)
        (mapping.low, mapping.high, mapping.usesAllCodes) = (1, 0, true)
        return mapping
    }
}

extension AuxiliaryPlane {
    /// A raw plane, one byte per sample, dark near, without scale.
    init(raw samples: RawSamples, of photo: PhotoDescription, carrier: PlaneCarrier, type: String) {
        let size = samples.orientation.size(width: samples.width, height: samples.height)
        self.init(
            kind: .disparity, width: size.width, height: size.height, codedWidth: size.width,
            codedHeight: size.height, bitDepth: 8, components: 1, codec: "raw", carrier: carrier, type: type,
            orientation: photo.orientation, location: .rawSamples(samples))
        self.mapping = .darkIsNear
    }

    /// A JPEG image inside another file. Throws if its header is damaged or truncated.
    init(
        jpeg range: Range<Int>, kind: PlaneKind, of photo: PhotoDescription, carrier: PlaneCarrier,
        type: String,
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
            codec: "jpeg", carrier: carrier, type: type, orientation: photo.orientation,
            location: .jpegStream(range))
        guard kind.isDepth else { return }
        var mapping = SampleMapping(undeclared: .disparity, bitDepth: header.bitDepth)
        mapping.usesAllCodes = true
        self.mapping = mapping
    }
}
