import TestSupport

/// The blocks of some phone vendors that store a depth plane after a JPEG: one byte per sample, dark near,
/// little-endian.
///
/// The layouts follow public scripts that read them; no vendor has published one.
struct VendorDepthBlock {
    /// The samples, row by row from the top.
    var samples: [UInt8]
    /// The width in samples.
    var width: UInt16
    /// The height in samples.
    var height: UInt16

    /// Huawei's and Honor's `edof`. `quarterTurns` anticlockwise bring the plane upright.
    func huawei(quarterTurns: UInt8 = 0) -> [UInt8] {
        Array("edof".utf8) + [0, 0, 0, 0, 1, 0, 0, 0x10 | quarterTurns & 3] + littleEndian(0, 8)
            + littleEndian(Int(width), 2) + littleEndian(Int(height), 2) + littleEndian(0, 48) + samples
    }

    /// Xiaomi's `PMPD`, without confidence.
    func xiaomi() -> [UInt8] {
        let rows = (0..<Int(height)).reversed().flatMap { row in
            samples[row * Int(width)..<(row + 1) * Int(width)]
        }
        let size =
            [1, 0, 0xFF, 0xFF] + littleEndian(Int(width)) + littleEndian(Int(height)) + littleEndian(1)
        let plane = size + rows
        return Array("PMPD".utf8) + [2, 0, 0x64, 0, 1, 0, 0, 0] + littleEndian(1056 + plane.count)
            + littleEndian(plane.count) + littleEndian(0, 12) + [UInt8](repeating: 0x80, count: 1024) + plane
    }

    /// The block that older vivo phones append to the image.
    func vivo() -> [UInt8] {
        [width, height, width].flatMap { littleEndian(Int($0)) } + littleEndian(0, 24) + samples
    }

    /// OPPO's trailer: the plane as `rear.depth`, in a Zstandard frame whose blocks are not compressed, and a directory in
    /// JSON.
    func oppo() -> [UInt8] {
        let plane = littleEndian(Int(width)) + littleEndian(Int(height)) + littleEndian(0, 760) + samples
        var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xA0] + littleEndian(plane.count)
        let portion = 1 << 16
        for start in stride(from: 0, to: plane.count, by: portion) {
            let part = plane[start..<min(start + portion, plane.count)]
            let isLast = part.endIndex == plane.count
            bytes += littleEndian(part.count << 3 | (isLast ? 1 : 0), 3) + part
        }
        let json = #"[{"version":1,"name":"rear.depth","offset":\#(bytes.count),"length":\#(bytes.count)}]"#
        return bytes + Array(json.utf8) + Array("\0jxrs".utf8) + littleEndian(json.utf8.count + 9)
    }
}
