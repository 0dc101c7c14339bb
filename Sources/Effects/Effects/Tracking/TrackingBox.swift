package import DepthTypes

/// A rectangle in a picture, in pixels: left, top, width and height, from the outer edge of the top-left pixel.
package struct TrackingBox: Hashable, Sendable {
    package var left: Double
    package var top: Double
    package var width: Double
    package var height: Double

    package init(left: Double, top: Double, width: Double, height: Double) {
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    /// The middle.
    package var center: (x: Double, y: Double) { (left + width / 2, top + height / 2) }

    /// A box of a size around a center.
    init(center: (x: Double, y: Double), width: Double, height: Double) {
        self.init(left: center.x - width / 2, top: center.y - height / 2, width: width, height: height)
    }

    /// Whether it overlaps a picture, and is at most four times as wide and as high. Boxes of non-finite numbers do not.
    package func overlaps(pictureOf size: PixelSize) -> Bool {
        let (columns, rows) = (Double(size.width), Double(size.height))
        return left < columns && top < rows && left + width > 0 && top + height > 0
            && width > 0 && height > 0 && width <= 4 * columns && height <= 4 * rows
    }

    /// The area of the intersection of two boxes, as a fraction of their union, 0…1.
    package func overlap(with other: TrackingBox) -> Double {
        let across = min(left + width, other.left + other.width) - max(left, other.left)
        let down = min(top + height, other.top + other.height) - max(top, other.top)
        guard across > 0, down > 0 else { return 0 }
        return across * down / (width * height + other.width * other.height - across * down)
    }
}
