internal import Bytes

/// The decoder configuration of an AV1 image (`av1C`, AV1 Codec ISO Media File Format Binding §2.3).
package struct AV1Configuration: Hashable, Sendable {
    /// 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    package var chromaFormat: Int
    /// Bits of a sample: 8, 10 or 12.
    package var bitDepth: Int

    /// Reads the payload of the property. The sequence header is read from the item, which must have it.
    init(parsing box: inout ByteCursor) throws(ContainerError) {
        let version = try box.readByte()
        guard version == 0x81 else {
            throw box.malformed(
                "AV1 configuration starts with \(version), not 129 (marker bit and version 1)")
        }
        try box.skip(1)
        let flags = try box.readByte()
        let (isHigh, isTwelve, isMonochrome) = (flags & 0x40 != 0, flags & 0x20 != 0, flags & 0x10 != 0)
        bitDepth = isHigh ? (isTwelve ? 12 : 10) : 8
        switch (isMonochrome, flags & 0x08 != 0, flags & 0x04 != 0) {
        case (true, _, _): chromaFormat = 0
        case (_, true, true): chromaFormat = 1
        case (_, true, false): chromaFormat = 2
        case (_, false, false): chromaFormat = 3
        case (_, false, true):
            throw box.malformed("chroma is halved in height and not in width, which AV1 does not allow")
        }
    }
}
