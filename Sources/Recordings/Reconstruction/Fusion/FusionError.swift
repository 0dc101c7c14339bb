public import Bytes

/// Why a recording cannot be fused.
public enum FusionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No frame has a pose.
    case noPoses
    /// No frame has a pose, and odometry could follow only this number of the frames.
    case notFollowed(Int, count: Int)
    /// Nothing shows which direction is up: the poses are not aligned with gravity, and no floor is seen.
    case noFloor
    /// Two surfaces with this angle between them may be the floor, and the poses are not aligned with gravity.
    case severalFloors(degrees: Double)
    /// The user stopped the program before the camera's path was known.
    case interrupted
    /// No frame has depth.
    case noDepth
    /// The depth has no unit.
    case noUnit
    /// The camera is unknown.
    case noCamera
    /// No frame is within the given times.
    case noFrames
    /// No sample remains.
    case noPoints
    /// No sample remains, and some frames cannot be read; with the error of the first of them.
    case unreadable(ContainerError)
    /// Voxels of this edge in meters, or the mesh of their surface, need more memory than the limit `memory-bytes` of
    /// ``DecodingLimits`` allows.
    case exceedsMemory(voxelSize: Float, limit: Int)
    /// A numeric option, or the step between frames, is not positive.
    case notPositive(name: String, Double)

    /// What is wrong.
    public var description: String {
        switch self {
        case .noPoses: "no frame of the recording has a pose, so frames cannot be brought together"
        case .notFollowed(let followed, let count):
            "no frame of the recording has a pose, and odometry could follow only \(followed) of \(count) frames: "
                + "surfaces without shape and texture, fast motion and large steps between frames are reasons"
        case .noFloor:
            "the world cannot be turned upright: the poses are not known to be aligned with gravity, and no large flat "
                + "surface below the cameras shows what is up"
        case .severalFloors(let degrees):
            "the world cannot be turned upright: the poses are not known to be aligned with gravity, and two large "
                + "surfaces, \(Int(degrees.rounded()))° apart, may be the floor"
        case .interrupted: "stopped before the path of the camera was known, so nothing is written"
        case .noDepth: "no frame of the recording has depth"
        case .noUnit: "the depth of the recording has no unit, so it cannot be brought together with poses"
        case .noCamera: "the camera of the recording is not known"
        case .noFrames: "no frame of the recording is within the given times"
        case .exceedsMemory(let voxelSize, let limit):
            "voxels of \(voxelSize) m need more memory than the limit memory-bytes of \(limit) allows"
        case .notPositive(let name, let value): "the \(name) must be a positive number, not \(value)"
        case .noPoints: "no voxel is left to make a point of, so nothing is written"
        case .unreadable(let error):
            "no voxel is left to make a point of, since frames cannot be read: \(error)"
        }
    }
}
