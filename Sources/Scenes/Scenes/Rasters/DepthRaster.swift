package import Bytes
package import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import PhotoFormats
internal import RasterFormats

/// A plain depth or disparity raster: PNG, PGM, TIFF, OpenEXR, PFM, NPY, NPZ or a dense map of COLMAP.
///
/// Opening one reads its header only. A ``ReadingOptions`` supplies what the file does not declare.
package struct DepthRaster: Sendable {
    /// The file as it describes itself.
    let description: RasterDescription
    /// The plane, and what its samples mean; `nil` for a picture.
    private let depth: (plane: PlaneDescription, rule: SampleInterpretation)?
    /// The picture that belongs to the depth; `nil` if none is given.
    private let picture: (any SceneSource)?
    /// Assumptions, other remarks, and the warnings of libraries so far.
    package var diagnostics: [Diagnostic] { stated + decoder.diagnostics }
    private let decoder: RasterDecoder
    private let limits: DecodingLimits
    private let stated: [Diagnostic]
    private var recordedFocalLength: Int?
    /// The rays of the samples, if these are distances along them.
    private var rays: CameraRays?
    /// Whether the camera was given by hand.
    private var hasGivenCamera = false
    private let givenScale: Double?

    /// Opens a raster file as depth, or as a picture if it is in color.
    ///
    /// Throws ``SceneError`` if `reading` does not fit the file, ``ContainerError`` when the file cannot be read.
    init(
        _ source: any ByteSource, format: RasterFileFormat, reading: ReadingOptions,
        with picture: NamedPicture? = nil, limits: DecodingLimits
    ) throws {
        try reading.validate()
        self.limits = limits
        hasGivenCamera = reading.camera != nil
        givenScale = reading.scale
        decoder = RasterDecoder(source, limits: limits)
        var raster = try decoder.describe(format, choosing: reading.arrayName)
        if let orientation = reading.orientation { raster.orientation = orientation }
        if let failure = source.failure { throw failure }
        let (record, stored) = (
            raster.record.flatMap { try? JSONValue(parsing: Array($0.utf8), limits: limits) },
            raster.camera.flatMap { try? JSONValue(parsing: Array($0.utf8), limits: limits) }
        )
        let camera = try RasterCamera(
            raster, stored: (stored ?? record?["camera"]).flatMap(CameraCalibration.init), reading: reading,
            limits: limits)
        description = raster
        recordedFocalLength = record?["focalLength35mm"]?.integer
        let otherPlane = (record?["plane"]?.text).flatMap(PlaneKind.init)
        guard raster.channels == 1, otherPlane == nil else {
            (depth, self.picture) = (nil, nil)
            let what =
                raster.isVectorGrid
                ? "disparity grid (row and column of the match)"
                : otherPlane.map { "plane '\($0.rawValue)'" } ?? "color image"
            stated =
                raster.diagnostics + [
                    .note(
                        raster.isVectorGrid ? .vectorGrid : .colorImage, "it is a \(what), not a depth raster"
                    )
                ]
            return
        }
        if reading.range != nil, ![.uint8, .uint16].contains(raster.sampleType) {
            throw SceneError.rangeWithoutCodes(raster.sampleType.rawValue)
        }
        if reading.quantity == .distance {
            guard let calibration = camera.calibration else { throw SceneError.distanceWithoutCamera }
            rays = CameraRays(calibration, width: raster.width, height: raster.height)
        }
        var rule = SampleInterpretation(
            raster, record: record.flatMap(SampleEncoding.init) ?? camera.record, reading: reading,
            camera: camera)
        if reading.range?.upperBound == .infinity, rule.quantity == .depth { throw SceneError.infiniteRange }
        if rays != nil { rule.convertDistances() }
        depth = (PlaneDescription(raster, rule, camera.calibration), rule)
        stated =
            raster.diagnostics + rule.diagnostics
            + (raster.readError.map { [Diagnostic($0, .unreadablePlane, "the plane")] } ?? [])
        let picture = try picture ?? NamedPicture(reading.colorPath, limits: limits)
        try picture?.checkShape(
            depth: raster.orientation.size(width: raster.width, height: raster.height))
        self.picture = picture?.file
    }

    /// Opens a raster file as a picture, gray or in color.
    ///
    /// Throws ``ContainerError`` when the file cannot be read.
    init(
        pictureIn source: any ByteSource, format: RasterFileFormat, limits: DecodingLimits
    ) throws(ContainerError) {
        self.limits = limits
        givenScale = nil
        decoder = RasterDecoder(source, limits: limits)
        description = try decoder.describe(format)
        if let failure = source.failure { throw failure }
        (depth, picture, stated) = (nil, nil, description.diagnostics)
    }
}

extension DepthRaster: SceneSource {
    package func describe() -> SceneDescription {
        let upright = description.orientation.size(width: description.width, height: description.height)
        let behind = picture?.describe()
        let size = depth == nil ? PixelSize(width: upright.width, height: upright.height) : behind?.colorSize
        let hasAlpha = depth == nil && description.alpha != nil
        var scene = SceneDescription(
            planes: [depth?.plane].compactMap(\.self), depth: depth?.plane, colorSize: size,
            isLaidOverWhite: behind?.isLaidOverWhite ?? hasAlpha)
        if let (plane, rule) = depth {
            scene.depth?.coding = rule.coding
            scene.depth?.isHeight = rule.isHeight
            scene.depth?.isNearSideAssumed = rule.isNearSideAssumed
            scene.cameras.given = hasGivenCamera ? plane.calibration(in: .upright) : nil
        } else {
            scene.absence = description.isVectorGrid ? .vectorGrid : .notDepth
        }
        scene.cameras.focalLength35mm = behind?.focalLength35mm ?? recordedFocalLength
        scene.hasGainMap = behind?.hasGainMap ?? false
        if let behind { scene.takeMarks(of: behind) }
        scene.file = SceneDescription.StoredFile(
            kind: .raster, format: description.format.rawValue,
            size: PixelSize(width: description.width, height: description.height),
            orientation: description.orientation, sampleType: description.sampleType.rawValue,
            limits: limits, usesReading: true, hasRecord: description.record != nil,
            isPlain: isPlainPNG && description.orientation == .up)
        return scene
    }

    /// Whether pixels are in 8-bit sRGB as they are stored.
    private var isPlainPNG: Bool {
        description.format == .png && description.sampleType == .uint8 && description.alpha == nil
            && !description.hasColorProfile && description.codedColor == nil && description.readError == nil
    }

    package func metadata() -> (blocks: PictureMetadata, diagnostics: [Diagnostic]) {
        picture?.metadata() ?? (PictureMetadata(), [])
    }

    package func decode(_ id: PlaneID, as request: PlaneRequest, into plane: inout DecodedPlane) throws {
        switch id {
        case .picture where depth == nil: try decodePicture(as: request, into: &plane)
        case .picture: try picture?.decode(id, as: request.ofSeparatePicture, into: &plane)
        case .gainMap: try picture?.decode(id, as: request, into: &plane)
        case .plane(let kind, 0) where kind == depth?.plane.kind && !request.codesOnly:
            try decodeDepth(as: request, into: &plane)
        case .plane, .eye: return
        }
    }

    private func decodePicture(
        as request: PlaneRequest, into plane: inout DecodedPlane
    ) throws(ContainerError) {
        let orientation = request.frame == .upright ? description.orientation : .up
        if description.alpha != nil {
            let image = try decoder.translucent(of: description).oriented(by: orientation)
            plane.show(image, request.opacity)
        } else if plane.hasMemory, isPlainPNG, orientation == .up {
            let size = PixelSize(width: description.width, height: description.height)
            _ = try plane.overwrite(size, limits) { (pixels) throws(ContainerError) in
                try decoder.readPNG(description, channels: 3, into: &pixels)
                return true
            }
        } else {
            let image = try decoder.color(of: description, keepsHDR: request.keepsHDR)
            plane.content = .color(image.oriented(by: orientation))
        }
    }

    /// Decodes the values in their scale, `nan` where unknown.
    private func decodeDepth(as request: PlaneRequest, into plane: inout DecodedPlane) throws(ContainerError)
    {
        guard let depth else { return }
        let samples = try decoder.samples(of: description)
        if case .uint16(let codes) = samples, description.record == nil,
            let remark = PackedSamples.remark(on: codes, description, scale: givenScale)
        {
            decoder.note(remark)
        }
        var (values, counts) = depth.rule.values(of: samples)
        rays?.convertToDepth(&values)
        if depth.rule.reportsUnknown, let remark = counts.remark(noData: depth.rule.rule.noData) {
            decoder.note(remark)
        }
        let map = DepthMap(
            width: description.width, height: description.height, meters: values, scale: depth.rule.scale,
            calibration: depth.plane.calibration)
        plane = DecodedPlane(
            request.frame == .upright ? map.oriented(by: description.orientation) : map, depth.plane)
        (plane.quantity, plane.declared) = (depth.rule.quantity, depth.rule.declared)
        (plane.step, plane.isHeight) = (depth.rule.coding?.step, depth.rule.isHeight)
        plane.counts = counts
    }
}

extension PlaneDescription {
    /// The only plane of a raster file.
    fileprivate init(
        _ raster: RasterDescription, _ rule: SampleInterpretation, _ calibration: CameraCalibration?
    ) {
        self.init(
            kind: rule.quantity == .depth ? .depth : .disparity, width: raster.width, height: raster.height,
            bitDepth: raster.bitDepth, codec: raster.codec, source: "raster",
            type: raster.name ?? raster.sampleType.rawValue)
        (accuracy, valueScale) = (rule.scale.accuracy, rule.scale)
        orientation = raster.orientation
        self.calibration = calibration
        readError = raster.readError
        unit = rule.unit
        declaredRange = rule.declared.map { (min($0.low, $0.high), max($0.low, $0.high)) }
    }
}

/// The error for a file that is neither a photo nor a raster with a header. Unless it is text, it may be samples without a
/// header.
func unrecognizedFile(_ source: any ByteSource) -> ContainerError {
    if source.byteCount == 0 { return ContainerError(.unrecognized(detail: "the file is empty")) }
    let start = (try? source.readPrefix(at: 0, count: 512)) ?? []
    if let format = ForeignFormat(start) {
        return ContainerError(
            .unrecognized(
                detail: "this is \(format.name), whatever its name says, and not read; \(format.advice)"),
            at: 0)
    }
    let isText = start.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    return ContainerError(
        isText ? .unrecognized(detail: unknownKind) : .possiblyHeaderless(detail: unknownKind), at: 0)
}

/// The message about a file of no known kind.
package let unknownKind =
    "this is not a photo or depth raster that can be read (JPEG, HEIF, AVIF, JPEG XL, DNG; PNG, PGM, TIFF, OpenEXR, PFM, NPY, NPZ)"
