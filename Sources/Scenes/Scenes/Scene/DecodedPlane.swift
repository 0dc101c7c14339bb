package import Bytes
internal import Codecs
package import DepthMaps
package import DepthTypes
package import PhotoFormats

/// A plane of a scene in memory: pixels, codes with their meaning, or values.
package struct DecodedPlane: Sendable {
    /// The samples.
    package enum Content: Sendable {
        /// The scene has no such plane.
        case none
        /// A picture, or another plane in color.
        case color(ColorImage)
        /// A picture with its opacity.
        case translucent(RGBAImage)
        case gainMap(GainMap)
        /// Stored codes. The mapping gives depth or disparity; `nil` for other planes.
        case codes(SamplePlane, SampleMapping?)
        /// Depth or disparity in ``DecodedPlane/scale``, `nan` where unknown, row by row.
        case values([Float], PixelSize)
    }

    package var content = Content.none
    /// The plane as its source describes it; `nil` for pictures.
    package var description: PlaneDescription?
    /// The quantity of a plane of depth or disparity.
    package var quantity = DepthQuantity.depth
    /// The scale of its values.
    package var scale = DepthScale.unitless
    /// Its camera, in the frame of the samples; `nil` if unknown.
    package var calibration: CameraCalibration?
    /// The difference between the values of successive codes, in ``quantity``; `nil` for values that are not codes.
    package var step: Float?
    /// The range that the file declares for values; codes declare it by their mapping.
    package var declared: (low: Double, high: Double)?
    /// How many samples the source stores of each kind; `nil` if its rule is not known. Codes are counted by their mapping.
    package var counts: SampleCounts?
    /// Whether values are heights of a terrain, of any sign.
    package var isHeight = false
    /// What the treatment of the samples assumed or changed.
    package var remarks: [Diagnostic] = []
    /// The XMP that the source stores for this plane alone, as iPhones do; read only on request.
    package var xmp = XMPProperties()
    /// The source's JPEG stream of one channel, and the orientation that turns it upright; `nil` for other codings, and
    /// unless requested.
    package var stream: (bytes: [UInt8], orientation: Orientation)?
    /// The distances whose reciprocals the disparity values are, if distances were computed first; else `nil`.
    var meters: [Float]?
    /// Pixels that are overwritten if a picture has as many.
    private(set) var memory: [RGB<UInt8>]?

    /// An empty plane.
    package init() {}

    /// An empty plane for pictures of 8 bits, which are decoded into `memory` if it has a pixel for each of theirs.
    package init(reusing memory: [RGB<UInt8>]) { self.memory = memory }

    /// A picture.
    package init(_ image: ColorImage) { content = .color(image) }

    /// Codes of a plane. If it is depth or disparity, its description gives them a meaning.
    package init(_ codes: SamplePlane, _ description: PlaneDescription, calibration: CameraCalibration? = nil)
    {
        self.description = description
        self.calibration = calibration
        guard description.kind.isDepth else {
            content = .codes(codes, nil)
            return
        }
        let mapping =
            description.mapping
            ?? SampleMapping(
                undeclared: description.kind == .depth ? .depth : .disparity, bitDepth: codes.bitDepth)
        content = .codes(codes, mapping)
        (quantity, scale, step) = (mapping.quantity, description.scale, mapping.step)
    }

    /// The values of a map.
    package init(_ map: some FloatPlane, _ description: PlaneDescription? = nil) {
        content = .values(map.samples, PixelSize(width: map.width, height: map.height))
        (quantity, scale, calibration) = (type(of: map).quantity, map.scale, map.calibration)
        self.description = description
    }

    /// Whether the scene has no such plane.
    package var isEmpty: Bool { if case .none = content { true } else { false } }

    /// The size of the samples.
    package var size: PixelSize {
        switch content {
        case .none: PixelSize(width: 0, height: 0)
        case .color(let image): PixelSize(width: image.width, height: image.height)
        case .translucent(let image): PixelSize(width: image.width, height: image.height)
        case .gainMap(let map): PixelSize(width: map.width, height: map.height)
        case .codes(let codes, _): PixelSize(width: codes.width, height: codes.height)
        case .values(_, let size): size
        }
    }

    /// The colors, opaque; `nil` for other planes.
    package var image: ColorImage? {
        switch content {
        case .color(let image): image
        case .translucent(let image): image.color
        default: nil
        }
    }

    /// The picture with its opacity, which is full if it is opaque; `nil` for other planes.
    package var translucent: RGBAImage? {
        switch content {
        case .color(let image): RGBAImage(image)
        case .translucent(let image): image
        default: nil
        }
    }

    /// The stored codes; `nil` for other planes.
    package var codes: SamplePlane? { if case .codes(let codes, _) = content { codes } else { nil } }

    /// Sets a picture as its opacity is to be treated.
    mutating func show(_ image: RGBAImage, _ opacity: PlaneRequest.Opacity) {
        content =
            opacity == .kept
            ? .translucent(image)
            : .color(image.overWhite(curve: TransferFunction(profile: image.colorProfile) ?? .sRGB))
    }

    /// Whether a picture may be decoded into memory that is there.
    var hasMemory: Bool { memory != nil }

    /// Lets `decode` write every pixel of a picture of this size, in the memory that is there if it has as many pixels. Returns
    /// `false`, and sets nothing, if `decode` does. `other` is the number of bytes that decoding needs besides the pixels.
    mutating func overwrite(
        _ size: PixelSize, _ limits: DecodingLimits, other: Int = 0,
        _ decode: (inout MutableSpan<RGB<UInt8>>) throws(ContainerError) -> Bool
    ) throws(ContainerError) -> Bool {
        let count = try limits.pixelCount(width: size.width, height: size.height)
        try limits.checkMemory(pixels: count, bytesPerPixel: 6, other: other)
        var pixels = memory ?? []
        memory = nil
        if pixels.count != count { pixels = [RGB<UInt8>](repeating: .black, count: count) }
        var span = pixels.mutableSpan
        guard try decode(&span) else { return false }
        content = .color(
            ColorImage(width: size.width, height: size.height, pixels: .uint8(pixels), colorProfile: []))
        return true
    }

    /// The values in a quantity; none unless this is a plane of depth or disparity.
    func values(_ quantity: DepthQuantity) -> [Float] {
        // Taking the reciprocal twice would round twice.
        if quantity == .depth, let meters { return meters }
        switch content {
        case .codes(let codes, let mapping?):
            return quantity == .depth
                ? DepthMap(codes, mapping: mapping, scale: scale).meters
                : DisparityMap(codes, mapping: mapping, scale: scale).reciprocalMeters
        case .values(let values, _):
            guard quantity != self.quantity else { return values }
            return quantity == .depth
                ? DepthMap(reciprocalOf: map(values)).meters
                : DisparityMap(reciprocalOf: map(values)).reciprocalMeters
        default: return []
        }
    }

    /// Values as a map with the plane's size, scale and camera.
    func map<Map: FloatPlane>(_ values: [Float]) -> Map {
        Map(width: size.width, height: size.height, samples: values, scale: scale, calibration: calibration)
    }

    /// The plane with other values of the same quantity, instead of stored codes.
    func replacing(_ values: [Float], _ size: PixelSize) -> DecodedPlane {
        var plane = self
        plane.declared = mapping.map { (Double($0.range.low), Double($0.range.high)) } ?? declared
        plane.counts = storedCounts
        plane.content = .values(values, size)
        (plane.step, plane.meters) = (nil, nil)
        return plane
    }

    /// How many samples the source stores of each kind.
    package var storedCounts: SampleCounts? {
        guard counts == nil, case .codes(let codes, let mapping?) = content else { return counts }
        var found = SampleCounts()
        found.total = codes.codes.count
        // Then all samples are values.
        if mapping.isLine, mapping.kind(ofCode: mapping.lowCode) == nil,
            mapping.kind(ofCode: mapping.highCode) == nil
        {
            return found
        }
        for (code, count) in codes.histogram.enumerated() where count > 0 {
            if let kind = mapping.kind(ofCode: code) { found[kind] += count }
        }
        return found
    }

    /// Gives codes of a plane without a declared range the meaning of ``SampleRule``. Codes of a given range are all known if 0
    /// does not occur.
    mutating func settle(_ noData: ReadingOptions.NoData?) {
        guard noData != .nothing, case .codes(let codes, var mapping?) = content else { return }
        guard !mapping.isDeclared else {
            if storedCounts?.unknown == 0 { mapping.knownCodes = nil }
            content = .codes(codes, mapping)
            return
        }
        let histogram = codes.histogram
        var declared: Int?
        if case .value(let value) = noData { declared = Int(exactly: value) }
        let settled = mapping.settled(
            for: histogram.indices.filter { histogram[$0] > 0 }, bitDepth: codes.bitDepth, noData: declared)
        content = .codes(codes, settled)
    }

    /// The meaning of codes of depth or disparity; `nil` for other planes.
    var mapping: SampleMapping? { if case .codes(_, let mapping) = content { mapping } else { nil } }

    /// The range of values that the source declares.
    var declaredRange: (low: Double, high: Double)? {
        guard let mapping else { return declared }
        return mapping.isDeclared ? (Double(mapping.range.low), Double(mapping.range.high)) : nil
    }

    /// The distances along the optical axis, of a plane that was measured along rays.
    var alongAxis: DecodedPlane {
        let axial = (map(values(.depth)) as DepthMap).alongAxis()
        var plane = replacing(
            quantity == .depth ? axial.meters : DisparityMap(reciprocalOf: axial).reciprocalMeters, size)
        (plane.meters, plane.declared) = (axial.meters, nil)
        return plane
    }

    /// Throws ``SceneError/heights`` if values are not distances from a camera.
    func requireDistances() throws(SceneError) {
        if isHeight { throw .heights }
    }

    /// The depth, converted if disparity is stored. Throws ``DepthScaleError/affine`` if reciprocals are meaningless.
    package func depthMap() throws -> DepthMap {
        if quantity == .disparity { try scale.requireReciprocal() }
        return map(values(.depth))
    }

    /// The disparity, converted if depth is stored. Throws as ``depthMap()`` does, and ``SceneError/heights``.
    package func disparityMap() throws -> DisparityMap {
        try requireDistances()
        if quantity == .depth { try scale.requireReciprocal() }
        return map(values(.disparity))
    }
}
