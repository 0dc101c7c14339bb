public import CIsobath
internal import DepthMaps
internal import DepthTypes
internal import Geometry
internal import Scenes

/// `isobath_photo_cloud`
@_cdecl("isobath_photo_cloud")
public func cloud(
    _ photo: OpaquePointer?, _ options: UnsafePointer<isobath_cloud_options>?,
    _ cloud: UnsafeMutablePointer<UnsafeMutablePointer<isobath_cloud>?>?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, cloud, error) { photo in
        let export = try unsafe CloudExport(CInterface.options(options, else: isobath_cloud_options()))
        let made = try photo.scene.cloud(export)
        let mesh = made.mesh() ?? TriangleMesh(vertices: made.points())
        return unsafe handedOut(mesh, made.scale.rawValue)
    }
}

/// `isobath_cloud_free`
@_cdecl("isobath_cloud_free")
public func freeCloud(_ cloud: UnsafeMutablePointer<isobath_cloud>?) { unsafe ResultMemory.release(cloud) }

extension CloudExport {
    fileprivate init(_ given: isobath_cloud_options) throws(InvalidArgument) {
        self.init()
        try check(given.flags, known: (ISOBATH_CLOUD_MESH << 1) - 1)
        guard given.stride >= 0, given.maximum_count >= 0 else {
            throw InvalidArgument("stride and maximum_count must not be negative")
        }
        guard given.near_distance >= 0, given.far_distance >= 0, given.voxel_size >= 0,
            given.near_distance.isFinite, given.voxel_size.isFinite
        else { throw InvalidArgument("distances and voxel_size must be numbers that are not negative") }
        options.near = given.near_distance
        options.far = given.far_distance > 0 ? given.far_distance : CloudOptions.farthest
        options.stride = max(1, Int(given.stride))
        options.maximumCount = given.maximum_count > 0 ? Int(given.maximum_count) : nil
        options.keepsEdges = given.flags.has(ISOBATH_CLOUD_KEEP_EDGES)
        options.hasNormals = given.flags.has(ISOBATH_CLOUD_NORMALS)
        axes = given.flags.has(ISOBATH_CLOUD_OPENCV_AXES) ? .opencv : .opengl
        correctsLens = !given.flags.has(ISOBATH_CLOUD_KEEP_LENS)
        keepsSteps = given.flags.has(ISOBATH_CLOUD_KEEP_STEPS)
        isAtPhotoResolution = given.flags.has(ISOBATH_CLOUD_PHOTO_RESOLUTION)
        voxelSize = given.voxel_size > 0 ? given.voxel_size : nil
        removesOutliers = given.flags.has(ISOBATH_CLOUD_REMOVE_OUTLIERS)
        isMesh = given.flags.has(ISOBATH_CLOUD_MESH)
        guard !isMesh || voxelSize == nil && options.maximumCount == nil && !removesOutliers else {
            throw InvalidArgument(
                "a mesh needs the grid: it excludes voxel_size, maximum_count and removing outliers")
        }
        try check(maximumTriangles: given.maximum_triangles, ofMesh: isMesh)
        if given.maximum_triangles > 0 { maximumTriangles = Int(given.maximum_triangles) }
    }
}

func check(maximumTriangles: Int64, ofMesh isMesh: Bool) throws(InvalidArgument) {
    guard maximumTriangles >= 0 else { throw InvalidArgument("maximum_triangles must not be negative") }
    guard isMesh || maximumTriangles == 0 else {
        throw InvalidArgument("maximum_triangles has no effect without a mesh")
    }
}

/// Points, with triangles unless these are empty.
func handedOut(_ mesh: TriangleMesh, _ scale: String) -> UnsafeMutablePointer<isobath_cloud> {
    let (memory, points) = (ResultMemory(), mesh.vertices)
    var cloud = unsafe isobath_cloud()
    unsafe cloud.point_count = Int64(points.positions.count)
    unsafe cloud.positions = memory.keep(packed(points.positions))
    if !points.colors.isEmpty {
        let colors = unsafe memory.keep(points.colors)
        unsafe cloud.colors = colors.map {
            unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt8.self)
        }
    }
    if !points.normals.isEmpty { unsafe cloud.normals = memory.keep(packed(points.normals)) }
    if !points.confidences.isEmpty { unsafe cloud.confidences = memory.keep(points.confidences) }
    if !mesh.triangles.isEmpty {
        unsafe cloud.triangle_count = Int64(mesh.triangles.count)
        unsafe cloud.triangles = memory.keep(mesh.triangles).map {
            unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt32.self)
        }
    }
    unsafe cloud.scale = memory.keep(scale)
    return unsafe memory.handOut(cloud)
}

/// Three numbers per vector: in memory, a vector has four.
private func packed(_ vectors: [SIMD3<Float>]) -> [Float] {
    parallelMapRows(width: 3, height: vectors.count, minimum: 1 << 14) { rows, output in
        var place = 0
        for row in rows {
            let vector = vectors[row]
            output[place] = vector.x
            output[place + 1] = vector.y
            output[place + 2] = vector.z
            place += 3
        }
    }
}
