internal import DepthTypes
package import Scenes

/// The surfaces that some frames of a recording show, in cubic cells: ``floor(near:)`` finds the floor among them.
///
/// A cell has one vote, even if several frames see it. Memory is bounded by the number of frames: about 100 bytes for
/// every fourth sample of views of 160 columns.
package struct SurfaceSurvey {
    /// The edge of a cell, in meters: a fortieth of the median distance in the first frame.
    private(set) var edge = 0.0
    private var cells: [Cell] = []
    private var indices: [SIMD3<Int32>: Int] = [:]

    /// Columns of views at most: windows for normals are wide, so that noise does not matter.
    private static let mostColumns = 160
    /// Cells with a shorter mean normal are not flat.
    private static let leastNormal = 0.9

    /// The sums of the points and normals in a cube.
    private struct Cell {
        var point = SIMD3<Double>.zero
        var normal = SIMD3<Double>.zero
        var count = 0.0
    }

    /// A survey of no frames.
    package init() {}

    /// Adds the surfaces of a frame. One without pose, depth or camera is skipped.
    package mutating func add(_ frame: DepthScene) {
        guard let pose = frame.description.pose, var view = ViewReduction.level(of: frame) else { return }
        while view.width > Self.mostColumns { view = view.halved() }
        if edge == 0 {
            let known = view.depth.filter { $0 > 0 }.sorted()
            guard !known.isEmpty else { return }
            edge = Double(known[known.count / 2]) / 40
        }
        let planes = SurfaceLevel(view).planes
        for row in stride(from: 0, to: view.height, by: 2) {
            for column in stride(from: 0, to: view.width, by: 2) {
                let plane = planes[row * view.width + column]
                guard plane != .zero else { continue }
                let point = view.point(column, row, view.depth[row * view.width + column])
                // Normals of planes point away from the camera.
                add(
                    pose.world(SIMD3<Double>(point)),
                    pose.turned(-SIMD3(Double(plane.x), Double(plane.y), Double(plane.z))))
            }
        }
    }

    private mutating func add(_ point: SIMD3<Double>, _ normal: SIMD3<Double>) {
        let place = (point / edge).rounded(.down)
        // Poses of damaged files are anywhere.
        guard (0..<3).allSatisfy({ abs(place[$0]) < 1e9 }) else { return }
        let key = SIMD3<Int32>(place)
        let index = indices[key] ?? cells.count
        if index == cells.count {
            indices[key] = index
            cells.append(Cell())
        }
        cells[index].point += point
        cells[index].normal += normal
        cells[index].count += 1
    }

    /// The flat cells: their mean point and unit normal.
    var patches: [SurfacePatch] {
        cells.compactMap { cell in
            let length = cell.normal.length
            guard length > Self.leastNormal * cell.count else { return nil }
            return SurfacePatch(point: cell.point / cell.count, normal: cell.normal / length)
        }
    }

    /// A number of cells as a fraction of all.
    func share(_ count: Int) -> Double { Double(count) / Double(max(1, cells.count)) }
}

/// A small piece of a surface.
struct SurfacePatch {
    let point: SIMD3<Double>
    /// The unit normal, toward the cameras.
    let normal: SIMD3<Double>
}
