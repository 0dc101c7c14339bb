/// The placement of a flat picture in a scene: parallel to the image plane, upright.
package struct LayerPlacement: Hashable, Sendable {
    /// Distance along the optical axis, in meters.
    public var distance: Float
    /// The position of its center in the photo; may be outside.
    public var center: NormalizedPoint
    /// Its width in meters. The height follows from the picture's pixels, which are square.
    public var width: Float

    /// Distance and width, in meters, must be positive and finite.
    public init(distance: Float, center: NormalizedPoint, width: Float) {
        precondition(distance > 0 && distance.isFinite, "a distance is positive")
        precondition(width > 0 && width.isFinite, "a width is positive")
        (self.distance, self.center, self.width) = (distance, center, width)
    }

    /// The frame of a picture in a photo of this size, as left, top, width and height in pixels, with pixel i from i to i +
    /// 1: the width is `width · focalLength / distance`.
    public func frame(
        layerWidth: Int, layerHeight: Int, photoWidth: Int, photoHeight: Int, focalLength: Float
    ) -> (left: Double, top: Double, width: Double, height: Double) {
        Self.frame(
            width: Double(width) * Double(focalLength) / Double(distance), around: center,
            layerWidth: layerWidth, layerHeight: layerHeight, photoWidth: photoWidth, photoHeight: photoHeight
        )
    }

    /// As above, for a width in pixels.
    static func frame(
        width across: Double, around center: NormalizedPoint, layerWidth: Int, layerHeight: Int,
        photoWidth: Int, photoHeight: Int
    ) -> (left: Double, top: Double, width: Double, height: Double) {
        let down = across * Double(layerHeight) / Double(layerWidth)
        return (
            center.x * Double(photoWidth) - across / 2, center.y * Double(photoHeight) - down / 2, across,
            down
        )
    }
}
