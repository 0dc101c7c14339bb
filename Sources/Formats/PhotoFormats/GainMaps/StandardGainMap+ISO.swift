internal import Bytes
internal import DepthTypes

extension StandardGainMap {
    /// The bytes of the versions. A photo's own segment ends after them.
    static let versionByteCount = 4

    /// Reads the metadata of ISO 21496-1, big-endian: two versions of 16 bits; flags; the headrooms of both renditions; and for
    /// one color or three minimum, maximum, gamma and both offsets. Numbers are fractions of 32 bits, whose denominators are
    /// omitted if the flags declare a common one (libultrahdr, gainmapmetadata.cpp).
    ///
    /// Throws if bytes are missing, a number cannot be used, or the photo itself is the HDR rendition.
    init(parsing bytes: [UInt8], at offset: Int) throws(ContainerError) {
        var cursor = ByteCursor(bytes.span, base: offset, path: StructurePath("ISO 21496-1"))
        let version = try cursor.readUInt16()
        guard version == 0 else {
            throw cursor.failure(.unsupported(feature: "version \(version) of gain maps"))
        }
        _ = try cursor.readUInt16()  // the version of the writer
        let flags = try cursor.readByte()
        guard flags & 0b100 == 0 else {
            throw cursor.failure(.unsupported(feature: "a gain map of an HDR photo"))
        }
        let common: Int? = flags & 0b1000 == 0 ? nil : try cursor.readUInt32()
        func number(isSigned: Bool, _ cursor: inout ByteCursor) throws(ContainerError) -> Double {
            let bits = try cursor.readUInt32()
            let numerator = isSigned ? Int(Int32(truncatingIfNeeded: bits)) : bits
            let denominator = if let common { common } else { try cursor.readUInt32() }
            return Double(numerator) / Double(denominator)
        }
        let base = try number(isSigned: false, &cursor)
        let alternate = try number(isSigned: false, &cursor)
        var channels: [Channel] = []
        for _ in 0..<(flags & 0x80 == 0 ? 1 : 3) {
            let minimum = try number(isSigned: true, &cursor)
            let maximum = try number(isSigned: true, &cursor)
            let gamma = try number(isSigned: false, &cursor)
            let channel = Channel(
                minimum: minimum, maximum: maximum, gamma: gamma,
                baseOffset: try number(isSigned: true, &cursor),
                alternateOffset: try number(isSigned: true, &cursor))
            guard channel.isValid else {
                throw cursor.malformed("the numbers of the gain map cannot be used")
            }
            channels.append(channel)
        }
        guard base.isFinite, alternate.isFinite else {
            throw cursor.malformed("a headroom has the denominator 0")
        }
        self.init(channels: channels, baseHeadroom: base, alternateHeadroom: alternate)
    }
}
