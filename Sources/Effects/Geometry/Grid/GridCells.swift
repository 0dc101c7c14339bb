internal import DepthMaps

/// How the samples of a map are joined to triangles. Each cell of four neighbors, a b over c d, has up to two triangles,
/// split along the diagonal whose ends are closer in depth.
///
/// A triangle is omitted if the difference in distance between its corners exceeds the maximum of visible surfaces
/// (``FlyingPixels``), or if a corner is missing. If one corner of a cell is missing, the other three make a triangle.
struct GridCells: Sendable {
    /// a c b, left and above the diagonal from b to c.
    static let acb: UInt8 = 1
    /// b c d, the other half.
    static let bcd: UInt8 = 2
    /// a c d, below the diagonal from a to d.
    static let acd: UInt8 = 4
    /// a d b, the other half.
    static let adb: UInt8 = 8

    /// The triangles of each cell, at its corner a: the sum of the constants above.
    let patterns: [UInt8]
    let width: Int
    let stride: Int
    private let height: Int

    /// With `isOutlined`, cells of four points that a depth edge crosses have no triangles: ``MeshOutline`` fills them.
    init(_ cloud: GridCloud, isOutlined: Bool = false) {
        (width, height, stride) = (cloud.depth.width, cloud.depth.height, cloud.stride)
        let (meters, mask) = (cloud.depth.meters, cloud.selected.mask)
        let (width, height, stride, ratio) = (width, height, stride, cloud.ratio)
        patterns = parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                let start = (row - rows.lowerBound) * width
                for column in 0..<width { output[start + column] = 0 }
                guard row % stride == 0, row + stride < height else { continue }
                var upper = Corners(row * width, meters.span, mask.span)
                var lower = Corners((row + stride) * width, meters.span, mask.span)
                for column in Swift.stride(from: 0, to: width - stride, by: stride) {
                    let (a, b) = upper.next(at: column + stride)
                    let (c, d) = lower.next(at: column + stride)
                    output[start + column] =
                        isOutlined
                        ? outlinedPattern(a, b, c, d, ratio) : pattern(a, b, c, d, ratio)
                }
            }
        }
    }

    /// The samples that are corners of a triangle.
    var corners: SelectedSamples {
        let mask: [UInt8] = parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                for column in 0..<width {
                    output[(row - rows.lowerBound) * width + column] = isCorner(row, column) ? 1 : 0
                }
            }
        }
        return SelectedSamples(mask: mask, width: width, height: height)
    }

    private func isCorner(_ row: Int, _ column: Int) -> Bool {
        guard row % stride == 0, column % stride == 0 else { return false }
        let place = row * width + column
        var uses = patterns[place] & (Self.acb | Self.acd | Self.adb)
        if column >= stride { uses |= patterns[place - stride] & (Self.acb | Self.bcd | Self.adb) }
        guard row >= stride else { return uses != 0 }
        let above = place - stride * width
        uses |= patterns[above] & (Self.acb | Self.bcd | Self.acd)
        if column >= stride { uses |= patterns[above - stride] & (Self.bcd | Self.acd | Self.adb) }
        return uses != 0
    }

    /// The number of triangles in a row of cells.
    func triangleCount(inRow row: Int) -> Int {
        let cells = patterns.span.extracting(row * width..<(row + 1) * width)
        var count = 0
        for column in cells.indices { count += cells[column].nonzeroBitCount }
        return count
    }

    /// Appends the triangles of a row of cells. Vertices are the `corners` in reading order; the first vertex of the
    /// row is number `first`, and the first of the row `stride` below is `firstBelow`.
    func append(
        row: Int, corners: SelectedSamples, first: Int, firstBelow: Int, to triangles: inout [Triangle]
    ) {
        let (mask, patterns) = (corners.mask.span, patterns.span)
        let (start, startBelow) = (row * width, (row + stride) * width)
        var (a, c) = (UInt32(first), UInt32(firstBelow))
        for column in Swift.stride(from: 0, to: width - stride, by: stride) {
            // The next number in a row belongs to its next corner, which may be farther on: then it is not used here.
            let (b, d) = (a + UInt32(mask[start + column]), c + UInt32(mask[startBelow + column]))
            let pattern = patterns[start + column]
            if pattern & Self.acb != 0 { triangles.append(Triangle(a, c, b)) }
            if pattern & Self.bcd != 0 { triangles.append(Triangle(b, c, d)) }
            if pattern & Self.acd != 0 { triangles.append(Triangle(a, c, d)) }
            if pattern & Self.adb != 0 { triangles.append(Triangle(a, d, b)) }
            (a, c) = (b, d)
        }
    }
}

/// The distances of a row's samples in order, `nan` for missing points.
private struct Corners: ~Escapable {
    private let meters: Span<Float>
    private let mask: Span<UInt8>
    private let start: Int
    private var last: Float

    @_lifetime(copy meters, copy mask)
    init(_ start: Int, _ meters: Span<Float>, _ mask: Span<UInt8>) {
        self.meters = meters
        self.mask = mask
        self.start = start
        last = mask[start] != 0 ? meters[start] : .nan
    }

    /// The distance before a column, and the one in it.
    @_lifetime(self: copy self)
    mutating func next(at column: Int) -> (Float, Float) {
        let previous = last
        last = mask[start + column] != 0 ? meters[start + column] : .nan
        return (previous, last)
    }
}

private func pattern(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ ratio: Float) -> UInt8 {
    // With a missing corner, the difference is `nan`.
    let bends = b - c
    if abs(a - d) < abs(bends) || bends.isNaN {
        return (isLevel(a, c, d, ratio) ? GridCells.acd : 0) | (isLevel(a, d, b, ratio) ? GridCells.adb : 0)
    }
    return (isLevel(a, c, b, ratio) ? GridCells.acb : 0) | (isLevel(b, c, d, ratio) ? GridCells.bcd : 0)
}

/// As ``pattern(_:_:_:_:_:)``, but a cell of four points has two triangles, or none if neighbors are on two surfaces.
private func outlinedPattern(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ ratio: Float) -> UInt8 {
    guard a + b + c + d == a + b + c + d else { return pattern(a, b, c, d, ratio) }
    func isStep(_ x: Float, _ y: Float) -> Bool { x > y * ratio || y > x * ratio }
    if isStep(a, b) || isStep(c, d) || isStep(a, c) || isStep(b, d) { return 0 }
    return abs(a - d) < abs(b - c) ? GridCells.acd | GridCells.adb : GridCells.acb | GridCells.bcd
}

private func isLevel(_ x: Float, _ y: Float, _ z: Float, _ ratio: Float) -> Bool {
    x <= y * ratio && y <= x * ratio && y <= z * ratio && z <= y * ratio && z <= x * ratio && x <= z * ratio
}
