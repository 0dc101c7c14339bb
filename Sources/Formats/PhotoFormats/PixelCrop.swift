/// A rectangle inside an image, in integer pixels.
package struct PixelCrop: Hashable, Sendable {
    /// The first column.
    package var left: Int
    /// The first row.
    package var top: Int
    /// The number of columns.
    package var width: Int
    /// The number of rows.
    package var height: Int

    /// A crop in pixels.
    package init(left: Int, top: Int, width: Int, height: Int) {
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    /// The columns inside.
    package var columns: Range<Int> { left..<left + width }

    /// The rows inside.
    package var rows: Range<Int> { top..<top + height }
}
