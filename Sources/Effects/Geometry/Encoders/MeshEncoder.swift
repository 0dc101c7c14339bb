/// A file format of meshes: turns pieces of a mesh into bytes.
///
/// Callers concatenate ``CloudEncoder/opening``, the pieces of the vertices in order, the pieces of the triangles in
/// order, and ``CloudEncoder/closing``.
package protocol MeshEncoder: CloudEncoder {
    /// Appends the records of some triangles.
    func append(_ triangles: [Triangle], to bytes: inout [UInt8])
}
