/// A place in a picture, whatever its size: (0, 0) is the top-left corner, (1, 1) the bottom-right one.
public struct NormalizedPoint: Hashable, Codable, Sendable {
    /// From the left, 0…1 inside the picture.
    public var x: Double
    /// From the top, 0…1 inside the picture.
    public var y: Double

    /// Fractions of the picture's width and height.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
