internal import ByteParsing

/// The decoder configuration of an HEVC image (`hvcC`, ISO/IEC 14496-15 §8.3.3.1).
package struct HEVCConfiguration: Hashable, Sendable {
    /// How many bytes give the length of each NAL unit in the item: 1, 2 or 4.
    package var lengthSize: Int
    /// 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    package var chromaFormat: Int
    /// Bits of a luma sample.
    package var bitDepth: Int
    /// The parameter sets and SEI messages, without start codes, in file order.
    package var units: [[UInt8]]

    /// Reads the payload of the property.
    init(parsing box: inout ByteCursor) throws(ContainerError) {
        guard try box.readByte() == 1 else {
            throw box.malformed("version 1 of an HEVC configuration is expected")
        }
        try box.skip(15)
        chromaFormat = Int(try box.readByte() & 3)
        bitDepth = Int(try box.readByte() & 7) + 8
        try box.skip(3)
        lengthSize = Int(try box.readByte() & 3) + 1
        guard lengthSize != 3 else { throw box.malformed("NAL unit lengths of 3 bytes do not exist") }
        units = []
        for _ in 0..<(try box.readByte()) {
            try box.skip(1)
            for _ in 0..<(try box.readUInt16()) {
                units.append(try box.readBytes(try box.readUInt16()))
            }
        }
    }
}
