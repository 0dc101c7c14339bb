public import ByteParsing
public import DepthModel
public import PointClouds

/// How a depth map becomes a cloud.
public struct CloudExport: Codable, Sendable {
    /// The grid that points lie on.
    public enum Resolution: String, CaseIterable, Codable, Hashable, Sendable {
        /// One sample of the depth plane, one point.
        case plane
        /// One pixel of the photo, one point: depth is brought to the photo's size, its edges following the photo.
        case photo
    }

    /// Which samples become points.
    public var options = CloudOptions()
    /// Which way the axes point.
    public var axes = CloudAxes.opengl
    /// Whether the distortion of the lens is taken out, where the file describes it.
    public var correctsLens = true
    /// Samples of less confidence are left out; codes of the file's confidence plane.
    public var minimumConfidence: Int?
    /// The grid.
    public var resolution = Resolution.plane
    /// Whether the points become a surface of triangles: ``GridMesh``. It needs the grid, so that it excludes ``voxelSize``,
    /// ``removesOutliers`` and ``CloudOptions/maximumCount``.
    public var isMesh = false
    /// Whether a mesh shows the photo as a texture, rather than in the colors of its vertices.
    public var hasTexture = false
    /// One point for each cube of this edge; `nil` for all points.
    public var voxelSize: Float?
    /// Whether points that stand alone are left out.
    public var removesOutliers = false
    /// The program to name in the header.
    public var tool = "isobath \(isobathVersion)"
    /// The name of the file that the cloud is made from, to name in the header.
    public var sourceName = ""

    /// All samples but flying ones, in axes of OpenGL.
    public init() {}
}

/// A cloud ready to be written.
public struct ExportedCloud: Sendable {
    /// The points; of a mesh, its vertices.
    public let points: any CloudSource
    /// The mesh, where one was asked for.
    public let mesh: GridMesh?
    /// The photo as a JPEG file, where the mesh has it as a texture; else empty.
    public let texture: [UInt8]
    /// Where they come from.
    public let provenance: CloudProvenance
    /// The camera that they were seen by, in samples of the map.
    public let camera: CameraCalibration
    /// Whether the distortion of its lens was taken out.
    public let correctsLens: Bool
    /// What was assumed or left out, and how far values can be trusted.
    public let diagnostics: [Diagnostic]
}
