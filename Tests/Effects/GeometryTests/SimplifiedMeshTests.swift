import DepthMaps
import DepthTypes
import Geometry
import Testing

@Suite("Simplified meshes")
struct SimplifiedMeshTests {
    private static let (width, height) = (75, 53)

    /// The surface of a map whose reciprocal depth is given, and the map.
    private func mesh(
        within tolerance: SurfaceTolerance, count: Int? = nil, lens: [Double] = [],
        options: CloudOptions = CloudOptions(), _ disparity: (_ column: Float, _ row: Float) -> Float
    ) throws -> (mesh: TriangleMesh, whole: TriangleMesh, cloud: GridCloud, bound: Float) {
        let (width, height) = (Self.width, Self.height)
        let meters = (0..<width * height).map { 1 / disparity(Float($0 % width), Float($0 / width)) }
        let map = DepthMap.of(meters, width: width)
        var camera = CameraCalibration(focalLength: 60, width: width, height: height)
        if !lens.isEmpty {
            camera.pixelSize = 0.1
            camera.distortion = LensDistortion(
                coefficients: lens, inverseCoefficients: lens.map { -$0 }, centerX: 37, centerY: 26)
        }
        let unprojection = try Unprojection(camera, width: width, height: height, axes: .opencv)
        let cloud = GridCloud(map, unprojection, options: options)
        let simplified = SimplifiedMesh(
            cloud, within: tolerance, maximumCount: count, texture: TextureArea())
        return (simplified.collected(), GridMesh(cloud).collected(), cloud, simplified.bound.bound)
    }

    /// The corners of a triangle in samples of the map.
    private func places(_ triangle: Triangle, _ mesh: TriangleMesh) -> [SIMD2<Double>] {
        [triangle.first, triangle.second, triangle.third].map { corner in
            let place = mesh.vertices.textureCoordinates[Int(corner)]
            return SIMD2(
                (Double(place.x) * Double(Self.width) - 0.5).rounded(),
                (Double(place.y) * Double(Self.height) - 0.5).rounded())
        }
    }

    /// The greatest difference, along the axis, between the samples of a map and the triangles that cover them; every sample must be
    /// covered.
    private func largestError(_ mesh: TriangleMesh, _ cloud: GridCloud, inDisparity: Bool) -> Double {
        var errors = [Double](repeating: .infinity, count: Self.width * Self.height)
        let points = cloud.collected().positions
        for triangle in mesh.triangles {
            let places = places(triangle, mesh)
            let corners = [triangle.first, triangle.second, triangle.third].map {
                SIMD3<Double>(mesh.vertices.positions[Int($0)])
            }
            let (low, high) = (
                places.reduce(places[0], pointwiseMin), places.reduce(places[0], pointwiseMax)
            )
            for row in Int(low.y)...Int(high.y) {
                for column in Int(low.x)...Int(high.x) {
                    guard contains(places, SIMD2(Double(column), Double(row))) else { continue }
                    let index = row * Self.width + column
                    let point = SIMD3<Double>(points[index])
                    // Where the ray of the sample meets the plane of the triangle: n · (t · ray) = n · corner.
                    let ray = point / point.z
                    let normal = cross(corners[1] - corners[0], corners[2] - corners[0])
                    let z = (normal * corners[0]).sum() / (normal * ray).sum()
                    let error = inDisparity ? abs(1 / z - 1 / point.z) : abs(z - point.z)
                    errors[index] = min(errors[index], error)
                }
            }
        }
        return errors.max() ?? .infinity
    }

    private func contains(_ corners: [SIMD2<Double>], _ point: SIMD2<Double>) -> Bool {
        let sides = (0..<3).map { index -> Double in
            let (a, b) = (corners[index], corners[(index + 1) % 3])
            return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
        }
        return sides.allSatisfy { $0 <= 0 } || sides.allSatisfy { $0 >= 0 }
    }

    private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    /// Twice the area that triangles cover in the map, negative for triangles that face away from the camera.
    private func doubleArea(_ mesh: TriangleMesh) -> Double {
        mesh.triangles.reduce(0) { sum, triangle in
            let corners = places(triangle, mesh)
            let (a, b) = (corners[1] - corners[0], corners[2] - corners[0])
            return sum + a.y * b.x - a.x * b.y
        }
    }

    /// The sides that belong to one triangle only.
    private func rim(_ mesh: TriangleMesh) -> [[UInt32]] {
        var sides: Set<[UInt32]> = []
        for triangle in mesh.triangles {
            let corners = [triangle.first, triangle.second, triangle.third]
            for index in 0..<3 {
                let (a, b) = (corners[index], corners[(index + 1) % 3])
                // Neighbors run along a side in opposite directions.
                if sides.remove([b, a]) == nil { #expect(sides.insert([a, b]).inserted) }
            }
        }
        return Array(sides)
    }

    @Test(
        "A slanted wall needs a fraction of the triangles and none of its shape",
        arguments: [[], [0, 0, 0.3]])
    func wall(lens: [Double]) throws {
        let tolerance = SurfaceTolerance(.distance, bound: 1e-4)
        let (mesh, whole, cloud, _) = try mesh(within: tolerance, lens: lens) { column, row in
            0.5 + 0.002 * column - 0.001 * row
        }
        #expect(largestError(mesh, cloud, inDisparity: false) < 1.01e-4)
        #expect(doubleArea(mesh) == Double(2 * (Self.width - 1) * (Self.height - 1)))
        // A power of two covers the map, so that triangles get smaller towards two of its sides.
        if lens.isEmpty { #expect(mesh.triangleCount * 15 < whole.triangleCount) }
    }

    @Test(
        "Every sample is within the bound, and the surface has no cracks",
        arguments: [SurfaceTolerance(.disparity, bound: 0.002), SurfaceTolerance(.distance, bound: 0.01)])
    func bound(tolerance: SurfaceTolerance) throws {
        let (mesh, whole, cloud, _) = try mesh(within: tolerance) { column, row in
            let (x, y) = ((column - 30) / 20, (row - 20) / 20)
            return 0.4 + 0.2 / (1 + x * x + y * y)
        }
        #expect(mesh.triangleCount * 4 < whole.triangleCount)
        let error = largestError(mesh, cloud, inDisparity: tolerance.measure == .disparity)
        // Float32 rounds positions.
        #expect(error <= Double(tolerance.bound) * 1.001)
        #expect(error > Double(tolerance.bound) / 4)
        #expect(doubleArea(mesh) == Double(2 * (Self.width - 1) * (Self.height - 1)))
        for side in rim(mesh) {
            let ends = side.map { mesh.vertices.textureCoordinates[Int($0)] }
            let (x, y) = (ends[0].x + ends[1].x, ends[0].y + ends[1].y)
            let isOnRim =
                ends[0].x == ends[1].x && (x < 0.03 || x > 1.97)
                || ends[0].y == ends[1].y && (y < 0.04 || y > 1.96)
            #expect(isOnRim)
        }
    }

    @Test("The number of triangles has a limit, and the bound says what it costs")
    func limit() throws {
        let tolerance = SurfaceTolerance(.disparity, bound: 1e-5)
        for count in [1500, 700] {
            let (mesh, _, cloud, bound) = try mesh(within: tolerance, count: count) { column, row in
                0.5 + 0.1 * ((column * column + row * row) / 5000) + 0.02 * (column / 40 * row / 30)
            }
            #expect(mesh.triangleCount <= count)
            #expect(mesh.triangleCount > count / 2)
            #expect(bound > tolerance.bound)
            #expect(largestError(mesh, cloud, inDisparity: true) <= Double(bound) * 1.001)
        }
    }

    @Test("A step stays cut, sample for sample")
    func step() throws {
        var options = CloudOptions()
        options.keepsEdges = true
        let (mesh, whole, _, _) = try mesh(
            within: SurfaceTolerance(.disparity, bound: 0.01), options: options
        ) {
            column, row in column < 20 + row / 2 ? 1 : 0.25
        }
        let spread = mesh.triangles.map { triangle in
            let depths = [triangle.first, triangle.second, triangle.third].map {
                mesh.vertices.positions[Int($0)].z
            }
            return (depths.max() ?? 0) - (depths.min() ?? 0)
        }
        #expect(spread.allSatisfy { $0 < 0.01 })
        #expect(mesh.triangleCount * 3 < whole.triangleCount)
        // The holes equal the complete mesh's holes: half a cell for each missing triangle.
        let cells = Double(2 * (Self.width - 1) * (Self.height - 1))
        #expect(cells - doubleArea(mesh) == cells - Double(whole.triangleCount))
    }
}
