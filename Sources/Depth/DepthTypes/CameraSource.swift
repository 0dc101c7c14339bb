/// The origin of a camera's values, best first.
package enum CameraSource: Hashable, Sendable, CustomStringConvertible {
    /// Intrinsics given by the caller.
    case given
    /// Intrinsics in the file.
    case file
    /// The 35 mm equivalent focal length of the photo, in millimeters; the lens is unknown.
    case focalLength35mm(Int)
    /// Nothing is known: a usual field of view, or the usual camera of such recordings.
    case assumed

    /// The source as a name for scripts: `given`, `file`, `focalLength35mm` or `assumed`.
    package var name: String {
        switch self {
        case .given: "given"
        case .file: "file"
        case .focalLength35mm: "focalLength35mm"
        case .assumed: "assumed"
        }
    }

    /// The origin of a photo's or a frame's camera, for people.
    package var description: String {
        switch self {
        case .given: "intrinsics as given"
        case .file: "intrinsics of the file"
        case .focalLength35mm(let millimeters):
            "focal length \(millimeters) mm of 35 mm film, by its diagonal"
        case .assumed: "assumed, \(Int(CameraCalibration.assumedFieldOfView)) degrees along the longer side"
        }
    }

    /// The remark to report if the camera comes from neither the file nor the caller; `nil` for a known camera.
    package var remark: String? {
        switch self {
        case .given, .file: nil
        case .focalLength35mm, .assumed: "the camera: \(self)"
        }
    }
}
