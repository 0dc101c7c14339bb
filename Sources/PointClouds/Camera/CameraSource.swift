internal import DepthCore
public import DepthModel

/// Where the camera of a cloud is known from, best first.
package enum CameraSource: Hashable, Sendable, CustomStringConvertible {
    /// Intrinsics that were given by hand.
    case given
    /// Intrinsics in the file.
    case file
    /// The 35 mm equivalent focal length of the photo, in millimeters; the lens unknown.
    case focalLength35mm(Int)
    /// Nothing is known: a usual field of view.
    case assumed

    /// The source as one word, for scripts: `given`, `file`, `focalLength35mm` or `assumed`.
    package var name: String {
        switch self {
        case .given: "given"
        case .file: "file"
        case .focalLength35mm: "focalLength35mm"
        case .assumed: "assumed"
        }
    }

    /// The source in words.
    package var description: String {
        switch self {
        case .given: "intrinsics as given"
        case .file: "intrinsics of the file"
        case .focalLength35mm(let millimeters):
            "focal length \(millimeters) mm of 35 mm film, by its diagonal"
        case .assumed: "assumed, \(Int(CameraCalibration.assumedFieldOfView)) degrees along the longer side"
        }
    }
}

extension CameraCalibration {
    /// The camera of a map of `width` × `height`, from the best source there is, with that source.
    ///
    /// Without intrinsics, the 35 mm equivalent of the photo's focal length counts, by the diagonal: the principal point
    /// is then the middle, and the lens is not corrected.
    package static func best(
        given: CameraCalibration? = nil, file: CameraCalibration?, focalLength35mm: Int?, width: Int,
        height: Int
    ) -> (calibration: CameraCalibration, source: CameraSource) {
        if let given { return (given, .given) }
        if let file { return (file, .file) }
        if let millimeters = focalLength35mm, millimeters > 0 {
            let camera = CameraCalibration(focalLength35mm: Double(millimeters), width: width, height: height)
            return (camera, .focalLength35mm(millimeters))
        }
        let focalLength = CameraCalibration.assumedFocalLength(width: width, height: height)
        return (CameraCalibration(focalLength: focalLength, width: width, height: height), .assumed)
    }

    /// A camera with square pixels that looks through the middle of its frame; the focal length is in pixels.
    public init(focalLength: Double, width: Int, height: Int) {
        self.init(
            focalLengthX: focalLength, focalLengthY: focalLength, principalPointX: Double(width - 1) / 2,
            principalPointY: Double(height - 1) / 2, width: width, height: height)
    }

    /// A camera with the diagonal field of view of a focal length on 35 mm film:
    /// f = f35 · √(width² + height²) / √(36² + 24²). Phones' own intrinsics bear this reading of the Exif tag out.
    public init(focalLength35mm: Double, width: Int, height: Int) {
        let diagonal = Math.hypotenuse(Double(width), Double(height))
        self.init(
            focalLength: focalLength35mm * diagonal / Math.hypotenuse(36, 24), width: width, height: height)
    }
}
