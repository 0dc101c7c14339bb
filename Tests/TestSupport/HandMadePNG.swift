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
        let (size, sum) = (UInt16(bytes.count), high << 16 | low)
        let lengths = [size & 255, size >> 8, ~size & 255, ~size >> 8].map { UInt8($0) }
        return [0x78, 0x01, 0x01] + lengths + bytes + [24, 16, 8, 0].map { UInt8(sum >> $0 & 255) }
    }

    /// A chunk with its CRC-32 (W3C PNG, Annex D).
    public static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        var sum = UInt32.max
        for byte in body {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
        return number(UInt32(data.count)) + body + number(~sum)
    }
}
