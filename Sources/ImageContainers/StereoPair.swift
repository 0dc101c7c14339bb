package import ByteParsing
package import DepthModel

/// The two pictures of a stereo pair.
package struct StereoPair: Sendable {
    /// The picture for the left eye.
    package var left: StereoView
    /// The picture for the right eye.
    package var right: StereoView
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

/// One picture of a stereo pair, or another picture that is coded like one: the photo itself, or a preview of it.
package struct StereoView: Sendable {
    /// Where the coded pixels are.
    package var location: ImageLocation
    /// The width of the coded image.
    package var codedWidth: Int
    /// The height of the coded image.
    package var codedHeight: Int
    /// The part of the coded image that is used: a half of a frame that holds both pictures.
    package var crop: PixelCrop?
    /// How stored pixels are turned upright.
    package var orientation = Orientation.up
    /// The pieces of the ICC profile, in order; empty for none.
    package var colorProfile: [Range<Int>] = []
    /// The camera, in the stored frame; its extrinsics are a translation only, in meters.
    package var calibration: CameraCalibration?
    /// Why the picture cannot be read, although it is there.
    package var readError: ContainerError?

    /// The width as stored.
    package var width: Int { crop?.width ?? codedWidth }
    /// The height as stored.
    package var height: Int { crop?.height ?? codedHeight }
}

extension StereoView {
    /// The photo itself, as one of the two.
    package init(_ photo: PhotoDescription) {
        self.init(
            location: photo.location, codedWidth: photo.codedWidth, codedHeight: photo.codedHeight,
            crop: photo.crop, orientation: photo.orientation, colorProfile: photo.colorProfile,
            readError: photo.readError)
    }
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
        var (first, second) = (StereoView(photo), StereoView(photo))
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
