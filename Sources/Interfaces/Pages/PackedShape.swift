internal import Bytes
internal import Codecs
internal import DepthMaps
internal import Embedded
internal import Geometry

/// Points in a page, with their triangles: gray PNG files of three columns and a row for each point or triangle. The filter of rows makes
/// them small, because neighbors follow each other.
struct PackedShape: Sendable {
    /// x, y and z of each point as fractions of the extent, 16 bits each.
    let positions: [UInt8]
    /// Red, green and blue of each point, sRGB, 8 bits each.
    let colors: [UInt8]
    /// The corners of each triangle, 16 bits each; `nil` without triangles.
    let triangles: [UInt8]?
    /// How many points there are.
    let count: Int
    /// How many triangles each list has.
    let triangleCounts: [Int]
    private let low: SIMD3<Float>
    private let extent: SIMD3<Float>

    /// The maximum number of points of a shape with triangles.
    static let mostCorners = 1 << 16
    /// The fraction of points beyond each end of the extent along an axis. They are omitted, as a few distant points would reduce the
    /// resolution of all others.
    private static let beyondEnds = 0.002

    /// Packs points and lists of triangles between them, one after another, at most ``mostCorners`` points if there are
    /// lists. Points without a color are gray.
    init(_ points: PointCloud, _ lists: [[Triangle]] = []) throws(WriteError) {
        precondition(lists.isEmpty || points.positions.count <= Self.mostCorners)
        let ends = (0..<3).map { axis in Self.ends(points.positions.map { $0[axis] }) }
        low = SIMD3(ends[0].low, ends[1].low, ends[2].low)
        let range = SIMD3(ends[0].high, ends[1].high, ends[2].high) - low
        extent = range.replacing(with: 1e-3, where: range .< 1e-3)
        let scale = SIMD3<Float>(repeating: 65535) / extent
        let codes = points.positions.map { [low] in (($0 - low) * scale).rounded(.toNearestOrEven) }
        let isInside = codes.map { $0.min() >= 0 && $0.max() <= 65535 }
        var numbers = [UInt16](repeating: 0, count: codes.count)
        var (positionCodes, colorCodes, corners): ([UInt16], [UInt8], [UInt16]) = ([], [], [])
        for index in codes.indices where isInside[index] {
            numbers[index] = UInt16(truncatingIfNeeded: positionCodes.count / 3)
            positionCodes += (0..<3).map { UInt16(codes[index][$0]) }
            let color = points.colors.isEmpty ? RGB(red: 150, green: 150, blue: 150) : points.colors[index]
            colorCodes += [color.red, color.green, color.blue]
        }
        var triangleCounts: [Int] = []
        for list in lists {
            let inside = list.filter { $0.corners.allSatisfy { isInside[$0] } }
            corners += inside.flatMap { $0.corners.map { numbers[$0] } }
            triangleCounts.append(inside.count)
        }
        (count, self.triangleCounts) = (positionCodes.count / 3, triangleCounts)
        positions = try Self.png(.gray16(positionCodes), rows: count)
        colors = try Self.png(.gray8(colorCodes), rows: count)
        triangles = corners.isEmpty ? nil : try Self.png(.gray16(corners), rows: corners.count / 3)
    }

    private static func png(_ samples: Raster.Samples, rows: Int) throws(WriteError) -> [UInt8] {
        let raster = Raster(width: 3, height: rows, samples: samples)
        return try bytesWritten { (descriptor) throws(WriteError) in try raster.writePNG(to: descriptor) }
    }

    /// Both ends of an axis.
    private static func ends(_ values: [Float]) -> (low: Float, high: Float) {
        let sorted = values.sorted()
        func at(_ share: Double) -> Float {
            sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)]
        }
        return (at(beyondEnds), at(1 - beyondEnds))
    }

    /// The parameters for the page's script. Lengths are meters.
    var fields: [(String, JSONValue)] {
        func numbers(_ vector: SIMD3<Float>) -> JSONValue { .numbers((0..<3).map { Double(vector[$0]) }) }
        return [
            ("count", .integer(count)), ("triangles", .array(triangleCounts.map { .integer($0) })),
            ("low", numbers(low)), ("extent", numbers(extent)),
            ("radius", .number(Double((extent * extent).sum().squareRoot() / 2))),
        ]
    }
}
