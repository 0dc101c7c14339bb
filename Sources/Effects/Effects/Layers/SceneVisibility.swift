internal import DepthMaps

/// The visible fraction of a flat layer at each pixel of a scene: 1 where the scene is farther, 0 where it is nearer.
///
/// Within 2 % of the layer's disparity the change is a smooth step, so that a layer that cuts into a surface does so softly.
/// An edge of depth is antialiased: visibility is a mean over 3 × 3 pixels, weighted 1 2 1. Around a matte's subject the
/// matte replaces both.
struct SceneVisibility: Sendable {
    private let disparity: [Float]
    private let width: Int
    private let height: Int
    private let matte: [UInt8]
    private let band: MatteBoundary?
    /// How the matte divides each pixel; empty without a matte.
    private let shares: [MatteSplit.Share]
    /// The layer's reciprocal distance.
    private let layer: Float

    private static var softness: Float { 0.02 }

    /// `matte` has the size of the scene.
    init(_ scene: DisparityMap, _ matte: Matte?, distance: Float) {
        layer = 1 / distance
        width = scene.width
        height = scene.height
        self.matte = matte?.coverage ?? []
        var settled = scene.reciprocalMeters
        let known = matte.map { matte in
            MatteBoundary(matte, settled, scene.width, scene.height, leastDifference: 0.02 / distance)
        }
        shares = known?.settle(&settled).shares ?? []
        band = known
        disparity = settled
    }

    /// The disparities between which a layer at a distance goes from fully visible to fully hidden.
    static func step(at distance: Float) -> ClosedRange<Float> {
        (1 - softness) / distance...(1 + softness) / distance
    }

    /// The hidden fraction of the layer at each pixel.
    var hidden: Matte {
        let coverage = parallelPixels(width: width, height: height) { column, row in
            UInt8((1 - share(column, row)) * 255 + 0.5)
        }
        return Matte(width: width, height: height, coverage: coverage)
    }

    /// The visible fraction of the layer at a pixel, 0…1.
    @inline(__always)
    private func share(_ column: Int, _ row: Int) -> Float {
        if let band, let sides = band.sides(column, row) {
            let coverage = matte[row * width + column]
            let value = disparity[row * width + column]
            let near = coverage >= MatteBoundary.fullCoverage ? value : sides.near
            let far = shares[row * width + column].isMixed ? sides.far : value
            let share = Float(coverage) * (1 / 255)
            return step(far) + (step(near) - step(far)) * share
        }
        return smoothedStep(column, row)
    }

    private func smoothedStep(_ column: Int, _ row: Int) -> Float {
        var sum: Float = 0
        for y in -1...1 {
            let line = min(max(row + y, 0), height - 1) * width
            let left = step(disparity[line + max(column - 1, 0)])
            let right = step(disparity[line + min(column + 1, width - 1)])
            sum += (left + 2 * step(disparity[line + column]) + right) * (y == 0 ? 2 : 1)
        }
        return sum * (1 / 16)
    }

    @inline(__always)
    private func step(_ disparity: Float) -> Float { Self.share(ofLayerAt: layer, at: disparity) }

    /// The visible fraction of a layer where the scene has a disparity; unknown samples are farther.
    @inline(__always)
    static func share(ofLayerAt layer: Float, at disparity: Float) -> Float {
        smoothStep((layer - disparity) / (2 * softness * layer) + 0.5)
    }
}
