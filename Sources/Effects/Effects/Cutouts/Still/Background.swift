package import DepthMaps

/// The background of a composited cutout.
package enum Background: Sendable {
    /// One color everywhere, in the photo's color space.
    case color(RGB<UInt16>)
    /// A picture in the photo's color space and size; see ``DepthMaps/ColorImage/fitted(toWidth:height:by:curve:)``.
    case image(ColorImage)
}

/// The rows of a background, in the photo's depth.
struct BackgroundRows<Sample: PictureSample>: Sendable {
    private let pixels: [RGB<Sample>]
    private let width: Int
    private let isOneRow: Bool

    init(_ background: Background, width: Int) {
        self.width = width
        switch background {
        case .color(let color): (pixels, isOneRow) = (Array(repeating: color.converted(), count: width), true)
        case .image(let image): (pixels, isOneRow) = (Sample.pixels(of: image.pixels), false)
        }
    }

    @_lifetime(borrow self)
    func row(_ index: Int) -> Span<RGB<Sample>> {
        pixels.span.extracting(isOneRow ? 0..<width : index * width..<(index + 1) * width)
    }
}
