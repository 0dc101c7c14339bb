internal import DepthMaps
internal import DepthTypes

/// The surface of a ``GridMesh`` with fewer triangles: large ones where the depth is flat, every sample where it is cut.
///
/// Omitted samples are at most ``bound`` from the surface, along their ray. Corners are samples of the map, with their
/// colors, normals and positions in the photo.
package struct SimplifiedMesh: MeshSource {
    /// The corners of triangles, in reading order.
    package let vertices: GridCloud
    /// The bound of the error at every sample; larger than requested if the maximum number of triangles requires it.
    package let bound: SurfaceTolerance
    private let triangles: [Triangle]

    private static let pieceSize = 1 << 16

    /// The surface through the points of a cloud, within a tolerance as far as `maximumCount` triangles allow; without the
    /// cells of an outline, whose triangles are counted.
    package init(
        _ cloud: GridCloud, without outline: MeshOutline? = nil, within tolerance: SurfaceTolerance,
        maximumCount: Int?, texture: TextureArea? = nil
    ) {
        let network = TriangleNetwork(cloud, tolerance.measure, isOutlined: outline != nil)
        let limit =
            maximumCount.map {
                network.limit(forCount: $0 - (outline?.triangles.count ?? 0), atLeast: tolerance.bound)
            } ?? tolerance.bound
        bound = SurfaceTolerance(tolerance.measure, bound: limit)
        var triangles = network.triangles(within: limit)
        var mask = [UInt8](repeating: 0, count: cloud.depth.meters.count)
        for triangle in triangles {
            for corner in [triangle.first, triangle.second, triangle.third] { mask[Int(corner)] = 1 }
        }
        for sample in outline?.samples ?? [] { mask[Int(sample)] = 1 }
        var number: UInt32 = 0
        let numbers = mask.map { isCorner -> UInt32 in
            defer { number += UInt32(isCorner) }
            return number
        }
        for index in triangles.indices {
            let triangle = triangles[index]
            triangles[index] = Triangle(
                numbers[Int(triangle.first)], numbers[Int(triangle.second)], numbers[Int(triangle.third)])
        }
        self.triangles = triangles
        vertices = GridCloud(
            cloud,
            selecting: SelectedSamples(mask: mask, width: cloud.depth.width, height: cloud.depth.height),
            texture: texture)
    }

    package var triangleCount: Int { triangles.count }

    /// Pieces of 65,536 triangles.
    package var trianglePieceCount: Int { (triangles.count + Self.pieceSize - 1) / Self.pieceSize }

    /// A run of triangles.
    package func triangles(inPiece index: Int) -> [Triangle] {
        let start = index * Self.pieceSize
        return Array(triangles[start..<min(start + Self.pieceSize, triangles.count)])
    }
}

/// The hierarchy of triangles over the samples of a cloud.
private struct TriangleNetwork {
    private let cells: GridCells
    private let errors: SurfaceErrors
    private let broken: [UInt8]
    private let width: Int
    private let stride: Int

    init(_ cloud: GridCloud, _ measure: SurfaceTolerance.Measure, isOutlined: Bool) {
        let (depth, stride) = (cloud.depth, cloud.stride)
        let columns = (depth.width + stride - 1) / stride
        let rows = (depth.height + stride - 1) / stride
        (width, self.stride) = (depth.width, stride)
        let cells = GridCells(cloud, isOutlined: isOutlined)
        self.cells = cells
        let width = width
        let inverse: [Float] = parallelMapRows(width: columns, height: rows) { lines, output in
            for row in lines {
                for column in 0..<columns {
                    output[(row - lines.lowerBound) * columns + column] =
                        1 / depth.meters[(row * width + column) * stride]
                }
            }
        }
        // A cell of two triangles has all four corners, on one surface.
        let broken: [UInt8] = parallelMapRows(width: columns, height: rows) { lines, output in
            for row in lines {
                for column in 0..<columns {
                    output[(row - lines.lowerBound) * columns + column] =
                        cells.patterns[(row * width + column) * stride].nonzeroBitCount == 2 ? 0 : 1
                }
            }
        }
        self.broken = broken
        let rays = cloud.unprojection.correctsLens ? Self.rays(cloud, columns, rows) : nil
        errors = SurfaceErrors(
            inverseDepth: inverse, columns: columns, rows: rows, broken: broken, rays: rays, measure: measure)
    }

    private static func rays(_ cloud: GridCloud, _ columns: Int, _ rows: Int) -> (x: [Float], y: [Float]) {
        let (width, stride) = (cloud.depth.width, cloud.stride)
        var (lineX, lineY) = ([Float](repeating: 0, count: width), [Float](repeating: 0, count: width))
        var (x, y): ([Float], [Float]) = ([], [])
        x.reserveCapacity(columns * rows)
        y.reserveCapacity(columns * rows)
        for row in 0..<rows {
            cloud.unprojection.rays.load(row: row * stride, x: &lineX, y: &lineY)
            for column in Swift.stride(from: 0, to: width, by: stride) {
                x.append(lineX[column])
                y.append(lineY[column])
            }
        }
        return (x, y)
    }

    /// The smallest error, at least `least`, with at most `count` triangles, to 1 %. If depth has too many cuts even for the
    /// largest error, that one.
    func limit(forCount count: Int, atLeast least: Float) -> Float {
        // For numbers above 0, the upper 16 bits are the exponent and 7 bits of the fraction.
        var histogram = [Int](repeating: 0, count: 1 << 16)
        for row in 0..<errors.rows {
            let isRim = row == 0 || row == errors.rows - 1
            for column in 0..<errors.columns {
                let error = errors.error(column: column, row: row)
                guard error > least, error < .infinity else { continue }
                let triangles = isRim || column == 0 || column == errors.columns - 1 ? 1 : 2
                histogram[Int(error.bitPattern >> 16)] += triangles
            }
        }
        var total = 0
        visit(within: .greatestFiniteMagnitude) { _, _, _ in total += 1 }
        total += brokenTriangleCount
        guard let highest = histogram.lastIndex(where: { $0 > 0 }) else { return least }
        for bin in (0...highest).reversed() {
            total += histogram[bin]
            // All errors of a bin are less than the first of the next.
            if total > count { return max(least, Float(bitPattern: UInt32(bin + 1) << 16)) }
        }
        return least
    }

    private var brokenTriangleCount: Int {
        broken.indices.reduce(0) { sum, index in
            guard broken[index] != 0 else { return sum }
            let (row, column) = (index / errors.columns, index % errors.columns)
            return sum + cells.patterns[(row * width + column) * stride].nonzeroBitCount
        }
    }

    /// All triangles within an error; corners are the indices of samples in the map.
    func triangles(within limit: Float) -> [Triangle] {
        var triangles: [Triangle] = []
        visit(within: limit) { a, b, c in
            triangles.append(Triangle(sample(a), sample(b), sample(c)))
        }
        for index in broken.indices where broken[index] != 0 {
            appendBroken(row: index / errors.columns, column: index % errors.columns, to: &triangles)
        }
        return triangles
    }

    private func sample(_ place: SIMD2<Int>) -> UInt32 { UInt32((place.y * width + place.x) * stride) }

    /// The remaining triangles of a cell, as ``GridCells`` cuts it.
    private func appendBroken(row: Int, column: Int, to triangles: inout [Triangle]) {
        let place = SIMD2(column, row)
        let pattern = cells.patterns[(row * width + column) * stride]
        guard pattern != 0 else { return }
        let (a, b) = (sample(place), sample(place &+ SIMD2(1, 0)))
        let (c, d) = (sample(place &+ SIMD2(0, 1)), sample(place &+ SIMD2(1, 1)))
        if pattern & GridCells.acb != 0 { triangles.append(Triangle(a, c, b)) }
        if pattern & GridCells.bcd != 0 { triangles.append(Triangle(b, c, d)) }
        if pattern & GridCells.acd != 0 { triangles.append(Triangle(a, c, d)) }
        if pattern & GridCells.adb != 0 { triangles.append(Triangle(a, d, b)) }
    }

    /// Calls `body` with the corners of every triangle within an error, except those of broken cells, counter-clockwise as
    /// seen from the camera.
    private func visit(
        within limit: Float, _ body: (_ a: SIMD2<Int>, _ b: SIMD2<Int>, _ c: SIMD2<Int>) -> Void
    ) {
        let side = errors.side
        let (topLeft, bottomRight) = (SIMD2(0, 0), SIMD2(side, side))
        // The ends of the longest side, and the opposite corner.
        var stack = [
            (topLeft, bottomRight, SIMD2(side, 0)), (bottomRight, topLeft, SIMD2(0, side)),
        ]
        while let (a, b, c) = stack.popLast() {
            let least = pointwiseMin(pointwiseMin(a, b), c)
            guard least.x < errors.columns - 1, least.y < errors.rows - 1 else { continue }
            let reach = a &- c
            if abs(reach.x) + abs(reach.y) == 1 {
                if broken[least.y * errors.columns + least.x] == 0 { body(a, b, c) }
                continue
            }
            let middle = (a &+ b) / 2
            if errors.error(column: middle.x, row: middle.y) > limit {
                stack.append((c, a, middle))
                stack.append((b, c, middle))
            } else {
                body(a, b, c)
            }
        }
    }
}
