import DepthMaps
import Embedded
import Geometry
import Testing

@testable import Pages

@Suite("Points and triangles in a page")
struct PackedShapeTests {
    /// A square of 60 × 60 points 1 cm apart at 2 m, and one point far away.
    private func square() -> (points: PointCloud, triangles: [Triangle]) {
        var points = PointCloud()
        for index in 0..<3600 {
            points.positions.append(SIMD3(Float(index % 60) * 0.01, Float(index / 60) * 0.01, 2))
        }
        points.positions.append(SIMD3(900, 0, 2))
        let triangles = (0..<3540).filter { $0 % 60 < 59 }.flatMap { index -> [Triangle] in
            let first = UInt32(index)
            return [
                Triangle(first, first + 60, first + 61), Triangle(first, first + 61, first + 1),
            ]
        }
        return (points, triangles + [Triangle(0, 60, 3600)])
    }

    @Test("The extent is that of nearly all points; a distant one is omitted with its triangles")
    func extent() throws {
        let (points, triangles) = square()
        let shape = try PackedShape(points, [Array(triangles.prefix(7)), [], Array(triangles.dropFirst(7))])
        #expect(shape.count == 3600 && shape.triangleCounts == [7, 0, 2 * 59 * 59 - 7])
        let extent = shape.fields.first { $0.0 == "extent" }?.1.elements.compactMap(\.double) ?? []
        #expect(extent.count == 3 && abs(extent[0] - 0.59) < 1e-6 && abs(extent[2] - 0.001) < 1e-9)
    }

    @Test("Points without triangles have no file of triangles")
    func withoutTriangles() throws {
        let shape = try PackedShape(square().points)
        #expect(shape.triangles == nil && shape.triangleCounts.isEmpty)
        #expect(!shape.positions.isEmpty && !shape.colors.isEmpty)
    }
}
