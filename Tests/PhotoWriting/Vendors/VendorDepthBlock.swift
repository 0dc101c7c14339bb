internal import PhotoWriting

/// The blocks of some phone vendors that store a depth plane after a JPEG: one byte per sample, dark near,
/// little-endian.
///
/// The layouts follow public scripts that read them; no vendor has published one.
package struct VendorDepthBlock: Hashable, Sendable {
    /// The samples, row by row from the top.
    package var samples: [UInt8]
    /// The width in samples.
    package var width: UInt16
    /// The height in samples.
    package var height: UInt16

    /// A block of `width` × `height` samples.
    package init(samples: [UInt8], width: UInt16, height: UInt16) {
        (self.samples, self.width, self.height) = (samples, width, height)
    }

    /// Huawei's and Honor's `edof`. `quarterTurns` anticlockwise bring the plane upright.
    package func huawei(quarterTurns: UInt8 = 0) -> [UInt8] {
        var writer = LittleEndianWriter()
        writer.append("edof".utf8)
        writer.append([0, 0, 0, 0, 1, 0, 0, 0x10 | quarterTurns & 3])
        writer.append([UInt8](repeating: 0, count: 8))
        writer.append(width)
        writer.append(height)
        writer.append([UInt8](repeating: 0, count: 48))
        writer.append(samples)
        return writer.bytes
    }

    /// Xiaomi's `PMPD`, without confidence.
    package func xiaomi() -> [UInt8] {
        let head = 16
        var writer = LittleEndianWriter()
        writer.append("PMPD".utf8)
        writer.append([2, 0, 0x64, 0, 1, 0, 0, 0])
        writer.append(UInt32(1056 + head + samples.count))
        writer.append(UInt32(head + samples.count))
        writer.append([UInt8](repeating: 0, count: 12))
        writer.append([UInt8](repeating: 0x80, count: 1024))
        writer.append([1, 0, 0xFF, 0xFF])
        writer.append(UInt32(width))
        writer.append(UInt32(height))
        writer.append(UInt32(1))
        for row in (0..<Int(height)).reversed() {
            writer.append(samples[row * Int(width)..<(row + 1) * Int(width)])
        }
        return writer.bytes
    }

    /// The block that older vivo phones append to the image.
    package func vivo() -> [UInt8] {
        var writer = LittleEndianWriter()
        for value in [width, height, width] { writer.append(UInt32(value)) }
        writer.append([UInt8](repeating: 0, count: 24))
        writer.append(samples)
        return writer.bytes
    }

    /// OPPO's trailer: the plane as `rear.depth`, in a Zstandard frame whose blocks are not compressed, and a directory in
    /// JSON.
    package func oppo() -> [UInt8] {
        var plane = LittleEndianWriter()
        plane.append(UInt32(width))
        plane.append(UInt32(height))
        plane.append([UInt8](repeating: 0, count: 760))
        plane.append(samples)
        var writer = LittleEndianWriter()
        writer.append([0x28, 0xB5, 0x2F, 0xFD, 0xA0])
        writer.append(UInt32(plane.bytes.count))
        let portion = 1 << 16
        for start in stride(from: 0, to: plane.bytes.count, by: portion) {
            let part = plane.bytes[start..<min(start + portion, plane.bytes.count)]
            let isLast = part.endIndex == plane.bytes.count
            writer.append([UInt8(truncatingIfNeeded: part.count << 3 | (isLast ? 1 : 0))])
            writer.append(UInt16(truncatingIfNeeded: part.count >> 5))
            writer.append(part)
        }
        let length = writer.bytes.count
        let json = """
            [{"version":1,"name":"rear.depth","offset":\(length),"length":\(length)}]
            """
        writer.append(json.utf8)
        writer.append("\0jxrs".utf8)
        writer.append(UInt32(json.utf8.count + 9))
        return writer.bytes
    }
}
