package import Bytes
internal import DepthTypes
internal import Embedded
internal import PhotoFormats
internal import RasterFormats

/// A file with a camera that the caller names, recognized by its contents.
struct CalibrationFile {
    enum Content {
        /// Our own records of planes that were written.
        case records([PlaneRecord])
        /// Both cameras of a stereo pair.
        case pair(StereoCalibration)
        /// One camera.
        case camera(CameraFile)
    }

    let content: Content
    private let path: String

    /// Reads a file. Of a calibration of several pairs, `camera` is the number of the left camera, as
    /// ``StereoCalibration/init(parsing:camera:)`` takes it.
    init(_ path: String, camera: Int? = nil, limits: DecodingLimits) throws(SceneError) {
        self.path = path
        do throws(ContainerError) {
            content = try Self.content(of: FileSource(path: path, limits: limits), camera, limits)
        } catch {
            throw .unreadableCalibration(path: path, error)
        }
    }

    private static func content(
        of source: FileSource, _ camera: Int?, _ limits: DecodingLimits
    ) throws(ContainerError) -> Content {
        try limits.check(.metadataBytes, source.byteCount)
        let bytes = try source.read(0..<source.byteCount)
        guard bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else {
            if let camera = CameraFile(text: String(decoding: bytes, as: UTF8.self)) {
                return .camera(camera)
            }
            return .pair(try StereoCalibration(parsing: bytes, camera: camera))
        }
        let json = try JSONValue(parsing: bytes, limits: limits)
        let schema = json["schema"]?.text
        switch schema {
        case "isobath.plane/1": return .records([PlaneRecord(json)])
        case "isobath.extract/1":
            return .records(
                (json["outputs"]?.elements ?? []).compactMap { $0["plane"].map(PlaneRecord.init) })
        default:
            if let camera = CameraFile(json) { return .camera(camera) }
            let found = schema.map { "'\($0.prefix(100))'" } ?? "missing"
            throw ContainerError(
                .malformed(
                    rule:
                        "schema of the JSON calibration is \(found), not isobath.plane/1 or isobath.extract/1"
                ))
        }
    }

    /// The meaning of a raster's samples; `nil` without the record of a raster of this size and sample depth.
    func record(of raster: RasterDescription) -> SampleEncoding? {
        guard case .records(let records) = content else { return nil }
        return records.first { $0.describes(raster) }?.encoding
    }

    /// Whether there is a camera: maps that had none leave it out of their records.
    var hasCamera: Bool {
        guard case .records(let records) = content else { return true }
        return records.contains { $0.camera != nil }
    }

    /// The camera for a picture of this size, of a pair the left one. Throws ``SceneError`` if it is for another shape.
    func camera(for size: PixelSize) throws(SceneError) -> CameraCalibration {
        let found: CameraCalibration
        switch content {
        case .records(let records):
            let cameras = records.compactMap(\.camera)
            guard
                let camera = cameras.first(where: { ($0.width, $0.height) == (size.width, size.height) })
                    ?? cameras.first
            else { throw .unreadableCalibration(path: path, .recordWithoutCamera) }
            found = camera
        case .pair(let pair):
            found = pair.left.calibration(
                PixelSize(width: pair.width ?? size.width, height: pair.height ?? size.height))
        case .camera(let file): found = file.intrinsics.calibration(file.size ?? size)
        }
        let own = PixelSize(width: found.width, height: found.height)
        guard own.hasSameAspect(as: size) else { throw .calibrationOfOtherShape(own, raster: size) }
        return found.scaled(toWidth: size.width, height: size.height)
    }
}

/// What `extract --json` prints of a plane that was written, in the schema `isobath.plane/1`.
struct PlaneRecord {
    /// The camera; `nil` where it was unknown.
    let camera: CameraCalibration?
    /// The meaning of samples; `nil` for planes that are not depth.
    let encoding: SampleEncoding?
    private let size: [Int?]

    init(_ json: JSONValue) {
        camera = json["calibration"].flatMap(CameraCalibration.init)
        encoding = SampleEncoding(json)
        size = ["width", "height", "bitDepth"].map { json[$0]?.integer }
    }

    /// Whether the record was written for a raster of this size and sample depth. Its camera may be used for others, too.
    func describes(_ raster: RasterDescription) -> Bool {
        size == [raster.width, raster.height, raster.bitDepth]
    }
}

extension ContainerError {
    /// The error for a record that was given for its camera, but has no camera.
    package static let recordWithoutCamera = ContainerError(
        .malformed(rule: "this record holds no calibration, because its map had none"))
}
