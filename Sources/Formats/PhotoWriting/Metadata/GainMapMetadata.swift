/// The metadata of a gain map by which an HDR rendition is made of an SDR photo: ISO 21496-1, and Adobe's `hdrgm` with the
/// directory of Ultra HDR.
///
/// `HDR = (SDR + baseOffset) · 2^G − alternateOffset` with `G = minimum + (maximum − minimum) · value^(1 / gamma)`, in linear
/// light, where `value` is the stored value as 0…1.
package struct GainMapMetadata: Hashable, Sendable {
    /// The parameters of one color.
    package struct Channel: Hashable, Sendable {
        /// The gain of the value 0, as a power of 2.
        package var minimum: Double
        /// The gain of the value 1, as a power of 2.
        package var maximum: Double
        /// The exponent from gain to stored value.
        package var gamma: Double
        /// Added to the photo's light.
        package var baseOffset: Double
        /// Subtracted from the HDR rendition's light.
        package var alternateOffset: Double

        /// The parameters of a color.
        package init(
            minimum: Double, maximum: Double, gamma: Double, baseOffset: Double, alternateOffset: Double
        ) {
            (self.minimum, self.maximum, self.gamma) = (minimum, maximum, gamma)
            (self.baseOffset, self.alternateOffset) = (baseOffset, alternateOffset)
        }
    }

    /// One entry for all colors, or three.
    package var channels: [Channel]
    /// The headroom of a display that shows the photo, as a power of 2.
    package var baseHeadroom: Double
    /// The headroom of a display that shows the HDR rendition, as a power of 2.
    package var alternateHeadroom: Double

    /// The metadata of a map.
    package init(channels: [Channel], baseHeadroom: Double, alternateHeadroom: Double) {
        self.channels = channels
        (self.baseHeadroom, self.alternateHeadroom) = (baseHeadroom, alternateHeadroom)
    }

    /// The segment of the photo itself: only the least version for readers and the version of the writer, both 0.
    package static let version: [UInt8] = [0, 0, 0, 0]

    /// The metadata of ISO 21496-1: versions, flags, headrooms and channels, as fractions of millionths. The map has the
    /// photo's color space.
    ///
    /// - Throws: ``ContainerWritingError`` if a number does not fit.
    package func serialized() throws(ContainerWritingError) -> [UInt8] {
        guard [1, 3].contains(channels.count) else {
            throw .notRepresentable(field: "gain map metadata", value: "\(channels.count) channels")
        }
        var writer = ByteWriter()
        writer.append(Self.version)
        writer.append(UInt8(channels.count == 3 ? 0b1100_0000 : 0b0100_0000))
        for headroom in [baseHeadroom, alternateHeadroom] { try Self.append(headroom, to: &writer) }
        for channel in channels {
            for number in [
                channel.minimum, channel.maximum, channel.gamma, channel.baseOffset, channel.alternateOffset,
            ] {
                try Self.append(number, to: &writer)
            }
        }
        return writer.bytes
    }

    /// A numerator, signed or not, and a denominator, 32 bits each.
    private static func append(
        _ number: Double, to writer: inout ByteWriter
    ) throws(ContainerWritingError) {
        let denominator = 1_000_000
        guard let numerator = Int32(exactly: (number * Double(denominator)).rounded()) else {
            throw .notRepresentable(field: "gain map metadata", value: "\(number)")
        }
        writer.append(UInt32(bitPattern: numerator))
        writer.append(UInt32(denominator))
    }

    /// The properties of the gain map's own packet (Adobe, Gain Map Specification 1.0), to be written as attributes.
    package func properties() throws(ContainerWritingError) -> [XMPProperty] {
        var properties = [XMPProperty(.hdrgm, "Version", .text("1.0"))]
        let values: [(String, [Double])] = [
            ("GainMapMin", channels.map(\.minimum)), ("GainMapMax", channels.map(\.maximum)),
            ("Gamma", channels.map(\.gamma)), ("OffsetSDR", channels.map(\.baseOffset)),
            ("OffsetHDR", channels.map(\.alternateOffset)), ("HDRCapacityMin", [baseHeadroom]),
            ("HDRCapacityMax", [alternateHeadroom]),
        ]
        for (name, numbers) in values {
            var texts: [String] = []
            for number in numbers {
                texts.append(try DecimalText.sixDecimals(number, field: "hdrgm:\(name)"))
            }
            properties.append(
                XMPProperty(.hdrgm, name, texts.count == 1 ? .text(texts[0]) : .sequence(texts)))
        }
        return properties + [XMPProperty(.hdrgm, "BaseRenditionIsHDR", .text("False"))]
    }

    /// The properties of the photo's packet: a mark, and the directory of the photo and a gain map of `length` bytes after
    /// it (Ultra HDR image format 1.1).
    package static func photoProperties(gainMapLength length: Int) -> [XMPProperty] {
        func item(_ semantic: String, _ length: Int?) -> [XMPProperty] {
            var fields = [("Semantic", semantic), ("Mime", "image/jpeg")]
            if let length { fields.append(("Length", "\(length)")) }
            return [
                XMPProperty(
                    .container, "Item",
                    .attributes(fields.map { XMPProperty(.containerItem, $0.0, .text($0.1)) }))
            ]
        }
        return [
            XMPProperty(.hdrgm, "Version", .text("1.0")),
            XMPProperty(
                .container, "Directory", .structures([item("Primary", nil), item("GainMap", length)])),
        ]
    }
}
