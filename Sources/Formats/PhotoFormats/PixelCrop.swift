internal import DepthTypes

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

    /// The same part of an image of this size after the image is turned.
    func turned(by turn: Orientation, in size: (width: Int, height: Int)) -> PixelCrop {
        let corners = [(left, top), (left + width, top + height)].map {
            turn.point(Double($0), Double($1), width: Double(size.width), height: Double(size.height))
        }
        let turned = turn.size(width: width, height: height)
        return PixelCrop(
            left: Int(min(corners[0].x, corners[1].x)), top: Int(min(corners[0].y, corners[1].y)),
            width: turned.width, height: turned.height)
    }
}
