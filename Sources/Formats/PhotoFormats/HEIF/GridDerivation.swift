internal import Bytes

/// The data of a grid item (`grid`, ISO/IEC 23008-12 §6.6.2.3): the number of tiles in a picture, and the size of the
/// picture.
struct GridDerivation: Hashable {
    /// Rows of tiles, 1…256.
    var rows: Int
    /// Columns of tiles, 1…256.
    var columns: Int
    /// The width of the picture in pixels, as the file declares it.
    var width: Int
    /// The height of the picture in pixels.
    var height: Int

    /// Reads an item's data. The caller checks limits.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        guard try cursor.readByte() == 0 else {
            throw cursor.failure(.unsupported(feature: "this version of grid"))
        }
        let sizeBytes = try cursor.readByte() & 1 == 1 ? 4 : 2
        rows = Int(try cursor.readByte()) + 1
        columns = Int(try cursor.readByte()) + 1
        width = try cursor.readUnsigned(byteCount: sizeBytes)
        height = try cursor.readUnsigned(byteCount: sizeBytes)
    }
}
