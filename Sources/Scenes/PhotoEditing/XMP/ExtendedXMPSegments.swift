internal import Bytes
internal import PhotoWriting

/// XMP that does not fit one JPEG segment, in parts (XMP specification part 3, §1.1.3.1).
enum ExtendedXMPSegments {
    /// The maximum bytes of the packet per segment. Adobe's toolkit writes no more.
    private static let pieceSize = 65_400

    /// The name that the main packet uses for the extended one: its MD5.
    static func name(of packet: [UInt8]) -> String { MD5.hexadecimal(of: packet) }

    /// The contents of the segments, from the name on.
    static func segments(of packet: [UInt8], name: String) -> [[UInt8]] {
        func bytes(_ number: Int) -> [UInt8] { ByteOrder.bigEndian.bytes(of: number, count: 4) }
        return stride(from: 0, to: packet.count, by: pieceSize).map { start in
            Array(name.utf8) + bytes(packet.count) + bytes(start)
                + packet[start..<min(start + pieceSize, packet.count)]
        }
    }
}
