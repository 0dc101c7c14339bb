internal import ArgumentParser
internal import Isobath

/// What `convert --to` names.
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

    /// The form of a photo that carries depth; `nil` for others.
    var form: DepthForm? { DepthForm(rawValue: rawValue) }

    /// The extensions that a file may have; files that are named automatically get the first.
    var fileExtensions: [String] {
        switch self {
        case .appleJPEG, .gDepth, .dynamicDepth, .pair: ["jpg", "jpeg"]
        case .appleHEIC: ["heic", "heif"]
        case .rgbd: ["png", "jpg", "jpeg"]
        case .exr: ["exr"]
        }
    }

    /// What stands behind the input's name in the name of an output.
    func suffix(_ sideBySide: SideBySide) -> String {
        switch self {
        case .appleJPEG, .appleHEIC, .gDepth, .dynamicDepth: "-\(rawValue)"
        case .rgbd: sideBySide.suffix
        case .pair, .exr: ""
        }
    }
}
