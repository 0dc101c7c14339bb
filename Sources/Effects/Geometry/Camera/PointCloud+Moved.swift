package import DepthTypes

extension PointCloud {
    /// The cloud in the axes of a camera in which its own camera has this pose.
    package func moved(by pose: CameraPose, _ axes: CloudAxes) -> PointCloud {
        let (signs, offset) = (axes.signs, SIMD3<Float>(pose.position))
        let (x, y, z) = (
            SIMD3<Float>(pose.right), SIMD3<Float>(pose.down), SIMD3<Float>(pose.forward)
        )
        func turned(_ own: SIMD3<Float>) -> SIMD3<Float> {
            let vector = own * signs
            return x * vector.x + y * vector.y + z * vector.z
        }
        var cloud = self
        cloud.positions = positions.map { (turned($0) + offset) * signs }
        cloud.normals = normals.map { turned($0) * signs }
        return cloud
    }
}

extension TriangleMesh {
    /// The mesh in the axes of a camera in which its own camera has this pose.
    package func moved(by pose: CameraPose, _ axes: CloudAxes) -> TriangleMesh {
        TriangleMesh(vertices: vertices.moved(by: pose, axes), triangles: triangles)
    }
}
