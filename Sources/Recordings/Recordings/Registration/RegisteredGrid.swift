internal import Bytes
internal import DepthTypes

/// The grid of registered depth. Samples are an integer number of the picture's pixels wide, and at least 5/4 as far apart as
/// the measured ones, so that surfaces have no gaps; 10/9 if they are pixels of the picture.
struct RegisteredGrid: Sendable {
    /// The size of the resulting depth.
    let size: PixelSize
    /// Pixels of the picture in a sample.
    let step: Int

    /// For pictures of this size.
    init(_ cameras: CameraPair, color picture: PixelSize) {
        let ratio = cameras.color.intrinsics.fx / cameras.depth.intrinsics.fx
        let step =
            ratio <= 0.9 ? 1 : Int(min((ratio / 0.8).rounded(.up), Double(max(1, picture.width))))
        self.step = step
        size = PixelSize(
            width: (picture.width + step - 1) / step, height: (picture.height + step - 1) / step)
    }

    /// A note that depth is registered to this grid.
    var note: Diagnostic {
        Diagnostic(
            .note, "registered-depth",
            "the depth has another view than the picture, and is brought to it by the calibration in the file, at \(size), except for clouds"
        )
    }
}
