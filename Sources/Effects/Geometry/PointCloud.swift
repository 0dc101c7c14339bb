public import DepthMaps

/// Points in meters, with their attributes. Arrays beside ``positions`` are as long as it, or empty.
///
/// A cloud may be a part of a larger one: encoders process clouds piece by piece.
public struct PointCloud: Sendable {
    /// The positions of the points.
    public var positions: [SIMD3<Float>]
    /// Their colors, sRGB.
    public var colors: [RGB<UInt8>]
    /// Unit normals of the surface, towards the camera.
    public var normals: [SIMD3<Float>]
    /// How far each point can be trusted, 0…1.
    public var confidences: [Float]
    /// Their positions in a texture, each 0…1 from its left and top edge.
    public var textureCoordinates: [SIMD2<Float>]
    /// The origin of the cloud; `nil` if unknown, and for pieces.
    package var provenance: CloudProvenance?
    /// The spacing of points that are splats, which have normals; `nil` for plain points, and for pieces.
    package var splatSpacing: SplatSpacing?

    /// Each of the other arrays is empty or as long as `positions`.
    public init(
        positions: [SIMD3<Float>] = [], colors: [RGB<UInt8>] = [], normals: [SIMD3<Float>] = [],
        confidences: [Float] = [], textureCoordinates: [SIMD2<Float>] = []
    ) {
        precondition(colors.isEmpty || colors.count == positions.count)
        precondition(normals.isEmpty || normals.count == positions.count)
        precondition(confidences.isEmpty || confidences.count == positions.count)
        precondition(textureCoordinates.isEmpty || textureCoordinates.count == positions.count)
        (self.positions, self.colors, self.normals) = (positions, colors, normals)
        (self.confidences, self.textureCoordinates) = (confidences, textureCoordinates)
    }
}
