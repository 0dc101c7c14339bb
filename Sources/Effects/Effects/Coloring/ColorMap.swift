public import DepthMaps

/// Colors for fractions 0…1, in 256 steps: matplotlib's maps, under the same names.
///
/// Colors are matplotlib's values times 255, rounded; matplotlib's `bytes=True` truncates, so it is up to 1 lower.
public enum ColorMap: String, CaseIterable, Hashable, Sendable {
    /// An evened rainbow: shows the most detail.
    case turbo
    /// Blue to yellow, with uniformly growing lightness.
    case viridis
    /// Black over purple to white.
    case magma
    /// Black over red to yellow.
    case inferno
    /// Black to white.
    case gray

    /// The 256 colors, from fraction 0 to 1.
    public var colors: [RGB<UInt8>] {
        switch self {
        case .turbo: Self.turboColors
        case .viridis: Self.viridisColors
        case .magma: Self.magmaColors
        case .inferno: Self.infernoColors
        case .gray: (0...255).map { RGB(red: $0, green: $0, blue: $0) }
        }
    }

    private static let turboColors = colors(ofHexadecimal: ColorMapTables.turbo)
    private static let viridisColors = colors(ofHexadecimal: ColorMapTables.viridis)
    private static let magmaColors = colors(ofHexadecimal: ColorMapTables.magma)
    private static let infernoColors = colors(ofHexadecimal: ColorMapTables.inferno)

    private static func colors(ofHexadecimal text: String) -> [RGB<UInt8>] {
        let nibbles = text.utf8.map { $0 < 0x40 ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: nibbles.count, by: 6).map { place in
            RGB(
                red: nibbles[place] << 4 | nibbles[place + 1],
                green: nibbles[place + 2] << 4 | nibbles[place + 3],
                blue: nibbles[place + 4] << 4 | nibbles[place + 5])
        }
    }
}
