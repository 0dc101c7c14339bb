internal import DepthTypes

/// The two pictures of a stereo pair.
package struct StereoPair: Sendable {
    /// The picture for the left eye.
    package var left: CodedView
    /// The picture for the right eye.
    package var right: CodedView
    /// The distance between the two cameras, in meters; `nil` if missing.
    package var baseline: Double?
    /// The horizontal field of view of the left picture, in degrees; `nil` if missing.
    package var horizontalFieldOfView: Double?
    /// The focal length in Exif, as ``PhotoDescription/focalLength35mm``.
    package var focalLength35mm: Int?
    /// Where baseline and intrinsics are from.
    package var cameraOrigin = CameraOrigin.file
    /// The names of both cameras in a calibration of more than two.
    package var cameraNames: String?
    /// Whether the user says that rows of the pictures match as they are.
    package var isRectified = false
    /// Where the pair was found: `heif-stereo`, `mpo`, `jps`, `jps-name`, `leia-lif` or `two-files`.
    package var source: String
}

extension StereoPair {
    /// Where the baseline and the intrinsics of a pair are from.
    package enum CameraOrigin: Sendable {
        /// The file, if it has them.
        case file
        /// A baseline and one camera for both eyes, which the user gave.
        case flags
        /// A calibration of both cameras.
        case calibration
    }

    /// The arrangement of two pictures in one frame.
    enum Arrangement {
        case sideBySide
        /// The first picture above the second.
        case overUnder
    }

    /// Two pictures in one frame. With an odd size, the middle row or column belongs to neither.
    init(halvesOf photo: PhotoDescription, _ arrangement: Arrangement, leftFirst: Bool, source: String) {
        let (width, height) =
            arrangement == .sideBySide
            ? (photo.width / 2, photo.height) : (photo.width, photo.height / 2)
        var (first, second) = (CodedView(photo), CodedView(photo))
        let (left, top) = (photo.crop?.left ?? 0, photo.crop?.top ?? 0)
        first.crop = PixelCrop(left: left, top: top, width: width, height: height)
        second.crop = PixelCrop(
            left: left + photo.width - width, top: top + photo.height - height, width: width, height: height)
        self.init(left: leftFirst ? first : second, right: leftFirst ? second : first, source: source)
    }

    /// Two pictures.
    package init(left: CodedView, right: CodedView, source: String) {
        (self.left, self.right, self.source) = (left, right, source)
    }

    /// A photo that is a pair only by its name, ending in `.jps`: side by side, the right eye's picture first, for crossed
    /// eyes. `nil` if the photo is too small for two.
    package init?(crossEyed photo: PhotoDescription) {
        guard photo.width >= 2, photo.height >= 1 else { return nil }
        self.init(halvesOf: photo, .sideBySide, leftFirst: false, source: "jps-name")
    }
}
