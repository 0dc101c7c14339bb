internal import ArgumentParser
internal import Isobath

/// What `--to` names.
enum ConversionTarget: String, CaseIterable, Codable, ExpressibleByArgument, Sendable {
    case appleJPEG = "apple-jpeg"
    case appleHEIC = "apple-heic"
    case gDepth = "gdepth"
    case dynamicDepth = "dynamic-depth"
    /// The picture with its depth beside it in one frame.
    case rgbd
    /// The picture, and its depth in a file beside it.
    case pair
    /// Color, depth and mattes as layers.
    case exr
    /// A movie with the depth as hues beside the picture, as Record3D's have it.
    case record3D = "record3d"

    /// The form of a photo that carries depth; `nil` for others.
    var form: DepthForm? { DepthForm(rawValue: rawValue) }

    /// The extensions that a file may have; files that are named automatically get the first.
    var fileExtensions: [String] {
        switch self {
        case .appleJPEG, .gDepth, .dynamicDepth, .pair: ["jpg", "jpeg"]
        case .appleHEIC: ["heic", "heif"]
        case .rgbd: ["png", "jpg", "jpeg"]
        case .record3D: ["mp4", "mkv"]
        case .exr: ["exr"]
        }
    }

    /// Whether it can be a movie.
    var isOfFrames: Bool { self == .rgbd || self == .record3D }

    /// What follows the input's name in the name of an output.
    func suffix(_ sideBySide: SideBySide) -> String {
        switch self {
        case .appleJPEG, .appleHEIC, .gDepth, .dynamicDepth, .record3D: "-\(rawValue)"
        case .rgbd: sideBySide.suffix
        case .pair, .exr: ""
        }
    }
}
