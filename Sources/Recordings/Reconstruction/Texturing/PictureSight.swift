internal import DepthMaps
internal import DepthTypes
internal import Geometry

/// What a picture shows of a mesh.
struct PictureSight: Sendable {
    /// The vertices of the mesh in the axes of the camera.
    let points: [SIMD3<Float>]
    private let camera: Intrinsics
    private let picture: FramePlane<RGB<UInt8>>
    /// The linear light of each code, 0…1.
    private let lights: [Float]
    /// What linear light of each color is multiplied by, so that the picture is as bright as the others.
    private var gain = SIMD3<Float>(repeating: 1)
    /// The distance of the nearest surface in a cell of the picture and those around it.
    private let nearest: [Float]
    private let columns: Int
    private let rows: Int
    /// Cells for a pixel.
    private let scale: Float

    /// The longer side of the grid of cells.
    private static let longestSide = 640

    /// Draws a mesh into a picture of a camera, whose intrinsics are for the picture's size.
    init(
        _ mesh: TriangleMesh, _ picture: FramePlane<RGB<UInt8>>, _ camera: Intrinsics, _ pose: CameraPose,
        lights: [Float]
    ) {
        (self.picture, self.camera, self.lights) = (picture, camera, lights)
        let positions = mesh.vertices.positions
        let (right, down) = (SIMD3<Float>(pose.right), SIMD3<Float>(pose.down))
        let (forward, place) = (SIMD3<Float>(pose.forward), SIMD3<Float>(pose.position))
        let points = positions.map { position in
            let offset = position - place
            return SIMD3((offset * right).sum(), (offset * down).sum(), (offset * forward).sum())
        }
        self.points = points
        let scale = min(1, Float(Self.longestSide) / Float(max(picture.width, picture.height)))
        self.scale = scale
        let columns = max(1, Int(Float(picture.width) * scale))
        let rows = max(1, Int(Float(picture.height) * scale))
        (self.columns, self.rows) = (columns, rows)
        let cells = points.map { point in
            (Self.pixel(of: point, camera).map { ($0 + 0.5) * scale - 0.5 }) ?? SIMD2(repeating: .nan)
        }
        let triangles = mesh.triangles
        let depths: [Float] = parallelMapRows(width: columns, height: rows, minimum: 32) { part, output in
            for index in output.indices { output[index] = .infinity }
            for triangle in triangles {
                let corners = (Int(triangle.first), Int(triangle.second), Int(triangle.third))
                let filled = FilledTriangle(cells[corners.0], cells[corners.1], cells[corners.2])
                guard let filled else { continue }
                let z = SIMD3(points[corners.0].z, points[corners.1].z, points[corners.2].z)
                filled.forEach(columns: columns, rows: part) { column, row, shares in
                    let place = (row - part.lowerBound) * columns + column
                    output[place] = min(output[place], (shares * z).sum())
                }
            }
        }
        nearest = parallelMapRows(width: columns, height: rows) { part, output in
            for row in part {
                for column in 0..<columns {
                    var least = Float.infinity
                    for y in max(row - 1, 0)...min(row + 1, rows - 1) {
                        for x in max(column - 1, 0)...min(column + 1, columns - 1) {
                            least = min(least, depths[y * columns + x])
                        }
                    }
                    output[(row - part.lowerBound) * columns + column] = least
                }
            }
        }
    }

    /// Where the camera shows a point in its axes; `nil` behind it, and outside of the lens.
    @inline(__always)
    private static func pixel(of point: SIMD3<Float>, _ camera: Intrinsics) -> SIMD2<Float>? {
        guard point.z > 1e-3 else { return nil }
        let flat = SIMD2(point.x, point.y) / point.z
        let focal = SIMD2(Float(camera.fx), Float(camera.fy))
        let center = SIMD2(Float(camera.cx), Float(camera.cy))
        guard let lens = camera.lens else { return flat * focal + center }
        return lens.distorted(Double(flat.x), Double(flat.y)).map { SIMD2<Float>($0) * focal + center }
    }

    /// How well the picture shows a triangle of these corners in the axes of the camera: pixels for a meter of the surface, times the
    /// cosine of the angle to it; `nil` from behind, at an angle, and outside of the picture.
    func quality(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>) -> Float? {
        guard min(a.z, b.z, c.z) > 1e-3 else { return nil }
        let normal = (b - a).cross(c - a).unit
        let middle = (a + b + c) / 3
        let cosine = -(normal * middle.unit).sum()
        guard cosine > 0.2 else { return nil }
        return cosine * Float(camera.fx) / middle.z
    }

    /// The linear light of a point in the axes of the camera, 1…65,535, and a weight that falls to the rim of the picture; `nil` where
    /// the picture does not show the point.
    @inline(__always)
    func light(of point: SIMD3<Float>, within distance: Float) -> (light: SIMD3<Float>, weight: Float)? {
        guard let pixel = Self.pixel(of: point, camera) else { return nil }
        let (width, height) = (picture.width, picture.height)
        let last = SIMD2(Float(width - 1), Float(height - 1))
        let rim = pointwiseMin(pixel, last - pixel).min()
        guard rim >= 1 else { return nil }
        let column = min(Int((pixel.x + 0.5) * scale), columns - 1)
        let row = min(Int((pixel.y + 0.5) * scale), rows - 1)
        guard point.z <= nearest[row * columns + column] + distance + 0.015 * point.z else { return nil }
        let (x, y) = (Int(pixel.x), Int(pixel.y))
        let part = pixel - SIMD2(Float(x), Float(y))
        let first = y * width + x
        let samples = picture.samples.span
        let upper = lightOf(samples[first]) * (1 - part.x) + lightOf(samples[first + 1]) * part.x
        let below = first + width
        let lower = lightOf(samples[below]) * (1 - part.x) + lightOf(samples[below + 1]) * part.x
        let light = (upper * (1 - part.y) + lower * part.y) * gain
        return (light * 65534 + 1, min(1, rim / (0.05 * Float(max(width, height)))))
    }

    @inline(__always)
    private func lightOf(_ color: RGB<UInt8>) -> SIMD3<Float> {
        SIMD3(lights[Int(color.red)], lights[Int(color.green)], lights[Int(color.blue)])
    }

    /// Makes the picture as bright as the colors of a mesh, which are means of all pictures: by the median of the ratios at vertices that
    /// it shows, for each color.
    mutating func balance(with colors: [RGB<UInt8>], within distance: Float) {
        guard colors.count == points.count else { return }
        var ratios: [SIMD3<Float>] = []
        for index in stride(from: 0, to: points.count, by: max(1, points.count / 20_000)) {
            guard let (light, _) = light(of: points[index], within: distance) else { continue }
            let mean = lightOf(colors[index]) * 65534 + 1
            // Ratios of dark colors are those of noise.
            if light.min() > 650, mean.min() > 650 { ratios.append(mean / light) }
        }
        guard ratios.count >= 100 else { return }
        for channel in 0..<3 {
            let sorted = ratios.map { $0[channel] }.sorted()
            gain[channel] = min(max(sorted[sorted.count / 2], 0.5), 2)
        }
    }
}

/// A triangle on a grid, whose points have whole numbers as coordinates.
struct FilledTriangle {
    private let corner: SIMD2<Float>
    private let across: SIMD2<Float>
    private let along: SIMD2<Float>
    private let scale: Float
    private let low: SIMD2<Float>
    private let high: SIMD2<Float>

    /// `nil` for corners that are not numbers, and without area.
    init?(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>) {
        (corner, across, along) = (a, b - a, c - a)
        let area = across.x * along.y - across.y * along.x
        guard area.isFinite, area != 0 else { return nil }
        scale = 1 / area
        low = pointwiseMin(pointwiseMin(a, b), c)
        high = pointwiseMax(pointwiseMax(a, b), c)
    }

    /// Passes the points inside the triangle to `body`, with the weights of its corners, which sum to 1.
    @inline(__always)
    func forEach(columns: Int, rows: Range<Int>, _ body: (Int, Int, SIMD3<Float>) -> Void) {
        let (firstRow, lastRow) = (Float(rows.lowerBound), Float(rows.upperBound - 1))
        guard high.y >= firstRow, low.y <= lastRow, high.x >= 0, low.x <= Float(columns - 1) else { return }
        let (left, right) = (Int(max(low.x, 0).rounded(.up)), Int(min(high.x, Float(columns - 1))))
        let (top, bottom) = (Int(max(low.y, firstRow).rounded(.up)), Int(min(high.y, lastRow)))
        guard left <= right, top <= bottom else { return }
        for row in top...bottom {
            for column in left...right {
                let offset = SIMD2(Float(column), Float(row)) - corner
                let second = (offset.x * along.y - offset.y * along.x) * scale
                let third = (across.x * offset.y - across.y * offset.x) * scale
                let first = 1 - second - third
                if min(first, second, third) >= -1e-4 { body(column, row, SIMD3(first, second, third)) }
            }
        }
    }
}
