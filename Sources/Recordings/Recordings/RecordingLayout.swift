/// The layout of a recording's files. The raw value is its name in JSON.
package enum RecordingLayout: String, CaseIterable, Sendable {
    /// TUM RGB-D benchmark, and sets with the same lists: Bonn, ICL-NUIM.
    case tum
    case strayScanner = "stray-scanner"
    /// Record3D's `.r3d` archive.
    case record3DArchive = "record3d-r3d"
    /// Record3D's export of EXR and JPEG files.
    case record3DFolder = "record3d-exr"
    /// Record3D's movie of hues and colors.
    case record3DMovie = "record3d-mp4"
    /// 3D Scanner App, “All Data”.
    case scannerApp = "3d-scanner-app"
    /// Polycam's raw data.
    case polycam
    /// Apple's ARKitScenes.
    case arkitScenes = "arkitscenes"
    /// Microsoft 7-Scenes.
    case sevenScenes = "7-scenes"
    /// Open3D's reconstruction folders, and Redwood's.
    case open3D = "open3d"
    /// nerfstudio's and Instant-NGP's `transforms.json`.
    case nerfstudio
    /// NeRFCapture, and SplaTAM's sets made with it.
    case nerfCapture = "nerfcapture"
    /// ScanNet's `.sens`.
    case scanNet = "scannet-sens"
    /// RealSense's `.bag`.
    case realSenseBag = "realsense-bag"
    /// A bag of ROS 1.
    case rosBag = "ros-bag"
    /// MCAP, with messages of ROS.
    case mcap
    /// A database of ROS 2's rosbag2, `.db3`.
    case rosbag2
    case multiScan = "multiscan"
    /// BOP, the benchmark of object poses.
    case bop
    case tartanAir = "tartanair"
    /// Replica, as NICE-SLAM renders it.
    case replica
    /// Azure Kinect's `.mkv`.
    case azureKinect = "azure-kinect"
    /// A movie of two eyes, as iPhones and Apple Vision Pro record it.
    case spatialMovie = "spatial-movie"
    /// A movie in Cinematic mode, with its depth.
    case cinematicMovie = "cinematic-movie"
    /// A movie of color, of depth in 16 bits, or of both.
    case movie
    /// Numbered depth images with numbered pictures.
    case numberedPairs = "numbered-pairs"
    /// Numbered depth images.
    case numberedDepth = "numbered-depth"
    /// One depth image with its picture.
    case pair = "depth-and-picture"

    /// Whether all parts of frames are in a movie.
    package var isMovie: Bool {
        switch self {
        case .record3DMovie, .azureKinect, .spatialMovie, .cinematicMovie, .movie: true
        default: false
        }
    }

    /// The name for people.
    package var title: String {
        switch self {
        case .tum: "TUM RGB-D"
        case .strayScanner: "Stray Scanner"
        case .record3DArchive: "Record3D (.r3d)"
        case .record3DFolder: "Record3D (EXR and JPEG)"
        case .record3DMovie: "Record3D (movie)"
        case .scannerApp: "3D Scanner App"
        case .polycam: "Polycam"
        case .arkitScenes: "ARKitScenes"
        case .sevenScenes: "7-Scenes"
        case .open3D: "Open3D"
        case .nerfstudio: "nerfstudio"
        case .nerfCapture: "NeRFCapture"
        case .scanNet: "ScanNet (.sens)"
        case .realSenseBag: "RealSense (.bag)"
        case .rosBag: "ROS 1 bag"
        case .mcap: "MCAP"
        case .rosbag2: "ROS 2 bag (.db3)"
        case .multiScan: "MultiScan"
        case .bop: "BOP"
        case .tartanAir: "TartanAir"
        case .replica: "Replica"
        case .azureKinect: "Azure Kinect"
        case .spatialMovie: "spatial video"
        case .cinematicMovie: "Cinematic mode, experimental"
        case .movie: "movie"
        case .numberedPairs: "numbered depth and pictures"
        case .numberedDepth: "numbered depth"
        case .pair: "depth and a picture"
        }
    }
}
