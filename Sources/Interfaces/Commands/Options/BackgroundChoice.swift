internal import ArgumentParser
internal import Isobath

enum BackgroundChoice: ExpressibleByArgument, Equatable, Sendable {
    /// Transparent.
    case none
    /// One color, sRGB.
    case color(RGB<UInt8>)
    /// A picture, a folder of pictures or a numbered sequence.
    case file(String)

    /// The file, folder or sequence; `nil` for a color or no background.
    var path: String? { if case .file(let path) = self { path } else { nil } }

    /// Whether it names several pictures.
    var isSequence: Bool {
        path.map { FramePattern($0) != nil || FolderEntry.isFolder($0) } ?? false
    }

    init?(argument: String) {
        if argument.isEmpty { return nil }
        if argument == "none" {
            self = .none
        } else if argument.hasPrefix("#") {
            guard let color = Self.color(hexadecimal: argument.dropFirst()) else { return nil }
            self = .color(color)
        } else if let code = Self.names[argument.lowercased()] {
            self = .color(Self.color(code))
        } else {
            self = .file(argument)
        }
    }

    private static func color(hexadecimal digits: Substring) -> RGB<UInt8>? {
        guard digits.allSatisfy(\.isHexDigit), let code = UInt32(digits, radix: 16) else { return nil }
        switch digits.count {
        case 3: return color((code & 0xF00) * 0x1100 + (code & 0xF0) * 0x110 + (code & 0xF) * 0x11)
        case 6: return color(code)
        default: return nil
        }
    }

    private static func color(_ code: UInt32) -> RGB<UInt8> {
        RGB(
            red: UInt8(truncatingIfNeeded: code >> 16), green: UInt8(truncatingIfNeeded: code >> 8),
            blue: UInt8(truncatingIfNeeded: code))
    }

    /// The basic color keywords of CSS (CSS Color Module Level 4 §6.1, as in HTML 4), and orange.
    private static let names: [String: UInt32] = [
        "aqua": 0x00FFFF, "black": 0x000000, "blue": 0x0000FF, "fuchsia": 0xFF00FF, "gray": 0x808080,
        "grey": 0x808080, "green": 0x008000, "lime": 0x00FF00, "maroon": 0x800000, "navy": 0x000080,
        "olive": 0x808000, "orange": 0xFFA500, "purple": 0x800080, "red": 0xFF0000, "silver": 0xC0C0C0,
        "teal": 0x008080, "white": 0xFFFFFF, "yellow": 0xFFFF00,
    ]
}
