internal import DepthTypes
internal import Scenes

/// A form of data sets: a folder of pictures, depth, cameras and poses that other programs read.
public enum DataSetForm: String, CaseIterable, Hashable, Sendable {
    /// TUM RGB-D: lists of pictures, depth and poses by time. Depth has 5,000 steps a meter and the size of the pictures.
    case tum
    /// nerfstudio: `transforms.json`, depth in millimeters at its own size, and a cloud.
    case nerfstudio
    /// COLMAP: a sparse model as text, dense maps of depth in meters and of normals at their own size, and the inverse depth of 3D Gaussian
    /// splatting.
    case colmap

    /// The folder of pictures.
    var pictureFolder: String { self == .tum ? "rgb" : "images" }

    /// The steps of depth in a meter, in 16 bits; `nil` for depth in floating point.
    var unitsPerMeter: Float? {
        switch self {
        case .tum: 5000
        case .nerfstudio: 1000
        case .colmap: nil
        }
    }

    /// Whether every frame needs a picture and a pose. Lists of TUM may lack either.
    var needsPictureAndPose: Bool { self != .tum }

    /// The planes of a frame that it holds.
    var planes: Set<PlaneID> {
        self == .tum ? [.picture, .depth] : [.picture, .depth, .plane(.matte, 0)]
    }

    /// Whether it holds a cloud.
    var hasPoints: Bool { self != .tum }

    /// More points than readers start from are brought to a coarser grid. Those of COLMAP's models have a list of images, and are as many
    /// as COLMAP itself finds.
    var mostPoints: Int { self == .colmap ? 100_000 : 1_000_000 }

    /// The names of files and folders in data sets of all forms.
    package static let names: Set = [
        "rgb", "depth", "rgb.txt", "depth.txt", "groundtruth.txt", "associated.txt", "calibration.txt",
        "images", "masks", "depths", "inverse_depths", "transforms.json", "sparse_pc.ply", "sparse", "stereo",
    ]
}
