/// A file format of point clouds: turns pieces of a cloud into bytes.
///
/// An encoder is made for one cloud, from its ``CloudHeader``. It keeps no state between pieces, so that they can be
/// encoded on all cores; writers put ``opening``, the pieces in order, and ``closing`` behind each other.
/// Nothing seeks.
///
/// Which arrays of a piece are filled is what the header says.
package protocol CloudEncoder: Sendable {
    /// What stands before the first point.
    var opening: [UInt8] { get }

    /// The bytes of a point, where all have as many.
    var pointSize: Int? { get }

    /// Appends the records of a piece's points.
    func append(_ piece: PointCloud, to bytes: inout [UInt8])

    /// What stands behind the last point.
    var closing: [UInt8] { get }
}

extension CloudEncoder {
    /// Not known, as for text.
    package var pointSize: Int? { nil }

    /// Nothing.
    package var closing: [UInt8] { [] }
}
