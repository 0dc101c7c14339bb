/// The layout of the binary chunk of a GLB file: vertices, then triangles, then the texture.
struct GLBLayout: Sendable {
    let header: CloudHeader
    /// `nil` for points.
    let triangleCount: Int?
    let textureSize: Int
    /// Bytes from vertex to vertex.
    let stride: Int
    /// The offset of the splat in a vertex: rotation, scale, opacity and color; `nil` for plain points.
    let splatOffset: Int?
    /// The offset of the normal in a vertex; `nil` without normals.
    let normalOffset: Int?
    /// The offset of the texture coordinates in a vertex.
    let textureOffset: Int?
    /// The offset of the color in a vertex.
    let colorOffset: Int?

    init(_ header: CloudHeader, triangleCount: Int?, textureSize: Int) {
        (self.header, self.triangleCount, self.textureSize) = (header, triangleCount, textureSize)
        var end = 12
        func place(_ size: Int, if isThere: Bool) -> Int? {
            guard isThere else { return nil }
            end += size
            return end - size
        }
        let hasSplats = header.splatSpacing != nil && triangleCount == nil
        // The rotation of a splat contains its normal.
        normalOffset = place(12, if: header.hasNormals && !hasSplats)
        textureOffset = place(8, if: header.hasTextureCoordinates && textureSize > 0)
        // A color would tint the texture.
        colorOffset = place(12, if: header.hasColors && textureOffset == nil)
        splatOffset = place(44, if: hasSplats)
        stride = end
    }

    /// Bytes of all vertices.
    var vertexSize: Int { header.pointCount * stride }

    /// Bytes of all triangles.
    var triangleSize: Int { (triangleCount ?? 0) * 12 }

    var dataSize: Int { vertexSize + triangleSize + textureSize }

    /// Bytes of the chunk, a multiple of four.
    var binarySize: Int { (dataSize + 3) / 4 * 4 }

    /// Whether there is nothing to show: glTF forbids empty accessors.
    var isEmpty: Bool { header.pointCount == 0 || triangleCount == 0 }
}
