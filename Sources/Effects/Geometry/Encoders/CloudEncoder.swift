/// A file format of point clouds: turns pieces of a cloud into bytes.
///
/// An encoder is made for one cloud, from its ``CloudHeader``. It keeps no state between pieces, so they can be encoded on
/// all cores. Writers concatenate ``opening``, the pieces in order, and ``closing``, without seeking.
///
/// The header determines which arrays of a piece are filled.
package protocol CloudEncoder: Sendable {
    /// The bytes before the first point.
    var opening: [UInt8] { get }

    /// The bytes of a point, if all have the same size.
    var pointSize: Int? { get }

    /// Appends the records of a piece's points.
    func append(_ piece: PointCloud, to bytes: inout [UInt8])

    /// The bytes after the last point.
    var closing: [UInt8] { get }
}

extension CloudEncoder {
    /// Unknown, as for text.
    package var pointSize: Int? { nil }

    /// Nothing.
    package var closing: [UInt8] { [] }
}
