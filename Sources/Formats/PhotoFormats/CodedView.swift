package import Bytes
package import DepthTypes

/// A picture for viewing, not a plane such as depth: the photo, the other one of a stereo pair, or a preview.
package struct CodedView: Sendable {
    /// Where the coded pixels are.
    package var location: ImageLocation
    /// The width of the coded image.
    package var codedWidth: Int
    /// The height of the coded image.
    package var codedHeight: Int
    /// The part of the coded image to use: half of a frame that holds both pictures.
    package var crop: PixelCrop?
    /// How stored pixels are turned upright.
    package var orientation = Orientation.up
    /// The ranges of the ICC profile, in order; empty if missing.
    package var colorProfile: [Range<Int>] = []
    /// The camera, in the stored frame.
    package var calibration: CameraCalibration?
    /// Why the picture cannot be read, if so.
    package var readError: ContainerError?

    /// The width as stored.
    package var width: Int { crop?.width ?? codedWidth }
    /// The height as stored.
    package var height: Int { crop?.height ?? codedHeight }
}

extension CodedView {
    /// The photo itself.
    package init(_ photo: PhotoDescription) {
        self.init(
            location: photo.location, codedWidth: photo.codedWidth, codedHeight: photo.codedHeight,
            crop: photo.crop, orientation: photo.orientation, colorProfile: photo.colorProfile,
            readError: photo.readError)
    }

    /// A complete picture file.
    package init(fileOfWidth width: Int, height: Int, orientation: Orientation) {
        self.init(location: .raster, codedWidth: width, codedHeight: height, orientation: orientation)
    }
}
