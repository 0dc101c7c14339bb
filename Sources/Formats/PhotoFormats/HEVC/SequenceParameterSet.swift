package import Bytes
package import DepthTypes

/// The description of pictures in an HEVC sequence parameter set (ITU-T H.265 §7.3.2.2, §E.2.1).
///
/// It is read before any decoder sees the bytes: decoders trust it and allocate memory.
package struct SequenceParameterSet: Hashable, Sendable {
    /// The coded width in luma samples, before cropping.
    package var codedWidth: Int
    package var codedHeight: Int
    /// The conformance window: the part of the coded picture to keep.
    package var window: PixelCrop
    /// 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    package var chromaFormat: Int
    /// Bits of a luma sample.
    package var lumaBitDepth: Int
    /// Bits of a chroma sample.
    package var chromaBitDepth: Int
    /// The color coding in the video usability information; `nil` if it is not there.
    package var color: CodedColor?

    /// Reads a complete NAL unit, whose offset in the file is `offset`.
    package init(parsing unit: [UInt8], at offset: Int, in path: StructurePath) throws(ContainerError) {
        var bits = BitCursor(removingEmulationPreventionFrom: unit, base: offset, path: path)
        try bits.skip(16 + 4)
        let subLayers = try bits.read(3)
        try bits.skip(1)
        try Self.skipProfileTierLevel(&bits, subLayers: subLayers)
        _ = try bits.readUnsignedGolomb()  // id
        chromaFormat = try bits.readUnsignedGolomb()
        guard chromaFormat <= 3 else {
            throw bits.failure(.malformed(rule: "chroma format is \(chromaFormat), not 0 to 3"))
        }
        let hasSeparatePlanes = chromaFormat == 3 ? try bits.readFlag() : false
        guard !hasSeparatePlanes else {
            throw bits.failure(.unsupported(feature: "HEVC with separate color planes"))
        }
        codedWidth = try bits.readUnsignedGolomb()
        codedHeight = try bits.readUnsignedGolomb()
        window = PixelCrop(left: 0, top: 0, width: codedWidth, height: codedHeight)
        if try bits.readFlag() {
            let (unitX, unitY) = (chromaFormat == 1 || chromaFormat == 2 ? 2 : 1, chromaFormat == 1 ? 2 : 1)
            let left = try bits.readUnsignedGolomb() * unitX
            let right = try bits.readUnsignedGolomb() * unitX
            let top = try bits.readUnsignedGolomb() * unitY
            let bottom = try bits.readUnsignedGolomb() * unitY
            window = PixelCrop(
                left: left, top: top, width: codedWidth - left - right, height: codedHeight - top - bottom)
            guard window.width > 0, window.height > 0 else {
                throw bits.failure(
                    .malformed(
                        rule: "conformance window is \(window.width) × \(window.height) in a picture of "
                            + "\(codedWidth) × \(codedHeight)"))
            }
        }
        lumaBitDepth = try bits.readUnsignedGolomb() + 8
        chromaBitDepth = try bits.readUnsignedGolomb() + 8
        guard lumaBitDepth <= 16, chromaBitDepth <= 16 else {
            throw bits.failure(
                .malformed(
                    rule:
                        "samples have \(lumaBitDepth) bits of luma and \(chromaBitDepth) of chroma; 16 is the most"
                ))
        }
        let pictureOrderBits = try bits.readUnsignedGolomb() + 4
        let givesOrderingOfAll = try bits.readFlag()
        for _ in (givesOrderingOfAll ? 0 : subLayers)...subLayers {
            for _ in 0..<3 { _ = try bits.readUnsignedGolomb() }
        }
        try Self.checkBlockSizes(&bits)
        if try bits.readFlag(), try bits.readFlag() { try Self.skipScalingLists(&bits) }
        try bits.skip(2)  // asymmetric motion partitions, sample adaptive offset
        if try bits.readFlag() {  // pulse code modulation
            try bits.skip(8)
            for _ in 0..<2 { _ = try bits.readUnsignedGolomb() }
            try bits.skip(1)
        }
        try Self.skipShortTermReferenceSets(&bits)
        if try bits.readFlag() {  // long-term reference pictures
            let count = try bits.readUnsignedGolomb()
            guard count <= 32, pictureOrderBits <= 16 else {
                throw bits.failure(
                    .malformed(
                        rule:
                            "\(count) long-term reference pictures with numbers of \(pictureOrderBits) bits; "
                            + "32 and 16 are allowed"))
            }
            try bits.skip(count * (pictureOrderBits + 1))
        }
        try bits.skip(2)  // temporal motion vectors, strong intra smoothing
        if try bits.readFlag() { try readUsability(&bits) }
    }

    /// Checks that the sizes of coding and transform blocks are in range (§7.4.3.2.1).
    private static func checkBlockSizes(_ bits: inout BitCursor) throws(ContainerError) {
        let smallest = try bits.readUnsignedGolomb() + 3
        let tree = smallest + (try bits.readUnsignedGolomb())
        let smallestTransform = try bits.readUnsignedGolomb() + 2
        let largestTransform = smallestTransform + (try bits.readUnsignedGolomb())
        let depths = (try bits.readUnsignedGolomb(), try bits.readUnsignedGolomb())
        guard (4...6).contains(tree), smallestTransform < smallest, largestTransform <= min(tree, 5),
            max(depths.0, depths.1) <= tree - smallestTransform
        else {
            throw bits.failure(
                .malformed(rule: "the sizes of coding and transform blocks contradict each other"))
        }
    }

    private mutating func readUsability(_ bits: inout BitCursor) throws(ContainerError) {
        if try bits.readFlag(), try bits.read(8) == 255 { try bits.skip(32) }  // sample aspect ratio
        if try bits.readFlag() { try bits.skip(1) }  // overscan
        guard try bits.readFlag() else { return }  // video signal type
        try bits.skip(3)
        color = CodedColor(isFullRange: try bits.readFlag())
        guard try bits.readFlag() else { return }  // color description
        color?.primaries = try bits.read(8)
        color?.transfer = try bits.read(8)
        color?.matrixCoefficients = try bits.read(8)
    }

    private static func skipProfileTierLevel(_ bits: inout BitCursor, subLayers: Int) throws(ContainerError) {
        try bits.skip(88 + 8)
        guard subLayers > 0 else { return }
        var present: [(profile: Bool, level: Bool)] = []
        for _ in 0..<subLayers { present.append((try bits.readFlag(), try bits.readFlag())) }
        try bits.skip(2 * (8 - subLayers))
        for layer in present { try bits.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
    }

    /// §7.3.4
    private static func skipScalingLists(_ bits: inout BitCursor) throws(ContainerError) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard try bits.readFlag() else {
                    _ = try bits.readUnsignedGolomb()
                    continue
                }
                if size > 1 { _ = try bits.readSignedGolomb() }
                for _ in 0..<min(64, 1 << (4 + (size << 1))) { _ = try bits.readSignedGolomb() }
            }
        }
    }

    /// §7.3.7
    private static func skipShortTermReferenceSets(_ bits: inout BitCursor) throws(ContainerError) {
        let count = try bits.readUnsignedGolomb()
        guard count <= 64 else {
            throw bits.failure(.malformed(rule: "\(count) short-term reference picture sets; 64 are allowed"))
        }
        var pictures: [Int] = []
        for index in 0..<count {
            if index > 0, try bits.readFlag() {  // predicted from the set before
                try bits.skip(1)
                _ = try bits.readUnsignedGolomb()
                var kept = 0
                for _ in 0...pictures[index - 1] {
                    let isUsed = try bits.readFlag()
                    let isKept = isUsed ? true : try bits.readFlag()
                    kept += isKept ? 1 : 0
                }
                pictures.append(kept)
            } else {
                let total = try bits.readUnsignedGolomb() + (try bits.readUnsignedGolomb())
                guard total <= 32 else {
                    throw bits.failure(
                        .malformed(rule: "\(total) reference pictures in a set; 32 are allowed"))
                }
                for _ in 0..<total {
                    _ = try bits.readUnsignedGolomb()
                    try bits.skip(1)
                }
                pictures.append(total)
            }
        }
    }
}
