internal import DepthModel

/// The two pictures of a stereo pair.
package struct StereoPair: Sendable {
    /// The picture for the left eye.
    package var left: CodedView
    /// The picture for the right eye.
    package var right: CodedView
    /// The distance between the two cameras, in meters; `nil` where the file does not say.
    package var baseline: Double?
    /// The angle that the left picture spans from side to side, in degrees; `nil` where the file does not say.
    package var horizontalFieldOfView: Double?
    /// The focal length in Exif, as ``PhotoDescription/focalLength35mm``.
    package var focalLength35mm: Int?
    /// Whether baseline and field of view are not the file's.
    package var isGivenByHand = false
    /// Where the pair was found: `heif-stereo`, `mpo`, `jps`, `jps-name` or `leia-lif`.
    package var source: String
}

extension StereoPair {
    /// How two pictures share one frame.
    enum Arrangement {
        case sideBySide
        /// The first picture above the second.
        case overUnder
    }

    /// Two pictures in one frame. A row or column left over in the middle belongs to neither.
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

    /// A photo that its name alone, ending in `.jps`, makes a pair: side by side, the right eye's picture first, as for
    /// crossed eyes. `nil` when the photo is too small for two.
    package init?(crossEyed photo: PhotoDescription) {
        guard photo.width >= 2, photo.height >= 1 else { return nil }
        self.init(halvesOf: photo, .sideBySide, leftFirst: false, source: "jps-name")
    }
}
