internal import DepthTypes

/// Aligns views to a surface, from coarse to fine, by depth and brightness at once.
///
/// Minimizes Σ w·(n·(T·p) + h)² over points p of the view and planes of the surface at their pixels (Chen and Medioni 1991),
/// and Σ w·(I(π(T·p)) − I′ − b)² over their brightness (Steinbrücker et al. 2011), by Gauss-Newton. Weights are those of a
/// t-distribution (Kerl et al. 2013), with scales that are estimated along.
struct ViewAligner {
    private let surface: [SurfaceLevel]
    private let view: [ViewLevel]

    /// Iterations at most, from the finest level on.
    private static let iterations = [6, 8, 12, 16]

    /// How far the result may be from the initial pose, as a fraction of the distance and in radians. On a pattern that repeats,
    /// alignments slide by any number of periods.
    private static let farthest = 0.35
    private static let widest = 0.5

    /// Levels of both, from fine to coarse.
    init(_ view: [ViewLevel], to surface: [SurfaceLevel]) {
        self.view = view
        self.surface = surface
    }

    /// Aligns from an initial pose. `nil` if too few points meet the surface, if nothing determines the pose, and if it is far from
    /// the initial one.
    func align(from start: CameraPose) -> FrameAlignment? {
        var result = FrameAlignment(pose: start)
        var scales = AlignmentScales()
        for level in (0..<min(view.count, surface.count)).reversed() {
            for _ in 0..<Self.iterations[min(level, Self.iterations.count - 1)] {
                let sums = AlignmentSums(view[level], surface[level], result.pose, scales)
                guard sums.depthCount + sums.brightnessCount >= 60 else { return nil }
                scales.update(sums)
                sums.describe(&result, scales)
                var damped = sums.total.matrix
                for index in 0..<6 { damped[index, index] *= 1 + 1e-4 }
                guard let step = damped.solved(sums.total.column * -1), step.isSmall else { return nil }
                result.pose = CameraPose(step).appending(result.pose).orthonormal
                let motion = step.motion(at: result.distance)
                if motion < 1e-5 * result.distance { break }
            }
        }
        let change = result.pose.appending(start.inverse)
        guard change.position.length < Self.farthest * result.distance, change.angle < Self.widest else {
            return nil
        }
        return result
    }
}

extension Twist {
    /// Not farther than the linear equations can be trusted at all.
    fileprivate var isSmall: Bool { motion(at: 1) < 1 }

    /// How far points at a distance move at most, in the distance's unit.
    func motion(at distance: Double) -> Double {
        SIMD3(self[0], self[1], self[2]).length + distance * SIMD3(self[3], self[4], self[5]).length
    }
}
