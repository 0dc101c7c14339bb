import CZlib

/// A PNG stream without filters, through zlib (PNG third edition §5, §11).
enum PNGEncoder {
    /// Gray for one channel, red, green, blue and opacity for four.
    static func encode(_ raster: Raster) throws -> [UInt8] {
        var header = number(raster.width) + number(raster.height)
        header += [8, raster.channels == 4 ? 6 : 0, 0, 0, 0]
        let stride = raster.width * raster.channels
        let rows = (0..<raster.height).flatMap { [0] + raster.samples[$0 * stride..<($0 + 1) * stride] }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", try compressed(rows)) + chunk("IEND", [])
    }

    /// A zlib stream.
    static func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
        var count = compressBound(UInt(bytes.count))
        var output = [UInt8](repeating: 0, count: Int(count))
        guard compress2(&output, &count, bytes, UInt(bytes.count), 9) == Z_OK else {
            throw MakerError("zlib failed")
        }
        return Array(output.prefix(Int(count)))
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + data
        return number(data.count) + content + number(Int(crc32(0, content, UInt32(content.count))))
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
