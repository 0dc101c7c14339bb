/// A rectangle in a picture, in pixels: left, top, width and height, from the outer edge of the top-left pixel.
package struct TrackingBox: Codable, Hashable, Sendable {
    package var left: Double
    package var top: Double
    package var width: Double
    package var height: Double

    package init(left: Double, top: Double, width: Double, height: Double) {
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    /// The middle.
    package var center: (x: Double, y: Double) { (left + width / 2, top + height / 2) }

    /// A box of a size around a middle.
    init(center: (x: Double, y: Double), width: Double, height: Double) {
        self.init(left: center.x - width / 2, top: center.y - height / 2, width: width, height: height)
    }

    /// The area that two boxes share, of that which they cover together, 0…1.
    package func overlap(with other: TrackingBox) -> Double {
        let across = min(left + width, other.left + other.width) - max(left, other.left)
        let down = min(top + height, other.top + other.height) - max(top, other.top)
        guard across > 0, down > 0 else { return 0 }
        return across * down / (width * height + other.width * other.height - across * down)
    }
}
