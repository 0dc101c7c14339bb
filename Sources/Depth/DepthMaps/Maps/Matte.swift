public import DepthTypes

/// Linear coverage, from 0 (background) to 255 (subject), without gamma. Row-major.
///
/// A matte's size is independent of the size of the photo and of the depth map.
public struct Matte: Hashable, Sendable {
    /// Samples in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The samples, row by row.
    public let coverage: [UInt8]

    /// Row-major samples. Their number must be `width · height`.
    public init(width: Int, height: Int, coverage: [UInt8]) {
        precondition(coverage.count == width * height)
        (self.width, self.height, self.coverage) = (width, height, coverage)
    }

    /// The samples of a matte plane; more than 8 bits are rounded to 8.
    public init(_ plane: SamplePlane) {
        let top = plane.maximumCode
        let coverage: [UInt8] =
            if case .uint8(let samples) = plane.codes, top == 255 {
                samples
            } else {
                plane.mapped(through: (0...top).map { UInt8(($0 * 255 + top / 2) / top) })
            }
        self.init(width: plane.width, height: plane.height, coverage: coverage)
    }

    /// The matte turned by an orientation.
    public func oriented(by orientation: Orientation) -> Matte {
        let size = orientation.size(width: width, height: height)
        return Matte(
            width: size.width, height: size.height,
            coverage: reoriented(coverage, width: width, height: height, by: orientation))
    }
}
