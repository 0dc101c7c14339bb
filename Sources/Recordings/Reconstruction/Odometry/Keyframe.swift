internal import DepthTypes

/// The model that frames are aligned to: the view of a keyframe, with the depth of the frames after it averaged in.
struct Keyframe: Sendable {
    /// Its index in the graph.
    let index: Int
    /// Its levels, from fine to coarse.
    private(set) var surface: [SurfaceLevel]
    private var fine: ViewLevel
    /// The number of averaged samples at each pixel.
    private var counts: [Float]
    private var mergedCount = 0

    /// Averages of more frames hardly gain, and follow changes slowly.
    private static let mostSamples: Float = 20
    /// Samples that differ by more, as a fraction, show something else.
    private static let tolerance: Float = 0.04

    init(_ index: Int, _ levels: [ViewLevel]) {
        self.index = index
        fine = levels[0]
        surface = levels.map { SurfaceLevel($0) }
        counts = fine.depth.map { $0 > 0 ? 1 : 0 }
    }

    /// The view at half the resolution, to keep.
    var kept: ViewLevel { surface.count > 1 ? surface[1].view : fine }

    /// Averages the depth of an aligned view in.
    mutating func merge(_ view: ViewLevel, at pose: CameraPose) {
        let back = pose.inverse
        let (right, down) = (SIMD3<Float>(back.right), SIMD3<Float>(back.down))
        let (forward, position) = (SIMD3<Float>(back.forward), SIMD3<Float>(back.position))
        for row in 0..<fine.height {
            for column in 0..<fine.width {
                let place = row * fine.width + column
                let z = fine.depth[place]
                guard z > 0 else { continue }
                let own = fine.point(column, row, z)
                let point = right * own.x + down * own.y + forward * own.z + position
                guard let seen = view.place(of: point) else { continue }
                let sample = view.depth[seen]
                // Along the ray both depths change by nearly the same fraction.
                let ratio = sample / point.z
                guard abs(ratio - 1) < Self.tolerance else { continue }
                let count = min(counts[place] + 1, Self.mostSamples)
                counts[place] = count
                fine.depth[place] = z * (1 + (ratio - 1) / count)
            }
        }
        mergedCount += 1
        // With each doubling the noise of the average is noticeably less.
        if mergedCount & (mergedCount - 1) == 0 || mergedCount % 8 == 0 { renew() }
    }

    private mutating func renew() {
        surface = ViewPyramid.levels(fine).map { SurfaceLevel($0) }
    }
}
