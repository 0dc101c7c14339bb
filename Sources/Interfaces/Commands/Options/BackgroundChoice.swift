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
        } else if let color = RGB(named: argument) {
            self = .color(color)
        } else if argument.hasPrefix("#") {
            return nil
        } else {
            self = .file(argument)
        }
    }
}
