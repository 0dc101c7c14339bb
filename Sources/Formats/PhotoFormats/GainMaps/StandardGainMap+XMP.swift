internal import Bytes
internal import DepthTypes

extension StandardGainMap {
    private static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"

    /// Reads `hdrgm` (Adobe, Gain Map Specification 1.0; Ultra HDR image format 1.1). A property is one number for all colors or
    /// a list of three; missing ones have the default of the specification.
    ///
    /// Throws if the map has no `GainMapMax`, a number cannot be used, or the photo itself is the HDR rendition.
    init(_ xmp: XMPProperties) throws(ContainerError) {
        guard xmp[Self.namespace, "GainMapMax"] != nil else {
            throw Self.malformed("the gain map declares no range (GainMapMax)")
        }
        guard xmp[Self.namespace, "BaseRenditionIsHDR"]?.text?.lowercased() != "true" else {
            throw ContainerError(
                .unsupported(feature: "a gain map of an HDR photo (BaseRenditionIsHDR)"),
                in: StructurePath("XMP"))
        }
        let minimum = try Self.numbers(xmp, "GainMapMin", usual: 0)
        let maximum = try Self.numbers(xmp, "GainMapMax", usual: 1)
        let gamma = try Self.numbers(xmp, "Gamma", usual: 1)
        let base = try Self.numbers(xmp, "OffsetSDR", usual: 1 / 64)
        let alternate = try Self.numbers(xmp, "OffsetHDR", usual: 1 / 64)
        var channels: [Channel] = []
        for index in 0..<3 {
            let channel = Channel(
                minimum: minimum[index], maximum: maximum[index], gamma: gamma[index],
                baseOffset: base[index],
                alternateOffset: alternate[index])
            guard channel.isValid else { throw Self.malformed("the numbers of the gain map cannot be used") }
            channels.append(channel)
        }
        let isGray = Set(channels).count == 1
        let headrooms = (
            try Self.numbers(xmp, "HDRCapacityMin", usual: 0),
            try Self.numbers(xmp, "HDRCapacityMax", usual: maximum.max() ?? 1)
        )
        self.init(
            channels: isGray ? Array(channels.prefix(1)) : channels, baseHeadroom: headrooms.0[0],
            alternateHeadroom: headrooms.1[0])
    }

    /// Three numbers, one for each color.
    private static func numbers(
        _ xmp: XMPProperties, _ name: String, usual: Double
    ) throws(ContainerError) -> [Double] {
        guard let value = xmp[namespace, name] else { return [usual, usual, usual] }
        let texts = value.items.map { $0.map(\.text) } ?? [value.text, value.text, value.text]
        let numbers = texts.compactMap { $0.flatMap { Double($0) } }.filter(\.isFinite)
        guard texts.count == 3, numbers.count == 3 else {
            throw malformed("\(name) is not a number or a list of three")
        }
        return numbers
    }

    private static func malformed(_ rule: String) -> ContainerError {
        ContainerError(.malformed(rule: rule), in: StructurePath("XMP"))
    }
}
