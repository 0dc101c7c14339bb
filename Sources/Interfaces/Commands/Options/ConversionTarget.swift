internal import ArgumentParser
internal import Isobath
internal import Reconstruction

/// The value of `--to`.
enum ConversionTarget: String, CaseIterable, ExpressibleByArgument, Sendable {
    case appleJPEG = "apple-jpeg"
    case appleHEIC = "apple-heic"
    case gDepth = "gdepth"
    case dynamicDepth = "dynamic-depth"
    /// The picture and its depth side by side in one frame.
    case rgbd
    /// The picture, and its depth in a file beside it.
    case pair
    /// Color, depth and mattes as layers.
    case exr
    /// The pictures of both eyes beside each other.
    case sideBySide = "side-by-side"
    /// The pictures of both eyes, for glasses of red and cyan.
    case anaglyph
    /// Folders that are data sets.
    case nerfstudio, colmap, tum

    /// The form of a data set; `nil` for others.
    var dataSet: DataSetForm? { DataSetForm(rawValue: rawValue) }

    /// The form of a photo that carries depth; `nil` for others.
    var form: DepthForm? { DepthForm(rawValue: rawValue) }

    /// The extensions that a file may have. Automatically named files get the first.
    var fileExtensions: [String] {
        switch self {
        case .appleJPEG, .gDepth, .dynamicDepth, .pair: ["jpg", "jpeg"]
        case .appleHEIC: ["heic", "heif"]
        case .rgbd, .sideBySide, .anaglyph: ["png", "jpg", "jpeg"]
        case .exr: ["exr"]
        case .nerfstudio, .colmap, .tum: []
        }
    }

    /// Whether it can be a movie.
    var isOfFrames: Bool { self == .rgbd || eyes != nil }

    /// How the pictures of both eyes are combined; `nil` for other forms.
    var eyes: StereoForm? { StereoForm(rawValue: rawValue) }

    /// The text that follows the input's name in the name of an output.
    var suffix: String {
        switch self {
        case .appleJPEG, .appleHEIC, .gDepth, .dynamicDepth, .sideBySide, .anaglyph, .nerfstudio, .colmap,
            .tum:
            "-\(rawValue)"
        case .rgbd: "_rgbd"
        case .pair, .exr: ""
        }
    }
}
