/// The facts about a cloud that are known before its points; the start of files.
package struct CloudHeader: Hashable, Sendable {
    package var pointCount: Int
    /// The smallest coordinates; zero for a cloud without points.
    package var minimum: SIMD3<Float>
    /// The largest coordinates; zero for a cloud without points.
    package var maximum: SIMD3<Float>
    /// Whether points have colors.
    package var hasColors: Bool
    /// Whether points have normals.
    package var hasNormals: Bool
    /// Whether points have a confidence.
    package var hasConfidences: Bool
    /// Whether points have texture coordinates.
    package var hasTextureCoordinates: Bool
    /// The spacing of points that are shown as splats, which have normals; `nil` for plain points.
    package var splatSpacing: SplatSpacing?
    /// The program that makes the file: printable ASCII, may be empty.
    package var tool: String
    /// Lines of text for formats with comments: printable ASCII.
    package var comments: [String]

    /// A header with these facts.
    package init(
        pointCount: Int, minimum: SIMD3<Float>, maximum: SIMD3<Float>, hasColors: Bool, hasNormals: Bool,
        hasConfidences: Bool, hasTextureCoordinates: Bool = false,
        splatSpacing: SplatSpacing? = nil, tool: String = "", comments: [String] = []
    ) {
        (self.pointCount, self.minimum, self.maximum) = (pointCount, minimum, maximum)
        (self.hasColors, self.hasNormals, self.hasConfidences) = (hasColors, hasNormals, hasConfidences)
        self.splatSpacing = splatSpacing
        (self.hasTextureCoordinates, self.tool, self.comments) = (hasTextureCoordinates, tool, comments)
    }
}
