/// A file format of point clouds, some of meshes.
public enum CloudFormat: String, CaseIterable, Hashable, Sendable {
    /// Polygon File Format: binary little-endian, or text.
    case ply
    /// Point Cloud Data 0.7, binary.
    case pcd
    /// Wavefront OBJ: text.
    case obj
    /// Binary glTF 2.0.
    case glb
    /// LAS 1.2.
    case las
    /// A package of Universal Scene Description, which iPhones display: meshes only.
    case usdz

    /// All extensions, as a list.
    public static var names: String { names(of: allCases) }

    /// The extensions of some formats, as a list.
    public static func names(of formats: [CloudFormat]) -> String {
        formats.map { ".\($0.rawValue)" }.joined(separator: ", ")
    }

    /// Whether the format can hold triangles.
    public var holdsMeshes: Bool { [.ply, .obj, .glb, .usdz].contains(self) }

    /// Whether meshes can show the photo as a texture, rather than colors of vertices.
    public var holdsTextures: Bool { [.obj, .glb, .usdz].contains(self) }

    /// Whether the format can hold points without triangles.
    public var holdsPoints: Bool { self != .usdz }

    /// Whether the format can hold splats.
    public var holdsSplats: Bool { [.ply, .glb].contains(self) }

    /// Whether the format is text, or can be.
    public var canBeText: Bool { [.ply, .obj].contains(self) }

    /// The axes that the format prescribes, or that viewers of splats in it expect; `nil` if any axes are good.
    package func prescribedAxes(forSplats: Bool) -> CloudAxes? {
        if forSplats, self == .ply { return .opencv }
        return [.glb, .usdz].contains(self) ? .opengl : nil
    }

    /// An encoder for a cloud in this format; as text, if the format allows both. Splats are never text.
    ///
    /// Throws if the format cannot hold as many points, splats, or points at all.
    package func encoder(_ header: CloudHeader, isText: Bool = false) throws(CloudError) -> any CloudEncoder {
        if let spacing = header.splatSpacing {
            guard holdsSplats else { throw .noSplatsInFormat(self) }
            if self == .ply { return SplatPLYEncoder(header, spacing) }
        }
        return switch self {
        case .ply: PLYEncoder(header, isText: isText)
        case .pcd: PCDEncoder(header)
        case .obj: OBJEncoder(header)
        case .glb: try GLBEncoder(header)
        case .las: LASEncoder(header)
        case .usdz: throw .noPointsInFormat(self)
        }
    }
}
