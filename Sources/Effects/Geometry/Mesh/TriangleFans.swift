/// The triangles around each vertex of a mesh.
struct TriangleFans {
    private let firsts: [Int]
    /// Indices of triangles, those around a vertex one after the other.
    private var around: [Int32]

    /// The fans of the triangles with these corners, except removed ones.
    init(_ corners: [SIMD3<Int32>], vertexCount: Int, isRemoved: [Bool]) {
        var counts = [Int](repeating: 0, count: vertexCount)
        for index in corners.indices where !isRemoved[index] {
            for corner in 0..<3 { counts[Int(corners[index][corner])] += 1 }
        }
        firsts = counts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
        around = [Int32](repeating: 0, count: firsts.last ?? 0)
        var ends = firsts
        for index in corners.indices where !isRemoved[index] {
            for corner in 0..<3 {
                let vertex = Int(corners[index][corner])
                around[ends[vertex]] = Int32(index)
                ends[vertex] += 1
            }
        }
    }

    /// The indices of the triangles around a vertex.
    subscript(vertex: Int32) -> ArraySlice<Int32> { around[firsts[Int(vertex)]..<firsts[Int(vertex) + 1]] }
}
