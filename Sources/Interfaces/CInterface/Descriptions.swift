internal import Bytes
public import CIsobath
internal import DepthTypes
internal import Embedded
internal import Geometry
internal import Networks
internal import PhotoFormats
internal import Recordings
internal import Scenes

/// `isobath_photo_json`
@_cdecl("isobath_photo_json")
public func json(
    _ photo: OpaquePointer?, _ what: UnsafePointer<CChar>?,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, json, error) { photo in
        let what = try unsafe requiredText(what, "name of a description")
        switch what {
        case "info": return try unsafe handedOut(photo.record)
        case "view":
            return try unsafe handedOut(
                photo.stored.description.record(isComputableStereo: photo.isComputableStereo))
        case "diagnostics": return try unsafe handedOut(.array(photo.stored.diagnostics.map(\.record)))
        case "alignment": return try unsafe handedOut(photo.alignment?.record ?? .null)
        default:
            throw InvalidArgument(
                "a photo is described by 'info', 'view', 'diagnostics' and 'alignment', not '\(what)'")
        }
    }
}

extension AffineAlignment {
    fileprivate var record: JSONValue {
        .object([
            ("factor", .number(factor)), ("offset", .number(offset)), ("residual", .number(residual)),
            ("inliers", .number(inlierShare)), ("samples", .integer(sampleCount)),
        ])
    }
}

extension SceneDescription {
    fileprivate func record(isComputableStereo: Bool) -> JSONValue {
        let fields: [(String, JSONValue)] = [
            ("schema", .text("isobath.view/1")),
            ("picture", colorSize.map { .object($0.record) } ?? .null),
            (
                "depth",
                depth.map {
                    .object(
                        $0.size.record + [
                            ("quantity", .text($0.quantity.rawValue)), ("scale", .text($0.scale.rawValue)),
                        ])
                } ?? .null
            ),
            ("planes", .array(planes.map { .text($0.rawValue) })),
            ("stereo", .bool(isComputableStereo)),
        ]
        guard let index else { return .object(fields) }
        return .object(
            fields + [
                ("index", .integer(index)), ("time", .optional(time)), ("pose", pose?.record ?? .null),
            ])
    }
}

extension CameraPose {
    /// The rotation, row by row, and the translation.
    var record: JSONValue {
        .object([("rotation", .numbers(rotation)), ("translation", .numbers(translation))])
    }
}

extension PixelSize {
    fileprivate var record: [(String, JSONValue)] {
        [("width", .integer(width)), ("height", .integer(height))]
    }
}

extension PhotoHandle {
    /// The record of `isobath info --json` for the file, or for the frame's recording.
    fileprivate var record: JSONValue {
        switch content {
        case .file: stored.record(path: name)
        case .frame(_, let recording): recording.record(path: name)
        case .derived(_, let photo, _): photo.record
        }
    }

    /// How computed depth was aligned; `nil` for other depth.
    fileprivate var alignment: AffineAlignment? {
        get throws {
            guard case .derived(_, _, let depth) = content else { return nil }
            return try depth?.line
        }
    }

    /// Whether disparity can be computed from two pictures.
    fileprivate var isComputableStereo: Bool {
        switch content {
        case .file: stored.description.stereo?.isComputable ?? false
        case .derived(_, let photo, _): photo.isComputableStereo
        case .frame: false
        }
    }
}

func handedOut(_ value: JSONValue) throws -> UnsafeMutablePointer<CChar> {
    guard let text = unsafe copied(value.serialized) else {
        throw ContainerError(.unreadable(detail: "there is no memory for its description"))
    }
    return unsafe text
}

extension Diagnostic {
    var record: JSONValue {
        .object([
            ("severity", .text(severity == .warning ? "warning" : "note")), ("code", .text(code.rawValue)),
            ("message", .text(message)), ("offset", .optional(offset)),
        ])
    }
}

/// `isobath_photo_camera`
@_cdecl("isobath_photo_camera")
public func camera(
    _ photo: OpaquePointer?, _ camera: UnsafeMutablePointer<UnsafeMutablePointer<isobath_camera>?>?,
    _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, camera, error) { photo in
        let scene = photo.scene
        guard let size = scene.description.depth?.size ?? scene.description.colorSize else {
            throw photo.stored.description.absence(of: nil)
        }
        let known = scene.description.cameras.camera(for: size)
        return unsafe handedOut(
            known.calibration.scaled(toWidth: size.width, height: size.height), known.source)
    }
}

private func handedOut(
    _ calibration: CameraCalibration, _ source: CameraSource
) -> UnsafeMutablePointer<isobath_camera> {
    let memory = ResultMemory()
    var camera = unsafe isobath_camera()
    unsafe (camera.fx, camera.fy) = (calibration.focalLengthX, calibration.focalLengthY)
    unsafe (camera.cx, camera.cy) = (calibration.principalPointX, calibration.principalPointY)
    unsafe (camera.width, camera.height) = (Int64(calibration.width), Int64(calibration.height))
    unsafe camera.source = memory.keep(source.name)
    unsafe camera.pixel_size = calibration.pixelSize ?? .nan
    unsafe (camera.distortion_center_x, camera.distortion_center_y) = (.nan, .nan)
    if let lens = calibration.distortion {
        unsafe camera.coefficient_count = Int64(lens.coefficients.count)
        unsafe camera.coefficients = UnsafePointer(memory.keep(lens.coefficients))
        unsafe camera.inverse_coefficient_count = Int64(lens.inverseCoefficients.count)
        unsafe camera.inverse_coefficients = UnsafePointer(memory.keep(lens.inverseCoefficients))
        unsafe (camera.distortion_center_x, camera.distortion_center_y) = (lens.centerX, lens.centerY)
    }
    if let pose = calibration.extrinsics, pose.rotation.count == 9, pose.translation.count == 3 {
        unsafe camera.rotation = UnsafePointer(memory.keep(pose.rotation))
        unsafe camera.translation = UnsafePointer(memory.keep(pose.translation))
    }
    return unsafe memory.handOut(camera)
}

/// `isobath_camera_free`
@_cdecl("isobath_camera_free")
public func freeCamera(_ camera: UnsafeMutablePointer<isobath_camera>?) {
    unsafe ResultMemory.release(camera)
}
