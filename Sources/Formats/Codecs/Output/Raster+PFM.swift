package import Bytes
internal import DepthMaps

extension Raster {
    /// Writes a portable float map to a descriptor, which stays open: one channel, rows from the bottom to the top.
    ///
    /// Planes other than depth and disparity are written as 0…1. The format has no field for the record. Throws for a color
    /// image.
    package func writePFM(to descriptor: Int32) throws(WriteError) {
        guard let pixels = floats else {
            throw .unsuitable("this is a color image, and only values are written as PFM; use PNG or TIFF")
        }
        let scale = ByteOrder.host == .littleEndian ? "-1.0" : "1.0"
        try writeAll(Array("Pf\n\(width) \(height)\n\(scale)\n".utf8), to: descriptor)
        var rows: [Float] = []
        rows.reserveCapacity(pixels.count)
        for row in (0..<height).reversed() { rows += pixels[row * width..<(row + 1) * width] }
        try writeAll(rows, to: descriptor)
    }
}
