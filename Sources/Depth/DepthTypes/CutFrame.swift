/// The frame that marks in metadata refer to, if the photo was cut from its middle afterward.
///
/// Cameras cut 16:9 from the middle of 4:3, and programs that crop rarely rewrite the camera's marks. Metadata does not hold
/// the position of the cut.
package struct CutFrame: Hashable, Sendable {
    /// The frame's width and height, in those of the photo: 1 or more.
    private let extent: SIMD2<Double>

    /// The smallest frame of the shape of `frame` around a photo; the photo itself if it has that shape or `frame` is empty.
    /// `nil` if the frame was turned, because its turn is unknown.
    package init?(_ frame: PixelSize, around photo: PixelSize) {
        guard frame.width > 0, frame.height > 0, photo.width > 0, photo.height > 0,
            !frame.hasSameAspect(as: photo)
        else {
            extent = [1, 1]
            return
        }
        guard !PixelSize(width: frame.height, height: frame.width).hasSameAspect(as: photo) else {
            return nil
        }
        let ratio = SIMD2(
            Double(frame.width) / Double(photo.width), Double(frame.height) / Double(photo.height))
        extent = ratio / ratio.min()
    }

    /// Whether something was cut off.
    package var isLarger: Bool { extent != [1, 1] }

    /// A position in fractions of the frame, in fractions of the photo; outside 0…1 for what was cut off.
    package func photoFraction(of point: SIMD2<Double>) -> SIMD2<Double> { (point - 0.5) * extent + 0.5 }

    /// A size in fractions of the frame, in fractions of the photo.
    package func photoSize(of size: SIMD2<Double>) -> SIMD2<Double> { size * extent }
}
