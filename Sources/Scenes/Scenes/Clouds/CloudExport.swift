public import Bytes
public import DepthTypes
public import Geometry

/// How a depth map becomes a cloud.
public struct CloudExport: Sendable {
    /// The grid that points lie on.
    package enum Resolution: String, CaseIterable, Hashable, Sendable {
        /// One sample of the depth plane, one point.
        case plane
        /// One pixel of the photo, one point: depth is upsampled to the photo's size along the photo's edges.
        case photo
    }

    /// Which samples become points.
    public var options = CloudOptions()
    /// Which way the axes point.
    public var axes = CloudAxes.opengl
    /// Whether the lens distortion is corrected, if the file describes it.
    public var correctsLens = true
    /// Whether to keep the staircase of 8-bit samples. Otherwise it is removed, and no sample moves by more than half a step.
    public var keepsSteps = false
    /// Whether unknown samples are filled from behind, along the photo's edges; `nil` in meshes of computed stereo depth only.
    public var fillsHoles: Bool?
    /// Whether noise is smoothed within surfaces; `nil` in meshes of computed stereo depth only.
    public var smooths: Bool?
    /// The grid.
    package var resolution = Resolution.plane
    /// Whether each pixel of the photo becomes a point: depth is upsampled to the photo's size along the photo's edges.
    /// Otherwise each sample of the depth becomes a point.
    public var isAtPhotoResolution: Bool {
        get { resolution == .photo }
        set { resolution = newValue ? .photo : .plane }
    }
    /// Whether the points become a surface of triangles. A mesh needs the grid, so it excludes ``voxelSize``,
    /// ``removesOutliers`` and ``CloudOptions/maximumCount``.
    public var isMesh = false
    /// Whether a mesh has a second surface behind the first: what the photo does not show, continued under what is nearer, so
    /// that the mesh has no gaps when it is turned.
    public var hasBackLayer = false
    /// The maximum distance of a mesh from the samples that it omits, in meters along the optical axis; ``maximumTriangles``
    /// takes precedence. `nil` is half a step of integer samples, and 0 for floating-point depth.
    public var maximumMeshError: Float?
    /// The maximum number of triangles; `nil` for no maximum.
    public var maximumTriangles: Int? = CloudExport.usualTriangles
    /// As many triangles as viewers display smoothly.
    package static let usualTriangles = 500_000
    /// Whether a mesh shows the photo as a texture, rather than in the colors of its vertices.
    public var hasTexture = false
    /// One point for each cube of this edge; `nil` for all points.
    public var voxelSize: Float?
    /// Whether outliers are removed.
    public var removesOutliers = false
    /// The picture to take colors from; `nil` for the original, if the source has one.
    package var pictureOrigin: PictureOrigin?
    /// Whether colors come from the picture before the camera's blur, if the source has it. That picture is sharp
    /// everywhere.
    public var usesOriginal: Bool {
        get { pictureOrigin != .photo }
        set { pictureOrigin = newValue ? nil : .photo }
    }
    /// The program to name in the header.
    public var tool = "isobath \(isobathVersion)"
    /// The name of the file that the cloud is made from, to name in the header.
    public var sourceName = ""

    /// All samples except flying ones, in OpenGL axes.
    public init() {}
}

/// A cloud ready to be written.
public struct ExportedCloud: Sendable {
    /// The points; of a mesh, its vertices.
    package let pointSource: any CloudSource
    /// The mesh; `nil` unless the export is a mesh.
    package let meshSource: (any MeshSource)?
    /// The maximum distance of the mesh from the samples that it omits; `nil` if it contains all samples.
    package let meshError: SurfaceTolerance?
    /// The photo as a JPEG file, if it is the mesh's texture; else empty.
    public let texture: [UInt8]
    /// The origin of the points.
    package let provenance: CloudProvenance
    /// The camera that saw the points, in samples of the map.
    public let camera: CameraCalibration
    /// Whether the lens distortion was corrected.
    public let correctsLens: Bool
    /// The picture that the colors are from; `nil` without colors.
    package let pictureOrigin: PictureOrigin?
    /// Assumptions, omissions, and remarks on the accuracy of values.
    public let diagnostics: [Diagnostic]

    /// The number of points, or of a mesh's vertices.
    public var pointCount: Int { pointSource.header.pointCount }

    /// Whether positions are meters, and how reliable they are.
    public var scale: DepthScale { provenance.scale }

    /// All points in memory; of a mesh, its vertices.
    public func points() -> PointCloud { pointSource.collected() }

    /// The mesh in memory; `nil` unless the export is a mesh.
    public func mesh() -> TriangleMesh? { meshSource?.collected() }
}
