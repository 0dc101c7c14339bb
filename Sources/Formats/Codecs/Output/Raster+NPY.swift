package import Bytes
internal import DepthMaps

extension Raster {
    /// Writes a NumPy array to a descriptor, which stays open: NPY 1.0, C order, rows × columns, × 3 for color, × 4 with
    /// alpha.
    ///
    /// Depth and disparity are `<f4`, other planes `|u1` or `<u2`, unchanged. The format has no field for the record.
    package func writeNPY(to descriptor: Int32) throws(WriteError) {
        let order = ByteOrder.host == .littleEndian ? "<" : ">"
        let shape = layout.channels == 1 ? "\(height), \(width)" : "\(height), \(width), \(layout.channels)"
        let type: String =
            switch layout.bitDepth {
            case 8: "|u1"
            case 16: order + "u2"
            default: order + "f4"
            }
        var header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(shape)), }"
        // Samples start at a multiple of 64: magic, version and length have 10 bytes, the line end one.
        header += String(repeating: " ", count: 63 - (header.utf8.count + 10) % 64) + "\n"
        let length = header.utf8.count
        try writeAll(
            [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)]
                + Array(header.utf8),
            to: descriptor)
        switch samples {
        case .gray8(let samples): try writeAll(samples, to: descriptor)
        case .gray16(let samples): try writeAll(samples, to: descriptor)
        case .float(let samples): try writeAll(samples, to: descriptor)
        case .color(.uint8(let pixels)): try writeAll(pixels, to: descriptor)
        case .color(.uint16(let pixels)): try writeAll(pixels, to: descriptor)
        case .translucent(.uint8(let pixels)): try writeAll(pixels, to: descriptor)
        case .translucent(.uint16(let pixels)): try writeAll(pixels, to: descriptor)
        }
    }
}
