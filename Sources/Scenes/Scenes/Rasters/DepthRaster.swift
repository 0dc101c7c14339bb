package import Bytes
internal import Codecs
package import DepthMaps
package import DepthTypes
internal import Embedded
package import PhotoFormats
package import RasterFormats

/// A plain depth or disparity raster: PNG, PGM, TIFF, OpenEXR, PFM, NPY, NPZ or a dense map of COLMAP.
///
/// Opening one reads its header only. A ``RasterInterpretation`` supplies what the file does not declare.
package struct DepthRaster: Sendable {
    /// The file as it describes itself.
    package let description: RasterDescription
    /// The plane; `nil` for a color image.
    package let plane: PlaneDescription?
    /// Assumptions, other remarks, and the warnings of libraries so far.
    package var diagnostics: [Diagnostic] { stated + decoder.diagnostics }
    let rule: SampleInterpretation
    private let decoder: RasterDecoder
    private let stated: [Diagnostic]
    let color: PictureFile?
    private let recordedFocalLength: Int?
    /// Whether the camera was given by hand.
    let hasGivenCamera: Bool

    /// Opens a raster file.
    ///
    /// Throws ``SceneError`` if `reading` does not fit the file, ``ContainerError`` when the file cannot be read.
    package init(
        contentsOf path: String, reading: RasterInterpretation = RasterInterpretation(),
        limits: DecodingLimits = DecodingLimits()
    ) throws {
        let source = try FileSource(path: path, limits: limits)
        guard let format = RasterFileFormat(recognizing: try source.readPrefix(at: 0, count: 16)) else {
            throw unrecognizedFile(source)
        }
        try self.init(source, format: format, reading: reading, limits: limits)
    }

    init(
        _ source: any ByteSource, format: RasterFileFormat, reading: RasterInterpretation,
        with picture: NamedPicture? = nil, limits: DecodingLimits
    ) throws {
        try reading.validate()
        hasGivenCamera = reading.focalLength != nil || reading.calibrationPath != nil
        decoder = RasterDecoder(source, limits: limits)
        var raster = try decoder.describe(
            format, choosing: reading.arrayName, byteOrder: reading.byteOrder ?? .bigEndian)
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
        rule = SampleInterpretation(
            raster, record: record.flatMap(SampleEncoding.init) ?? camera.record, reading: reading,
            camera: camera)
        guard raster.channels == 1 else {
            plane = nil
            stated =
                raster.diagnostics + [
                    raster.isVectorGrid
                        ? .note(
                            .vectorGrid,
                            "it is a disparity grid (row and column of the match), not a depth raster")
                        : .note(.colorImage, "it is a color image, not a depth raster")
                ]
            color = PictureFile(raster, decoder)
            return
        }
        plane = PlaneDescription(raster, rule, camera.calibration)
        stated =
            raster.diagnostics + rule.diagnostics
            + (raster.readError.map { [Diagnostic($0, .unreadablePlane, "the plane")] } ?? [])
        let picture = try picture ?? NamedPicture(reading.colorPath, limits: limits)
        try picture?.checkShape(
            depth: raster.orientation.size(width: raster.width, height: raster.height))
        color = picture?.file
    }

    /// The unit of the values, `m` or `1/m`; `nil` if unknown.
    package var unit: String? { rule.unit }

    /// The values in meters, converted if the file stores disparity.
    ///
    /// Throws ``SceneError`` for a color image, ``ContainerError`` when samples cannot be read.
    package func depthMap(frame: PixelOrientation = .upright) throws -> DepthMap {
        guard rule.quantity == .depth else { return try DepthMap(disparityMap(frame: frame)) }
        let map = DepthMap(
            width: description.width, height: description.height, meters: try values(),
            scale: rule.scale, calibration: plane?.calibration)
        return frame == .upright ? map.oriented(by: description.orientation) : map
    }

    /// The values in 1/meters, converted if the file stores depth.
    ///
    /// Throws as ``depthMap(frame:)`` does.
    package func disparityMap(frame: PixelOrientation = .upright) throws -> DisparityMap {
        try requireDistances()
        guard rule.quantity == .disparity else { return try DisparityMap(depthMap(frame: frame)) }
        let map = DisparityMap(
            width: description.width, height: description.height, reciprocalMeters: try values(),
            scale: rule.scale, calibration: plane?.calibration)
        return frame == .upright ? map.oriented(by: description.orientation) : map
    }

    /// The photo that belongs to the raster; `nil` if not given.
    package func image(frame: PixelOrientation = .upright) throws(ContainerError) -> ColorImage? {
        try color?.image(frame: frame)
    }

    /// The focal length of a full-frame camera with the same diagonal field of view as the photo that belongs to the raster,
    /// or as the photo that the raster was written from, in millimeters; `nil` if neither is known.
    package var focalLength35mm: Int? { color?.focalLength35mm ?? recordedFocalLength }

    /// The error for a missing plane of a kind (`nil`: neither depth nor disparity).
    package func absence(of kind: PlaneKind?) -> any Error {
        if let plane { return SceneError.noPlane(kind, available: [plane.kind]) }
        return description.isVectorGrid ? SceneError.vectorGrid(kind) : SceneError.notDepth(kind)
    }

    /// Throws ``SceneError/heights`` if values are not distances from a camera.
    func requireDistances() throws(SceneError) {
        if rule.isHeight { throw .heights }
    }

    private func values() throws -> [Float] {
        guard plane != nil else { throw absence(of: nil) }
        let values = rule.values(of: try decoder.samples(of: description))
        let unknown = values.count(where: \.isNaN)
        if let remark = rule.remark(onUnknown: unknown, of: values.count) { decoder.note(remark) }
        return values
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
    let detail =
        "this is not a photo or depth raster that can be read (JPEG, HEIF, AVIF, JPEG XL, DNG; PNG, PGM, TIFF, "
        + "OpenEXR, PFM, NPY, NPZ)"
    return ContainerError(isText ? .unrecognized(detail: detail) : .possiblyHeaderless(detail: detail), at: 0)
}
