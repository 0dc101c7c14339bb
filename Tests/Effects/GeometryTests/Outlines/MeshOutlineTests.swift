import DepthMaps
import DepthTypes
import Geometry
import Testing

@Suite("Outlines of meshes")
struct MeshOutlineTests {
    private static let (width, height) = (96, 72)
    private static let center = SIMD2<Float>(46.3, 35.8)
    private static let radius: Float = 20
    /// Colors of the disc and of the wall.
    private static let (red, blue) = (
        RGB<UInt8>(red: 200, green: 40, blue: 30), RGB<UInt8>(red: 30, green: 60, blue: 180)
    )

    /// What a pixel of `scale` to a sample shows of a disc of `radius` samples: its fraction, over a rim of `softness`
    /// samples.
    private func coverage(radius: Float, scale: Int, softness: Float) -> [Float] {
        (0..<Self.width * Self.height * scale * scale).map { index in
            let pixel = SIMD2(Float(index % (Self.width * scale)), Float(index / (Self.width * scale)))
            let offset = (pixel + 0.5) / Float(scale) - 0.5 - Self.center
            let distance = (offset * offset).sum().squareRoot()
            return min(max(0.5 - (distance - radius) / softness, 0), 1)
        }
    }

    private func matte(softness: Float) -> Matte {
        Matte(
            width: 3 * Self.width, height: 3 * Self.height,
            coverage: coverage(radius: Self.radius, scale: 3, softness: softness).map {
                UInt8($0 * 255 + 0.5)
            })
    }

    /// A disc at 1 m before a wall at 2 m, with disparity mixed over `blur` samples.
    private func map(radius: Float = radius, blur: Float = 0.001) -> DepthMap {
        DepthMap.of(
            coverage(radius: radius, scale: 1, softness: blur).map { 1 / ($0 + (1 - $0) / 2) },
            width: Self.width)
    }

    private func mesh(
        _ map: DepthMap, _ guide: OutlineGuide = .none, options: CloudOptions = CloudOptions()
    ) throws -> TriangleMesh {
        let camera = CameraCalibration(focalLength: 100, width: map.width, height: map.height)
        let unprojection = try Unprojection(camera, width: map.width, height: map.height, axes: .opencv)
        let sides = map.takingSides(guide, unprojection)
        let cloud = GridCloud(sides, unprojection, options: options)
        let outline = MeshOutline(cloud, guide)
        let full = OutlinedMesh(GridMesh(cloud, without: outline), outline)
        let simple = OutlinedMesh(
            SimplifiedMesh(
                cloud, without: outline, within: SurfaceTolerance(.disparity, bound: 1e-5), maximumCount: nil),
            outline)
        #expect(abs(area(simple.collected()) - area(full.collected())) < 0.01)
        #expect(simple.triangleCount < full.triangleCount)
        let mesh = full.collected()
        #expect(mesh.vertices.positions.count == full.vertices.header.pointCount)
        #expect(mesh.triangleCount == full.triangleCount)
        let used = Set(mesh.triangles.flatMap { [$0.first, $0.second, $0.third] })
        #expect(used.count == mesh.vertices.positions.count)
        return mesh
    }

    private func guide(_ matte: Matte? = nil, colors: [RGB<UInt8>] = []) -> OutlineGuide {
        OutlineGuide(matte: matte, colors: colors, width: Self.width, height: Self.height)
    }

    /// The column and row of a vertex in the map.
    private func place(_ point: SIMD3<Float>) -> SIMD2<Float> {
        SIMD2(point.x, point.y) / point.z * 100 + SIMD2(Float(Self.width - 1), Float(Self.height - 1)) / 2
    }

    /// The area in the image that triangles cover, in cells; those on the other side count negatively.
    private func area(_ mesh: TriangleMesh, of isCounted: (SIMD3<Float>) -> Bool = { _ in true }) -> Float {
        mesh.triangles.reduce(0) { sum, triangle in
            let corners = [triangle.first, triangle.second, triangle.third].map {
                mesh.vertices.positions[Int($0)]
            }
            guard corners.allSatisfy(isCounted) else { return sum }
            let (a, b) = (place(corners[1]) - place(corners[0]), place(corners[2]) - place(corners[0]))
            return sum + (b.x * a.y - b.y * a.x) / 2
        }
    }

    /// The RMS distance of the disc's rim from its circle, in samples: vertices and middles of sides that one triangle has.
    private func error(_ mesh: TriangleMesh, radius: Float = radius) -> Float {
        var counts: [SIMD2<UInt32>: Int] = [:]
        for triangle in mesh.triangles {
            for (a, b) in [
                (triangle.first, triangle.second), (triangle.second, triangle.third),
                (triangle.third, triangle.first),
            ] { counts[SIMD2(min(a, b), max(a, b)), default: 0] += 1 }
        }
        var squares: [Float] = []
        for (side, count) in counts where count == 1 {
            let ends = [mesh.vertices.positions[Int(side.x)], mesh.vertices.positions[Int(side.y)]]
            guard ends.allSatisfy({ $0.z < 1.5 }) else { continue }
            let (a, b) = (place(ends[0]), place(ends[1]))
            for point in [a, (a + b) / 2] {
                let offset = point - Self.center
                let error = (offset * offset).sum().squareRoot() - radius
                squares.append(error * error)
            }
        }
        return (squares.reduce(0, +) / Float(squares.count)).squareRoot()
    }

    /// Every cell of the picture once.
    private static let everything = Float((width - 1) * (height - 1))
    private static let disc = Float.pi * radius * radius

    @Test("Without a matte, a round outline is smooth, and the cells at it are covered once")
    func circle() throws {
        let mesh = try mesh(map())
        #expect(error(mesh) < 0.2)
        #expect(abs(area(mesh) / Self.everything - 1) < 1e-4)
        #expect(abs(area(mesh) { $0.z < 1.5 } / Self.disc - 1) < 0.02)
        #expect(mesh.vertices.positions.allSatisfy { abs($0.z - 1) < 1e-4 || abs($0.z - 2) < 1e-4 })
    }

    @Test("The outline is where a soft matte is half", arguments: [0.3, 1.5, 4] as [Float])
    func softMatte(softness: Float) throws {
        let mesh = try mesh(map(), guide(matte(softness: softness)))
        #expect(error(mesh) < 0.05)
        #expect(abs(area(mesh) { $0.z < 1.5 } / Self.disc - 1) < 0.005)
        #expect(abs(area(mesh) / Self.everything - 1) < 1e-4)
    }

    @Test("The outline follows the photo's colors")
    func colors() throws {
        // Each sample has the mean light of its area, which a rim of one sample approximates.
        let colors = coverage(radius: Self.radius, scale: 1, softness: 1).map { share in
            RGB<UInt8>(
                red: UInt8(Float(Self.red.red) * share + Float(Self.blue.red) * (1 - share)),
                green: UInt8(Float(Self.red.green) * share + Float(Self.blue.green) * (1 - share)),
                blue: UInt8(Float(Self.red.blue) * share + Float(Self.blue.blue) * (1 - share)))
        }
        #expect(error(try mesh(map(), guide(colors: colors))) < 0.1)
    }

    @Test(
        "Samples that mix near and far get a side, so that no vertex is in the air",
        arguments: [1, 2] as [Float])
    func mixed(blur: Float) throws {
        let mesh = try mesh(map(blur: blur))
        #expect(error(mesh) < 0.2)
        #expect(abs(area(mesh) / Self.everything - 1) < 1e-4)
        #expect(mesh.vertices.positions.allSatisfy { abs($0.z - 1) < 0.08 || abs($0.z - 2) < 0.2 })
    }

    @Test("With a stride, outlines are as smooth, in larger cells")
    func stride() throws {
        var options = CloudOptions()
        options.stride = 2
        let mesh = try mesh(map(), options: options)
        #expect(error(mesh) < 0.4)
        #expect(abs(area(mesh) / Float(94 * 70) - 1) < 1e-4)
    }

    @Test("A ball and a wall have outlines without holes or vertices off their surfaces")
    func ball() throws {
        let map = Scene.map(width: 256, height: 192)
        let unprojection = try Unprojection(Scene.camera, width: 256, height: 192, axes: .opencv)
        let cloud = GridCloud(map.takingSides(.none, unprojection), unprojection)
        let outline = MeshOutline(cloud, .none)
        let mesh = OutlinedMesh(GridMesh(cloud, without: outline), outline).collected()
        // The frame is 1024 × 768: cells of 4 pixels, at a focal length of 900.
        let covered = mesh.triangles.reduce(0 as Float) { sum, triangle in
            let rays = [triangle.first, triangle.second, triangle.third].map { corner in
                let point = mesh.vertices.positions[Int(corner)]
                return SIMD2(point.x, point.y) / point.z * 225
            }
            let (a, b) = (rays[1] - rays[0], rays[2] - rays[0])
            return sum + (b.x * a.y - b.y * a.x) / 2
        }
        #expect(abs(covered / Float(255 * 191) - 1) < 1e-4)
        // A sample is 5 mm wide here.
        let worst = mesh.vertices.positions.map { Scene.distance(SIMD3<Double>($0)) }.max() ?? 1
        #expect(worst < 0.005, "\(worst)")
    }

    @Test("Three surfaces meet in a cell, and an edge ends in one")
    func junctions() throws {
        // Four quadrants, two of them alike; and a slit between slopes that part.
        let quadrants = (0..<36).map { index -> Float in
            let (x, y) = (index % 6, index / 6)
            return y < 3 ? (x < 3 ? 1 : 2) : (x < 3 ? 4 : 2)
        }
        let slit = (0..<36).map { index -> Float in
            let (x, y) = (Float(index % 6), Float(index / 6))
            return 2 + 0.045 * y * (x < 3 ? -1 : 1)
        }
        for meters in [quadrants, slit] {
            let map = DepthMap.of(meters, width: 6)
            let camera = CameraCalibration(focalLength: 100, width: 6, height: 6)
            let unprojection = try Unprojection(camera, width: 6, height: 6, axes: .opencv)
            let cloud = GridCloud(map, unprojection)
            let outline = MeshOutline(cloud, .none)
            let mesh = OutlinedMesh(GridMesh(cloud, without: outline), outline).collected()
            let area = mesh.triangles.reduce(0 as Float) { sum, triangle in
                let rays = [triangle.first, triangle.second, triangle.third].map { corner in
                    let point = mesh.vertices.positions[Int(corner)]
                    return SIMD2(point.x, point.y) / point.z * 100
                }
                let (a, b) = (rays[1] - rays[0], rays[2] - rays[0])
                #expect(b.x * a.y - b.y * a.x > 0)
                return sum + (b.x * a.y - b.y * a.x) / 2
            }
            #expect(abs(area - 25) < 1e-3)
        }
    }
}
