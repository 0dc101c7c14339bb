/// Why a cloud or mesh cannot be made or written this way.
public enum CloudError: Error, Hashable, Sendable {
    /// Focal lengths are not positive numbers, or the principal point is not finite.
    case invalidIntrinsics(focalLength: SIMD2<Double>, principalPoint: SIMD2<Double>)
    /// The camera's reference frame has no pixels.
    case emptyFrame
    /// The focal length is too short for the frame: it would reach beyond 89.99° from the axis.
    case focalLengthTooShort(Double, width: Int, height: Int)
    /// Voxels are so small that the cloud would extend over 2³¹ of them.
    case voxelsTooSmall(size: Float, extent: Double)
    /// No sample becomes a point.
    case noPoints
    /// No triangle can be made of the samples.
    case noTriangles
    /// A mesh is requested together with filters that remove its vertices.
    case filteredMesh
    /// The format holds points, but not triangles.
    case noMeshesInFormat(CloudFormat)
    /// A mesh is requested together with splats.
    case splatsOfMesh
    /// The format does not hold splats.
    case noSplatsInFormat(CloudFormat)
    /// The format holds triangles, but not points alone.
    case noPointsInFormat(CloudFormat)
    /// The file would exceed the size limit of its format.
    case tooLarge(CloudFormat, byteCount: Int)
}

extension CloudError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .invalidIntrinsics(let focalLength, let point):
            "invalid camera intrinsics: f \(focalLength.x), \(focalLength.y), "
                + "principal point \(point.x), \(point.y)"
        case .emptyFrame: "invalid camera intrinsics: the reference frame has no pixels"
        case .focalLengthTooShort(let focalLength, let width, let height):
            "the focal length \(focalLength) is too short for a frame of \(width) × \(height) pixels"
        case .voxelsTooSmall(let size, let extent):
            "voxels of \(size) are too small for a cloud of \(extent)"
        case .noPoints: "no sample is left to make a point of, so nothing is written"
        case .noTriangles: "no sample has neighbors to make a triangle of, so nothing is written"
        case .filteredMesh: "a mesh joins neighbors in the map, which filters would remove"
        case .noMeshesInFormat(let format):
            ".\(format.rawValue) holds points and no triangles; "
                + "use \(CloudFormat.names(of: CloudFormat.allCases.filter(\.holdsMeshes)))"
        case .splatsOfMesh: "a cloud is written as a mesh or as splats, not as both"
        case .noSplatsInFormat(let format):
            ".\(format.rawValue) holds no splats; "
                + "use \(CloudFormat.names(of: CloudFormat.allCases.filter(\.holdsSplats)))"
        case .noPointsInFormat(let format):
            ".\(format.rawValue) holds triangles, not points alone"
        case .tooLarge(let format, let byteCount):
            "\(format.rawValue.uppercased()) files hold 4 GiB at most, this one would have \(byteCount) bytes"
        }
    }
}
