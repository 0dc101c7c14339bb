internal import Bytes

/// The headers of a JPEG XL codestream up to its extra channels (ISO/IEC 18181-1 §D.2, §D.3).
struct JPEGXLHeader {
    struct ExtraChannel {
        /// 0 alpha, 1 depth, 2 spot color, 3 selection mask, 4 black, 5 color filter array, 6 thermal.
        var type = 0
        var bitDepth = 8
        var isFloat = false
        /// For alpha: whether colors are multiplied by it.
        var isPremultiplied = false
    }

    var width = 0
    var height = 0
    /// The Exif number.
    var orientation = 1
    var bitDepth = 8
    var isFloat = false
    var extraChannels: [ExtraChannel] = []

    /// Reads a codestream, starting at its signature. `base` is its offset in the file.
    init(parsing bytes: [UInt8], at base: Int, limits: DecodingLimits) throws(ContainerError) {
        var bits = JPEGXLBits(bytes, at: base)
        guard try bits.read(16) == 0x0AFF else {
            let start = bytes.prefix(2).map { String($0, radix: 16) }.joined(separator: " ")
            throw bits.failure(.malformed(rule: "JPEG XL codestream starts with '\(start)', not 'ff a'"))
        }
        (width, height) = try Self.readSize(&bits)
        _ = try limits.pixelCount(width: width, height: height, at: base + 2, in: StructurePath("JXL"))
        guard try !bits.readFlag() else { return }  // all values are the defaults
        if try bits.readFlag() {
            orientation = 1 + (try bits.read(3))
            if try bits.readFlag() { _ = try Self.readSize(&bits) }
            if try bits.readFlag() { try Self.skipPreview(&bits) }
            if try bits.readFlag() { try Self.skipAnimation(&bits) }
        }
        (bitDepth, isFloat) = try Self.readBitDepth(&bits)
        try bits.skip(1)  // modular_16bit_buffers
        let count = try bits.read(.init(0), .init(1), .init(2, 4), .init(1, 12))
        try limits.check(.images, count, at: base, in: StructurePath("JXL"))
        for _ in 0..<count { extraChannels.append(try Self.readExtraChannel(&bits)) }
    }

    private static func readSize(
        _ bits: inout JPEGXLBits
    ) throws(ContainerError) -> (width: Int, height: Int) {
        let isSmall = try bits.readFlag()
        func length(_ bits: inout JPEGXLBits) throws(ContainerError) -> Int {
            isSmall
                ? (try bits.read(5) + 1) * 8
                : try bits.read(.init(1, 9), .init(1, 13), .init(1, 18), .init(1, 30))
        }
        let height = try length(&bits)
        let ratio = try bits.read(3)
        return (ratio == 0 ? try length(&bits) : width(height, ratio), height)
    }

    /// The width for a height at one of the fixed aspect ratios.
    private static func width(_ height: Int, _ ratio: Int) -> Int {
        let (numerator, denominator) = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)][ratio - 1]
        return height * numerator / denominator
    }

    private static func skipPreview(_ bits: inout JPEGXLBits) throws(ContainerError) {
        let isDividedBy8 = try bits.readFlag()
        func skipLength(_ bits: inout JPEGXLBits) throws(ContainerError) {
            _ =
                isDividedBy8
                ? try bits.read(.init(16), .init(32), .init(1, 5), .init(33, 9))
                : try bits.read(.init(1, 6), .init(65, 8), .init(321, 10), .init(1345, 12))
        }
        try skipLength(&bits)
        if try bits.read(3) == 0 { try skipLength(&bits) }
    }

    private static func skipAnimation(_ bits: inout JPEGXLBits) throws(ContainerError) {
        _ = try bits.read(.init(100), .init(1000), .init(1, 10), .init(1, 30))
        _ = try bits.read(.init(1), .init(1001), .init(1, 8), .init(1, 10))
        _ = try bits.read(.init(0), .init(0, 3), .init(0, 16), .init(0, 32))
        try bits.skip(1)
    }

    private static func readBitDepth(
        _ bits: inout JPEGXLBits
    ) throws(ContainerError) -> (bitDepth: Int, isFloat: Bool) {
        guard try bits.readFlag() else {
            return (try bits.read(.init(8), .init(10), .init(12), .init(1, 6)), false)
        }
        let bitDepth = try bits.read(.init(32), .init(16), .init(24), .init(1, 6))
        try bits.skip(4)
        return (bitDepth, true)
    }

    private static func readExtraChannel(_ bits: inout JPEGXLBits) throws(ContainerError) -> ExtraChannel {
        var channel = ExtraChannel()
        guard try !bits.readFlag() else { return channel }
        channel.type = try bits.read(.init(0), .init(1), .init(2, 4), .init(18, 6))
        (channel.bitDepth, channel.isFloat) = try readBitDepth(&bits)
        _ = try bits.read(.init(0), .init(3), .init(4), .init(1, 3))  // dim_shift
        try bits.skip(8 * (try bits.read(.init(0), .init(0, 4), .init(16, 5), .init(48, 10))))  // name
        switch channel.type {
        case 0: channel.isPremultiplied = try bits.readFlag()
        case 2: try bits.skip(4 * 16)
        case 5: _ = try bits.read(.init(1), .init(0, 2), .init(3, 4), .init(19, 8))
        default: break
        }
        return channel
    }
}
