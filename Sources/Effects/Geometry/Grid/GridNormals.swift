internal import DepthMaps
internal import DepthTypes

/// Normals of the surfaces in a depth map, towards the camera.
///
/// With P the point of a sample and Pn the points of its neighbors in 5 × 5 on the same surface, i columns and j rows
/// away, the normal is Σ i · (Pn − P) × Σ j · (Pn − P). On a plane both sums stay in the plane, whichever neighbors are
/// missing. A sample without neighbors in two directions gets the direction to the camera.
struct GridNormals {
    private static let reach = 2

    private let depth: DepthMap
    private let unprojection: Unprojection
    /// 1 plus the largest relative change of distance from sample to sample on one surface.
    private let ratio: Float

    init(_ depth: DepthMap, _ unprojection: Unprojection) {
        self.depth = depth
        self.unprojection = unprojection
        ratio = FlyingPixels(focalLength: unprojection.focalLength).ratio
    }

    /// Appends the normals of the selected samples of some rows.
    func append(_ rows: Range<Int>, _ selected: SelectedSamples, to normals: inout [SIMD3<Float>]) {
        let (width, reach) = (depth.width, Self.reach)
        var window = RowWindow(
            width: width, height: depth.height, margin: reach, padding: SIMD3<Float>(repeating: .nan))
        var loader = PointLoader(depth, unprojection)
        for row in rows where selected.rowCounts[row] > 0 {
            window.move(to: row) { loader.load(row: $0, into: &$1, behind: reach) }
            let around = (-reach...reach).map { window.row($0) }
            for column in 0..<width where selected.mask[row * width + column] != 0 {
                normals.append(normal(at: column, around))
            }
        }
    }

    private func normal(at column: Int, _ rows: [[SIMD3<Float>]]) -> SIMD3<Float> {
        let reach = Self.reach
        let center = rows[reach][column + reach]
        var (alongRow, alongColumn) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
        // Two samples away, twice the change is allowed.
        let (low, high) = (center.z / (ratio * ratio), center.z * ratio * ratio)
        for j in -reach...reach {
            let row = rows[j + reach]
            for i in -reach...reach {
                let point = row[column + reach + i]
                guard point.z > low, point.z < high else { continue }
                let offset = point - center
                alongRow += Float(i) * offset
                alongColumn += Float(j) * offset
            }
        }
        let normal = alongColumn.cross(alongRow)
        let length = (normal * normal).sum().squareRoot()
        let distance = (center * center).sum().squareRoot()
        guard length > 1e-12 * distance else { return center / -distance * unprojection.axes.signs }
        let facing: Float = (normal * center).sum() > 0 ? -1 : 1
        return normal * (facing / length) * unprojection.axes.signs
    }
}

/// Unprojects rows of a map, x right, y down, z forward; `nan` for unknown distances.
private struct PointLoader {
    private let depth: DepthMap
    private let unprojection: Unprojection
    private var x: [Float]
    private var y: [Float]
    private var z: [Float]

    init(_ depth: DepthMap, _ unprojection: Unprojection) {
        self.depth = depth
        self.unprojection = unprojection
        x = [Float](repeating: 0, count: depth.width)
        (y, z) = (x, x)
    }

    mutating func load(row: Int, into points: inout [SIMD3<Float>], behind margin: Int) {
        unprojection.rays.load(row: row, x: &x, y: &y)
        depth.load(row: row, into: &z, behind: 0)
        for column in z.indices {
            points[column + margin] = SIMD3(x[column] * z[column], y[column] * z[column], z[column])
        }
    }
}
