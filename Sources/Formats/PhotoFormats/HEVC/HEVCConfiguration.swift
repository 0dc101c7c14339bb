internal import Bytes

/// The decoder configuration of an HEVC image (`hvcC`, ISO/IEC 14496-15 §8.3.3.1).
package struct HEVCConfiguration: Hashable, Sendable {
    /// The width of each NAL unit's length field in the item, in bytes: 1, 2 or 4.
    package var lengthSize: Int
    /// 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    package var chromaFormat: Int
    /// Bits of a luma sample.
    package var bitDepth: Int
    /// The parameter sets and SEI messages, without start codes, in file order.
    package var units: [[UInt8]]

    /// There are 16 video, 16 sequence and 64 picture parameter sets (H.265 §7.4.3); the remaining units are messages. All
    /// are read again for every tile.
    private static let mostUnits = 128

    /// Reads the payload of the property.
    init(parsing box: inout ByteCursor) throws(ContainerError) {
        let version = try box.readByte()
        guard version == 1 else {
            throw box.malformed("HEVC configuration has version \(version), not 1")
        }
        try box.skip(15)
        chromaFormat = Int(try box.readByte() & 3)
        bitDepth = Int(try box.readByte() & 7) + 8
        try box.skip(3)
        lengthSize = Int(try box.readByte() & 3) + 1
        guard lengthSize != 3 else { throw box.malformed("NAL unit lengths have 3 bytes, not 1, 2 or 4") }
        units = []
        for _ in 0..<(try box.readByte()) {
            try box.skip(1)
            for _ in 0..<(try box.readUInt16()) {
                guard units.count < Self.mostUnits else {
                    throw box.malformed(
                        "HEVC configuration has more than \(Self.mostUnits) parameter sets and messages")
                }
                units.append(try box.readBytes(try box.readUInt16()))
            }
        }
    }
}
