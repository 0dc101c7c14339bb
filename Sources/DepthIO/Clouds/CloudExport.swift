public import ByteParsing
public import DepthModel
public import PointClouds

/// How a depth map becomes a cloud.
public struct CloudExport: Codable, Sendable {
    /// The grid that points lie on.
    package enum Resolution: String, CaseIterable, Codable, Hashable, Sendable {
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
    /// Whether 8-bit codes stay the staircase that they are. Otherwise it is removed, no sample moving by more than half a step.
    public var keepsSteps = false
    /// The grid.
    package var resolution = Resolution.plane
    /// Whether each pixel of the photo becomes a point: depth is brought to the photo's size, its edges following the photo.
    /// Otherwise each sample of the depth does.
    public var isAtPhotoResolution: Bool {
        get { resolution == .photo }
        set { resolution = newValue ? .photo : .plane }
    }
    /// Whether the points become a surface of triangles. It needs the grid, so that it excludes ``voxelSize``,
    /// ``removesOutliers`` and ``CloudOptions/maximumCount``.
    public var isMesh = false
    /// How far a mesh may lie from the samples that it leaves out, in meters along the optical axis, as far as
    /// ``maximumTriangles`` allow. `nil` is half a step of codes, and nothing where depth is not coded.
    public var maximumMeshError: Float?
    /// The maximum number of triangles; `nil` for no maximum.
    public var maximumTriangles: Int? = CloudExport.usualTriangles
    /// What viewers show at ease.
    package static let usualTriangles = 500_000
    /// Whether a mesh shows the photo as a texture, rather than in the colors of its vertices.
    public var hasTexture = false
    /// One point for each cube of this edge; `nil` for all points.
    public var voxelSize: Float?
    /// Whether points that stand alone are left out.
    public var removesOutliers = false
    /// The picture that colors are from; `nil` for the original, where there is one.
    package var pictureOrigin: PictureOrigin?
    /// Whether colors are those from before the camera's own blur, where the source has them. They are sharp everywhere.
    public var usesOriginal: Bool {
        get { pictureOrigin != .photo }
        set { pictureOrigin = newValue ? nil : .photo }
    }
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
    package let pointSource: any CloudSource
    /// The mesh, where one was asked for.
    package let meshSource: (any MeshSource)?
    /// How far a mesh lies at most from the samples that it leaves out; `nil` where it leaves out none.
    package let meshError: SurfaceTolerance?
    /// The photo as a JPEG file, where the mesh has it as a texture; else empty.
    public let texture: [UInt8]
    /// Where they come from.
    package let provenance: CloudProvenance
    /// The camera that they were seen by, in samples of the map.
    public let camera: CameraCalibration
    /// Whether the distortion of its lens was taken out.
    public let correctsLens: Bool
    /// The picture that colors are from; `nil` where there are no colors.
    package let pictureOrigin: PictureOrigin?
    /// What was assumed or left out, and how far values can be trusted.
    public let diagnostics: [Diagnostic]

    /// The number of points; of a mesh, that of its vertices.
    public var pointCount: Int { pointSource.header.pointCount }

    /// Whether positions are meters, and how reliable they are.
    public var scale: DepthScale { provenance.scale }

    /// All points in memory; of a mesh, its vertices.
    public func points() -> PointCloud { pointSource.collected() }

    /// The mesh in memory; `nil` where none was asked for.
    public func mesh() -> TriangleMesh? { meshSource?.collected() }
}
