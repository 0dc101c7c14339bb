internal import DepthMaps
internal import DepthTypes
internal import Geometry
internal import Synchronization

/// The texture of a mesh, as it is made from pictures one after another.
///
/// A texel is the weighted mean, in linear light, of what the pictures show there. Weights are the eighth power of the resolution that a
/// picture has there, so that the nearest pictures decide, and fade to the rims of pictures, so that seams do not show.
struct SurfaceTexture {
    private let mesh: TriangleMesh
    private let charts: [SurfaceChart]
    private let layout: TextureLayout
    /// For each chart, the sum of weighted light and of weights of each texel.
    private let sums: [MutexBox<[SIMD4<Float>]>]
    private let voxelSize: Float
    /// The linear light of each code, 0…1.
    private let lights = (0...255).map { TransferFunction.sRGBLight(of: Double($0) / 255) }

    /// The memory of a texel: of its sum, and of its color twice.
    static let bytesPerTexel = 24

    /// A texture without light. `texelSize` is the smallest edge of a texel, in meters. `nil` if the surface has more parts than fit.
    init?(_ mesh: TriangleMesh, voxelSize: Float, texelSize: Float, longestSide: Int) {
        (self.mesh, self.voxelSize) = (mesh, voxelSize)
        let charts = SurfaceCharts(mesh, voxelSize: voxelSize).charts
        let layout = TextureLayout(
            charts.map { $0.high - $0.low }, texelSize: texelSize, longestSide: longestSide)
        guard let layout else { return nil }
        (self.charts, self.layout) = (charts, layout)
        sums = layout.sizes.map { MutexBox([SIMD4<Float>](repeating: .zero, count: $0.x * $0.y)) }
    }

    /// Passes each triangle of a chart to `body`, with its corners, and where it is among the chart's texels.
    private func forEachTriangle(
        of index: Int, _ body: (_ corners: (Int, Int, Int), _ flat: FilledTriangle) -> Void
    ) {
        let (chart, positions) = (charts[index], mesh.vertices.positions)
        for number in chart.triangles {
            let triangle = mesh.triangles[Int(number)]
            let corners = (Int(triangle.first), Int(triangle.second), Int(triangle.third))
            let flat = FilledTriangle(
                place(positions[corners.0], in: chart), place(positions[corners.1], in: chart),
                place(positions[corners.2], in: chart))
            if let flat { body(corners, flat) }
        }
    }

    /// Where a point is among the texels of its chart.
    private func place(_ point: SIMD3<Float>, in chart: SurfaceChart) -> SIMD2<Float> {
        (chart.flat(point) - chart.low) / layout.texelSize + Float(TextureLayout.margin)
    }

    /// Adds what a picture shows.
    func add(_ picture: FramePlane<RGB<UInt8>>, _ camera: Intrinsics, _ pose: CameraPose) {
        var sight = PictureSight(mesh, picture, camera, pose, lights: lights)
        let distance = 1.5 * voxelSize
        sight.balance(with: mesh.vertices.colors, within: distance)
        let view = sight
        // Weights are near 1, so that their sums are precise.
        let nominal = layout.texelSize
        parallelFor(count: charts.count, minimum: 1, most: 64) { range in
            for index in range {
                let size = layout.sizes[index]
                sums[index].content.withLock { sums in
                    forEachTriangle(of: index) { corners, flat in
                        let (a, b, c) = (
                            view.points[corners.0], view.points[corners.1], view.points[corners.2]
                        )
                        guard let quality = view.quality(a, b, c) else { return }
                        let share = quality * nominal
                        let square = share * share
                        let weight = square * square * square * square
                        flat.forEach(columns: size.x, rows: 0..<size.y) { column, row, shares in
                            let point = a * shares.x + b * shares.y + c * shares.z
                            guard let (light, fade) = view.light(of: point, within: distance) else { return }
                            sums[row * size.x + column] += SIMD4(light, 1) * (weight * fade)
                        }
                    }
                }
            }
        }
    }

    /// The mesh with texture coordinates. A vertex of several charts becomes one for each.
    func texturedMesh() -> TriangleMesh {
        var (vertices, triangles) = (PointCloud(), [Triangle]())
        vertices.provenance = mesh.vertices.provenance
        triangles.reserveCapacity(mesh.triangles.count)
        var numbers = [Int32](repeating: -1, count: mesh.vertices.positions.count)
        let size = SIMD2(Float(layout.width), Float(layout.height))
        for (index, chart) in charts.enumerated() {
            var used: [Int] = []
            func number(_ corner: UInt32) -> UInt32 {
                let vertex = Int(corner)
                if numbers[vertex] < 0 {
                    numbers[vertex] = Int32(vertices.positions.count)
                    used.append(vertex)
                    let position = mesh.vertices.positions[vertex]
                    vertices.positions.append(position)
                    if !mesh.vertices.normals.isEmpty {
                        vertices.normals.append(mesh.vertices.normals[vertex])
                    }
                    let corner = layout.corners[index]
                    let texel = place(position, in: chart) + SIMD2(Float(corner.x), Float(corner.y)) + 0.5
                    vertices.textureCoordinates.append(texel / size)
                }
                return UInt32(numbers[vertex])
            }
            for place in chart.triangles {
                let triangle = mesh.triangles[Int(place)]
                triangles.append(
                    Triangle(number(triangle.first), number(triangle.second), number(triangle.third)))
            }
            for vertex in used { numbers[vertex] = -1 }
        }
        return TriangleMesh(vertices: vertices, triangles: triangles)
    }

    /// The texture in sRGB, and the fraction of the surface that no picture shows, which has the colors of vertices. Consumes the sums.
    func pixels() -> (pixels: [RGB<UInt8>], width: Int, height: Int, unseenShare: Double) {
        let colors = mesh.vertices.colors
        let counts = MutexBox((seen: 0, unseen: 0))
        let parts = sums.map { _ in MutexBox([RGB<UInt8>]()) }
        parallelFor(count: charts.count, minimum: 1, most: 64) { range in
            for index in range {
                let size = layout.sizes[index]
                var texels = sums[index].content.withLock { sums in
                    defer { sums = [] }
                    return sums
                }
                var count = (seen: 0, unseen: 0)
                forEachTriangle(of: index) { corners, flat in
                    flat.forEach(columns: size.x, rows: 0..<size.y) { column, row, shares in
                        let texel = row * size.x + column
                        guard texels[texel].w == 0 else {
                            count.seen += 1
                            return
                        }
                        count.unseen += 1
                        guard !colors.isEmpty else { return }
                        func light(_ corner: Int) -> SIMD3<Float> {
                            let color = colors[corner]
                            return SIMD3(
                                lights[Int(color.red)], lights[Int(color.green)], lights[Int(color.blue)])
                        }
                        let mean =
                            light(corners.0) * shares.x + light(corners.1) * shares.y + light(corners.2)
                            * shares.z
                        // Less than any picture, so that it is not counted as one at the next triangle.
                        texels[texel] = SIMD4(mean * 65534 + 1, 1) * 1e-20
                    }
                }
                for _ in 0...TextureLayout.margin { texels = Self.extended(texels, size) }
                parts[index].content.withLock { [texels] in $0 = texels.map(LinearColor.color) }
                counts.content.withLock { [count] in
                    $0.seen += count.seen
                    $0.unseen += count.unseen
                }
            }
        }
        let gray = RGB<UInt8>(red: 128, green: 128, blue: 128)
        var pixels = [RGB<UInt8>](repeating: gray, count: layout.width * layout.height)
        for index in charts.indices {
            let (size, corner) = (layout.sizes[index], layout.corners[index])
            let texels = parts[index].content.withLock { $0 }
            for row in 0..<size.y {
                let first = (corner.y + row) * layout.width + corner.x
                pixels.replaceSubrange(
                    first..<first + size.x, with: texels[row * size.x..<(row + 1) * size.x])
            }
        }
        let (seen, unseen) = counts.content.withLock { $0 }
        let share = Double(unseen) / Double(max(1, seen + unseen))
        return (pixels, layout.width, layout.height, share)
    }

    /// Texels where those without light have the mean of their neighbors.
    private static func extended(_ texels: [SIMD4<Float>], _ size: SIMD2<Int>) -> [SIMD4<Float>] {
        var output = texels
        for row in 0..<size.y {
            for column in 0..<size.x where texels[row * size.x + column].w == 0 {
                var sum = SIMD4<Float>.zero
                for y in max(row - 1, 0)...min(row + 1, size.y - 1) {
                    for x in max(column - 1, 0)...min(column + 1, size.x - 1) {
                        let texel = texels[y * size.x + x]
                        if texel.w > 0 { sum += texel / texel.w }
                    }
                }
                if sum.w > 0 { output[row * size.x + column] = sum / sum.w * 1e-20 }
            }
        }
        return output
    }
}
