internal import DepthMaps

/// A mesh of samples, with the surfaces up to the outlines in the cells that a depth edge crosses.
package struct OutlinedMesh<Base: MeshSource>: MeshSource where Base.Vertices == GridCloud {
    package let vertices: JoinedCloud
    private let base: Base
    private let triangles: [Triangle]

    /// `base` was made with the same outline.
    package init(_ base: Base, _ outline: MeshOutline) {
        self.base = base
        let grid = base.vertices
        let rim = RimCloud(outline, of: grid)
        vertices = JoinedCloud(grid, rim.points)
        let first = UInt32(grid.header.pointCount)
        let numbers = Self.numbers(of: outline, in: grid)
        func corner(_ corner: Int32) -> UInt32 {
            corner < 0 ? first + UInt32(-1 - corner) : numbers[corner] ?? 0
        }
        triangles = outline.triangles.map { Triangle(corner($0.x), corner($0.y), corner($0.z)) }
    }

    /// The vertices at the outline's samples.
    private static func numbers(of outline: MeshOutline, in grid: GridCloud) -> [Int32: UInt32] {
        var numbers: [Int32: UInt32] = [:]
        var (place, count) = (0, UInt32(0))
        for sample in outline.samples {
            while place < Int(sample) {
                count += UInt32(grid.selected.mask[place])
                place += 1
            }
            numbers[sample] = count
        }
        return numbers
    }

    package var triangleCount: Int { base.triangleCount + triangles.count }

    package var trianglePieceCount: Int { base.trianglePieceCount + 1 }

    package func triangles(inPiece index: Int) -> [Triangle] {
        index < base.trianglePieceCount ? base.triangles(inPiece: index) : triangles
    }
}

extension MeshOutline {
    /// The samples that are corners of triangles, in order.
    var samples: [Int32] {
        Set(triangles.flatMap { [$0.x, $0.y, $0.z] }).filter { $0 >= 0 }.sorted()
    }
}

/// The points of a rim, with the attributes of the samples that they belong to.
private struct RimCloud {
    private(set) var points = PointCloud()

    init(_ outline: MeshOutline, of grid: GridCloud) {
        guard !outline.points.isEmpty else { return }
        // The samples that rims are between, as points.
        var mask = [UInt8](repeating: 0, count: grid.depth.meters.count)
        for point in outline.points {
            for sample in [point.ends.x, point.ends.y, point.owner] { mask[Int(sample)] = 1 }
        }
        let samples = SelectedSamples(mask: mask, width: grid.depth.width, height: grid.depth.height)
        let cloud = GridCloud(grid, selecting: samples, texture: grid.texture).collected()
        var numbers: [Int32: Int] = [:]
        for sample in mask.indices where mask[sample] != 0 { numbers[Int32(sample)] = numbers.count }
        for point in outline.points {
            guard let first = numbers[point.ends.x], let second = numbers[point.ends.y],
                let owner = numbers[point.owner]
            else { continue }
            func ray(_ number: Int) -> SIMD3<Float> {
                cloud.positions[number] / abs(cloud.positions[number].z)
            }
            let share = point.position
            points.positions.append((ray(first) * (1 - share) + ray(second) * share) / point.inverseDepth)
            if !cloud.colors.isEmpty { points.colors.append(cloud.colors[owner]) }
            if !cloud.normals.isEmpty { points.normals.append(cloud.normals[owner]) }
            if !cloud.confidences.isEmpty { points.confidences.append(cloud.confidences[owner]) }
            if !cloud.textureCoordinates.isEmpty {
                let (start, end) = (cloud.textureCoordinates[first], cloud.textureCoordinates[second])
                points.textureCoordinates.append(start + (end - start) * share)
            }
        }
    }
}
