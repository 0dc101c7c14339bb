/// How the stored values of a gain map, as fractions 0…1 of the largest one, become light of the HDR rendition.
///
/// Light is linear, and 1 is the white of the photo (SDR).
package enum GainMapParameters: Hashable, Sendable {
    /// Apple's single-channel map: `HDR = SDR · (1 + (headroom − 1) · light)`, where `light` is the stored value on the curve
    /// of ITU-R BT.709, made linear (Apple, "Applying Apple HDR effect to your photos").
    ///
    case apple(AppleHeadroom)
    /// The map of Ultra HDR, Adobe and ISO 21496-1.
    case standard(StandardGainMap)
}

/// The brightest light of Apple's HDR rendition, 1 or more.
package enum AppleHeadroom: Hashable, Sendable {
    /// The light itself, from the XMP of the gain map.
    case light(Double)
    /// The light as a power of 2, from the photo's maker note.
    case stops(Double)
}

/// The parameters of ISO 21496-1, also in Adobe's `hdrgm` and Ultra HDR, with the photo as the SDR rendition.
///
/// `HDR = (SDR + baseOffset) · 2^G − alternateOffset` with `G = minimum + (maximum − minimum) · value^(1 / gamma)`, for each
/// color.
package struct StandardGainMap: Hashable, Sendable {
    /// The parameters of one color.
    package struct Channel: Hashable, Sendable {
        /// The gain of the value 0, as a power of 2.
        package var minimum: Double
        /// The gain of the value 1, as a power of 2, not below ``minimum``.
        package var maximum: Double
        /// The exponent from gain to stored value; positive.
        package var gamma: Double
        /// Added to the photo's light.
        package var baseOffset: Double
        /// Subtracted from the HDR rendition's light.
        package var alternateOffset: Double

        /// The parameters of a color, by default those of `hdrgm`.
        package init(
            minimum: Double = 0, maximum: Double, gamma: Double = 1, baseOffset: Double = 1 / 64,
            alternateOffset: Double = 1 / 64
        ) {
            (self.minimum, self.maximum, self.gamma) = (minimum, maximum, gamma)
            (self.baseOffset, self.alternateOffset) = (baseOffset, alternateOffset)
        }

        /// Whether the numbers can be used: finite, in order, and gains of at most 2¹⁶.
        package var isValid: Bool {
            minimum >= -16 && minimum <= maximum && maximum <= 16 && gamma >= 0.01 && gamma <= 100
                && abs(baseOffset) <= 1 && abs(alternateOffset) <= 1
        }
    }

    /// One entry for all colors, or one for each of red, green and blue.
    package var channels: [Channel]
    /// A display without this headroom, as a power of 2, shows the photo.
    package var baseHeadroom: Double
    /// A display with this headroom or more, as a power of 2, shows the HDR rendition.
    package var alternateHeadroom: Double

    /// A map with these parameters.
    package init(channels: [Channel], baseHeadroom: Double = 0, alternateHeadroom: Double) {
        precondition(channels.count == 1 || channels.count == 3, "one entry, or one for each color")
        self.channels = channels
        (self.baseHeadroom, self.alternateHeadroom) = (baseHeadroom, alternateHeadroom)
    }
}
