internal import Bytes

/// The data of an overlay item (`iovl`, ISO/IEC 23008-12 §6.6.2.2): a canvas of one color, and the positions of its inputs.
struct OverlayDerivation {
    /// Red, green, blue and opacity of the canvas, 0…65535.
    var fill: [Int]
    /// The width of the canvas in pixels.
    var width: Int
    /// The height of the canvas in pixels.
    var height: Int
    /// The column and row of each input's first pixel on the canvas; may be negative.
    var offsets: [(left: Int, top: Int)]

    /// Reads an item's data for a number of inputs, which the caller has checked. The caller checks sizes.
    init(parsing cursor: inout ByteCursor, inputs: Int) throws(ContainerError) {
        let version = try cursor.readByte()
        guard version == 0 else {
            throw cursor.failure(.unsupported(feature: "version \(version) of iovl"))
        }
        let isWide = try cursor.readByte() & 1 == 1
        fill = []
        for _ in 0..<4 { fill.append(try cursor.readUInt16()) }
        width = try cursor.readUnsigned(byteCount: isWide ? 4 : 2)
        height = try cursor.readUnsigned(byteCount: isWide ? 4 : 2)
        offsets = []
        for _ in 0..<inputs {
            let left = isWide ? Int(try cursor.read(Int32.self)) : Int(try cursor.read(Int16.self))
            let top = isWide ? Int(try cursor.read(Int32.self)) : Int(try cursor.read(Int16.self))
            offsets.append((left, top))
        }
    }

}
