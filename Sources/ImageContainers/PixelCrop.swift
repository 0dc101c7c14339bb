/// A rectangle of whole pixels inside an image.
public struct PixelCrop: Hashable, Sendable {
    /// The first column.
    public var left: Int
    /// The first row.
    public var top: Int
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// A crop in pixels.
    public init(left: Int, top: Int, width: Int, height: Int) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }
}
