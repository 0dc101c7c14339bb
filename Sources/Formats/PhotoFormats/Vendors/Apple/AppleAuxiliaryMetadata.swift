internal import Bytes
internal import DepthTypes
internal import Embedded

/// The contents of Apple's XMP packet on an auxiliary image (namespaces `pixeldatainfo`, `depthData`, …).
///
/// Invalid values are omitted and reported in ``diagnostics``.
struct AppleAuxiliaryMetadata {
    private static let pixels = "http://ns.apple.com/pixeldatainfo/1.0/"
    private static let depth = "http://ns.apple.com/depthData/1.0/"
    private static let blur = "http://ns.apple.com/depthBlurEffect/1.0/"
    private static let gainMap = "http://ns.apple.com/HDRGainMap/1.0/"
    private static let adobeGainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
    private static let portraitMatte = "http://ns.apple.com/portraitEffectsMatte/1.0/"

    /// `AuxiliaryImageType`: `disparity`, `depth` (also for a portrait matte) or a URN.
    var type: String?
    /// `AuxiliaryImageSubType`: `portraiteffectsmatte`.
    var subtype: String?
    /// The pixel format before storage: `hdis`, `fdis`, `hdep`, `fdep`, `L008`.
    var nativeFormat: FourCharacterCode?
    /// The pixel format in the file: `L008`, `L016`, or one of unchanged binary16: `hdis`, `hdep`, `L00h`.
    var storedFormat: FourCharacterCode?
    /// The range of stored samples.
    var codes: (low: Int, high: Int)?
    /// The range of values as written, six decimals.
    var values: (low: Double, high: Double)?
    var accuracy: DepthAccuracy?
    var quality: DepthQuality?
    var isFiltered: Bool?
    var calibration: CameraCalibration?
    var blur: BlurParameters?
    /// Which of the marker namespaces occur.
    var hasGainMap = false
    var hasPortraitMatte = false
    var hasDepthData = false
    private(set) var diagnostics: [Diagnostic] = []

    private let offset: Int
    private let path: StructurePath

    /// Reads the properties of a packet, which starts at `offset`.
    init(_ xmp: XMPProperties, limits: DecodingLimits, at offset: Int, in path: StructurePath) {
        self.offset = offset
        self.path = path
        type = xmp[Self.pixels, "AuxiliaryImageType"]?.text
        subtype = xmp[Self.pixels, "AuxiliaryImageSubType"]?.text
        nativeFormat = xmp[Self.pixels, "NativeFormat"]?.text.flatMap(Self.format)
        storedFormat = xmp[Self.pixels, "StoredFormat"]?.text.flatMap(Self.format)
        hasGainMap = xmp.contains(namespace: Self.gainMap) || xmp[Self.adobeGainMap, "Version"] != nil
        hasPortraitMatte = xmp.contains(namespace: Self.portraitMatte)
        hasDepthData = xmp.contains(namespace: Self.depth)
        readRange(xmp)
        accuracy = xmp[Self.depth, "Accuracy"]?.text.flatMap {
            ["absolute": .absolute, "relative": .relative][$0]
        }
        quality = xmp[Self.depth, "Quality"]?.text.flatMap(DepthQuality.init)
        isFiltered = xmp[Self.depth, "Filtered"]?.text.flatMap { Bool($0.lowercased()) }
        calibration = readCalibration(xmp)
        readBlur(xmp, limits)
    }

    /// The quantity that the native format names, or else the type; `nil` if the plane is not a depth plane.
    var quantity: DepthQuantity? {
        switch nativeFormat {
        case "hdis", "fdis": return .disparity
        case "hdep", "fdep": return .depth
        default: break
        }
        guard subtype == nil, !hasPortraitMatte else { return nil }
        return type.flatMap(DepthQuantity.init)
    }

    /// Whether values were binary16 before storage, so that six decimals determine them exactly.
    var isNativeHalf: Bool { nativeFormat == "hdis" || nativeFormat == "hdep" }

    /// Whether 16-bit samples are bit patterns of binary16.
    var isStoredAsHalf: Bool { storedFormat == "hdis" || storedFormat == "hdep" || storedFormat == "L00h" }

    /// A FourCC, from text or from the decimal number that Apple writes.
    private static func format(_ text: String) -> FourCharacterCode? {
        if let number = UInt32(text) { return FourCharacterCode(rawValue: number) }
        guard text.utf8.count == 4 else { return nil }
        return FourCharacterCode(rawValue: text.utf8.reduce(0) { $0 << 8 | UInt32($1) })
    }

    private mutating func readRange(_ xmp: XMPProperties) {
        if let low = integer(xmp, Self.pixels, "IntMinValue"),
            let high = integer(xmp, Self.pixels, "IntMaxValue")
        {
            codes = (low, high)
        }
        // Every number is accepted here, even "nan": a declared but impossible range is not a missing one.
        let bounds = ["FloatMinValue", "FloatMaxValue"].map { name in
            xmp[Self.pixels, name]?.text.flatMap(Double.init)
        }
        if let low = bounds[0], let high = bounds[1] {
            values = (low, high)
        } else if xmp[Self.pixels, "FloatMinValue"] != nil || xmp[Self.pixels, "FloatMaxValue"] != nil {
            note("FloatMinValue and FloatMaxValue are not two numbers")
        }
    }

    private mutating func readCalibration(_ xmp: XMPProperties) -> CameraCalibration? {
        guard let matrix = numbers(xmp, "IntrinsicMatrix", count: 9),
            let width = integer(xmp, Self.depth, "IntrinsicMatrixReferenceWidth"),
            let height = integer(xmp, Self.depth, "IntrinsicMatrixReferenceHeight")
        else { return nil }
        guard width > 0, height > 0, matrix[0] > 0, matrix[4] > 0 else {
            note(
                "camera intrinsics are \(matrix[0]) × \(matrix[4]) at \(width) × \(height); all must be positive"
            )
            return nil
        }
        // Column by column: fx 0 0 0 fy 0 ox oy 1. Apple's pixel coordinates start at the corner of the first pixel.
        var calibration = CameraCalibration(
            focalLengthX: matrix[0], focalLengthY: matrix[4],
            principalPointX: matrix[6] - 0.5, principalPointY: matrix[7] - 0.5, width: width, height: height)
        calibration.pixelSize = number(xmp, Self.depth, "PixelSize")
        if let extrinsics = numbers(xmp, "ExtrinsicMatrix", count: 12) {
            calibration.extrinsics = CameraCalibration.Extrinsics(
                rotation: [0, 3, 6, 1, 4, 7, 2, 5, 8].map { extrinsics[$0] },
                translation: extrinsics[9...].map { $0 / 1000 })
        }
        if let forward = numbers(xmp, "LensDistortionCoefficients", count: 8),
            let inverse = numbers(xmp, "InverseLensDistortionCoefficients", count: 8)
        {
            let x = number(xmp, Self.depth, "LensDistortionCenterOffsetX")
            let y = number(xmp, Self.depth, "LensDistortionCenterOffsetY")
            calibration.distortion = LensDistortion(
                coefficients: forward, inverseCoefficients: inverse,
                centerX: (x ?? Double(width) / 2) - 0.5, centerY: (y ?? Double(height) / 2) - 0.5)
        }
        return calibration
    }

    private mutating func readBlur(_ xmp: XMPProperties, _ limits: DecodingLimits) {
        let aperture = number(xmp, Self.blur, "SimulatedAperture")
        let parameters = xmp[Self.blur, "RenderingParameters"]?.text
        guard aperture != nil || parameters != nil else { return }
        var decoded: [UInt8]?
        do throws(ContainerError) {
            try limits.check(.base64Bytes, parameters?.utf8.count ?? 0, at: offset, in: path)
            decoded = parameters.flatMap(decodeBase64)
            if parameters != nil, decoded == nil { note("RenderingParameters are not base64") }
        } catch {
            diagnostics.append(error)
        }
        blur = BlurParameters(simulatedAperture: aperture, renderingParameters: decoded)
    }

    private mutating func number(_ xmp: XMPProperties, _ namespace: String, _ name: String) -> Double? {
        guard let text = xmp[namespace, name]?.text else { return nil }
        guard let value = Double(text), value.isFinite else {
            note("\(name) is not a number")
            return nil
        }
        return value
    }

    private mutating func integer(_ xmp: XMPProperties, _ namespace: String, _ name: String) -> Int? {
        guard let value = number(xmp, namespace, name) else { return nil }
        guard let integer = Int(exactly: value.rounded()), integer.magnitude <= 1 << 31 else {
            note("\(name) is not a whole number")
            return nil
        }
        return integer
    }

    private mutating func numbers(_ xmp: XMPProperties, _ name: String, count: Int) -> [Double]? {
        guard let items = xmp[Self.depth, name]?.items else { return nil }
        var values: [Double] = []
        values.reserveCapacity(items.count)
        for item in items {
            if let text = item.text, let value = Double(text), value.isFinite { values.append(value) }
        }
        guard values.count == count, items.count == count else {
            note("\(name) is not a list of \(count) numbers")
            return nil
        }
        return values
    }

    private mutating func note(_ rule: String) {
        diagnostics.append(ContainerError(.malformed(rule: rule), at: offset, in: path))
    }
}
