package import Bytes
internal import DepthTypes
internal import Embedded
internal import PhotoFormats
internal import RasterFormats

/// The camera of a raster, from the record in the raster, a calibration file and flags.
struct RasterCamera {
    /// Intrinsics in the raster's pixels.
    var calibration: CameraCalibration?
    /// How disparity in pixels becomes disparity in 1/meters: `(d + doffs) / (baseline · f)`.
    var stereo: (offset: Double, baselineTimesFocal: Double)?
    /// The meaning of samples, if the calibration file is the sidecar of this raster.
    var record: SampleEncoding?

    /// The camera of the calibration file; values given by the caller take precedence.
    init(
        _ raster: RasterDescription, stored: CameraCalibration?, reading: ReadingOptions,
        limits: DecodingLimits
    ) throws {
        let (width, height) = (raster.width, raster.height)
        var offset = 0.0
        var baseline = reading.baseline
        calibration = stored
        if let path = reading.calibrationPath {
            do {
                switch try CalibrationFile(path: path, limits: limits) {
                case .sidecar(let sidecar):
                    record = sidecar.describes(raster) ? sidecar.record : nil
                    guard let camera = sidecar.camera else {
                        if record == nil { throw ContainerError.sidecarWithoutCamera }
                        break
                    }
                    try Self.checkAspect(camera.width, camera.height, width, height)
                    calibration = camera.scaled(toWidth: width, height: height)
                case .stereo(let file):
                    try Self.checkSize(file, width, height)
                    calibration = CameraCalibration(
                        focalLengthX: file.focalLengthX, focalLengthY: file.focalLengthY,
                        principalPointX: file.principalPointX, principalPointY: file.principalPointY,
                        width: width, height: height)
                    offset = file.disparityOffset
                    baseline = baseline ?? file.baseline
                }
            } catch let error as ContainerError {
                throw SceneError.unreadableCalibration(path: path, error)
            }
        }
        if let focal = reading.focalLength {
            var camera =
                calibration ?? CameraCalibration(focalLength: focal, width: width, height: height)
            (camera.focalLengthX, camera.focalLengthY) = (focal, focal)
            calibration = camera
        }
        if let point = reading.principalPoint {
            calibration?.principalPointX = point.x
            calibration?.principalPointY = point.y
        }
        if let baseline, let calibration, reading.quantity != .depth {
            stereo = (offset, baseline * calibration.focalLengthX)
        }
    }

    /// Disparities of a raster of another size are in other pixels than the calibration.
    private static func checkSize(_ file: StereoCalibration, _ width: Int, _ height: Int) throws {
        guard let fileWidth = file.width, let fileHeight = file.height else { return }
        guard (fileWidth, fileHeight) == (width, height) else {
            throw SceneError.calibrationOfOtherSize(
                PixelSize(width: fileWidth, height: fileHeight),
                raster: PixelSize(width: width, height: height))
        }
    }

    private static func checkAspect(_ fileWidth: Int, _ fileHeight: Int, _ width: Int, _ height: Int) throws {
        let file = PixelSize(width: fileWidth, height: fileHeight)
        let raster = PixelSize(width: width, height: height)
        guard file.hasSameAspect(as: raster) else {
            throw SceneError.calibrationOfOtherShape(file, raster: raster)
        }
    }
}

/// A file that describes a camera, recognized by its bytes.
enum CalibrationFile {
    case sidecar(PlaneSidecar)
    case stereo(StereoCalibration)

    /// Reads a file. Of a calibration of several pairs, `camera` is the number of the left camera, as
    /// ``StereoCalibration/init(parsing:camera:)`` takes it.
    init(path: String, camera: Int? = nil, limits: DecodingLimits) throws(ContainerError) {
        let source = try FileSource(path: path, limits: limits)
        try limits.check(.metadataBytes, source.byteCount)
        let bytes = try source.read(0..<source.byteCount)
        guard bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else {
            self = .stereo(try StereoCalibration(parsing: bytes, camera: camera))
            return
        }
        let json = try JSONValue(parsing: bytes, limits: limits)
        guard json["schema"]?.text == "isobath.plane/1" else {
            let schema = json["schema"]?.text.map { "'\($0.prefix(100))'" } ?? "missing"
            throw ContainerError(
                .malformed(rule: "schema of the JSON calibration is \(schema), not isobath.plane/1"))
        }
        self = .sidecar(PlaneSidecar(json))
    }
}

/// A sidecar of the schema `isobath.plane/1`.
struct PlaneSidecar {
    /// The camera; `nil` where it was unknown.
    let camera: CameraCalibration?
    /// The meaning of samples; `nil` for planes that are not depth.
    let record: SampleEncoding?
    private let size: [Int?]

    init(_ json: JSONValue) {
        camera = json["calibration"].flatMap(CameraCalibration.init)
        record = SampleEncoding(json)
        size = ["width", "height", "bitDepth"].map { json[$0]?.integer }
    }

    /// Whether the sidecar was written for a raster of this size and sample depth. Its camera may be used for others, too.
    func describes(_ raster: RasterDescription) -> Bool {
        size == [raster.width, raster.height, raster.bitDepth]
    }
}

extension ContainerError {
    /// The error for a sidecar that was given for its camera, but has no camera.
    package static let sidecarWithoutCamera = ContainerError(
        .malformed(rule: "this sidecar holds no calibration, because its map had none"))
}
