/// PNG files made without the code under test (W3C PNG, third edition).
public enum HandMadePNG {
    /// A file with this `IHDR`, and these rows, each with its filter; `more` chunks go before the image data.
    public static func bytes(
        header: [UInt8], _ rows: [UInt8], _ more: [UInt8] = [], surplus: [UInt8] = []
    ) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + more
            + chunk("IDAT", stored(rows) + surplus) + chunk("IEND", [])
    }

    /// A zlib stream of one stored block (RFC 1950, RFC 1951 §3.2.4).
    public static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        let lengths = littleEndian(bytes.count, 2) + littleEndian(~bytes.count, 2)
        return [0x78, 0x01, 0x01] + lengths + bytes + bigEndian(Int(high << 16 | low))
    }

    /// A chunk with its CRC-32 (W3C PNG, Annex D).
    public static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return bigEndian(data.count) + body + bigEndian(checksum(body))
    }

    /// CRC-32 (ISO 3309).
    static func checksum(_ bytes: [UInt8]) -> Int {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return Int(~sum)
    }
}
