package import DepthMaps

/// The background of a composited cutout.
package enum Background: Sendable {
    /// One color everywhere, in the photo's color space.
    case color(RGB<UInt16>)
    /// A picture in the photo's color space and size; see ``DepthMaps/ColorImage/fitted(toWidth:height:by:curve:)``.
    case image(ColorImage)
}

struct BackgroundRows<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    private let pixels: [RGB<Sample>]
    private let width: Int
    private let isOneRow: Bool

    init(_ pixels: [RGB<Sample>], width: Int) {
        self.pixels = pixels
        self.width = width
        isOneRow = false
    }

    init(_ color: RGB<Sample>, width: Int) {
        pixels = Array(repeating: color, count: width)
        self.width = width
        isOneRow = true
    }

    @_lifetime(borrow self)
    func row(_ index: Int) -> Span<RGB<Sample>> {
        pixels.span.extracting(isOneRow ? 0..<width : index * width..<(index + 1) * width)
    }
}
