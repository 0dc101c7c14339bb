package import DepthMaps

/// A photo with its depth, prepared to be rendered from viewpoints near its camera.
///
/// The far side is extended behind edges (``HiddenSurface``), as wide as the views need. Gaps that remain (less than 0.1 %
/// of a view of phone portraits) are filled along rows.
package struct ViewRenderer: Sendable {
    /// Pixels in a row of the photo.
    package let width: Int
    /// The number of rows.
    package let height: Int
    /// The disparity that stays in place.
    package let pivot: Float
    /// The shift at which the nearest and the farthest objects move apart by ``strength``, in pixels per unit of disparity.
    package let fullShift: Float
    /// The parallax between the nearest and the farthest objects in the widest view, as a fraction of the width.
    package let strength: Float
    /// The advance at which the picture's edges move as far as with ``fullShift``, or as far as possible.
    package let fullAdvance: Float

    private let front: SurfaceLayer
    private let hidden: SurfaceLayer
    private let mixed: [Bool]
    private let codes: TransferFunctionTable<UInt8>

    /// Prepares an 8-bit sRGB photo. The map has its size and no unknown samples. `pivot` is the disparity that stays in
    /// place, `strength` the maximum parallax between the nearest and the farthest objects, as a fraction of the width.
    /// `subject` is drawn with its soft edges where it is nearer than its surroundings.
    package init(
        _ photo: [RGB<UInt8>], _ disparity: DisparityMap, subject: SoftSubject? = nil, pivot: Float,
        strength: Float
    ) {
        precondition(photo.count == disparity.width * disparity.height, "the map has the photo's size")
        (width, height) = (disparity.width, disparity.height)
        (self.pivot, self.strength) = (pivot, strength)
        let ends = disparity.percentiles([0.01, 0.99]) ?? [0, 1]
        let range = max(ends[1] - ends[0], 1e-6)
        let parting = max(strength * Float(width), 1)
        fullShift = parting / range
        fullAdvance = min(4 * strength / range, 0.5 / max(ends[1], 1e-6))
        let light = TransferFunctionTable<UInt8>(.sRGB)
        codes = light
        let limits = ends[0] - range...ends[1] + range
        // Surfaces that part by less than a pixel are one.
        let jump = range / parting
        var nearness = disparity.reciprocalMeters
        var coverage: [UInt8] = []
        var colors = photo
        var seen: [SIMD4<Float>] = []
        if let subject, subject.matte.coverage.count == photo.count, case .uint8(let own) = subject.colors {
            let split = MatteBoundary(subject.matte, nearness, width, height, leastDifference: jump)
                .settle(&nearness)
            coverage = split.shares.map(\.opacity)
            seen = SeenBackground.pixels(photo, subject.matte, split, light)
            for index in colors.indices where coverage[index] < 255 { colors[index] = own[index] }
        }
        nearness = SteepEdges.steepened(
            nearness, photo.map { Float($0.red) + 2 * Float($0.green) + Float($0.blue) }, width: width,
            height: height, radius: max(max(width, height) / 160, 2),
            leastDifference: max(4 * jump, range / 8))
        let pixels: [SIMD4<Float>] = parallelMapRows(width: width, height: height) {
            [nearness, colors] rows, output in
            let start = rows.lowerBound * disparity.width
            for index in 0..<output.count {
                let value = nearness[start + index]
                output[index] = light.light(
                    of: colors[start + index],
                    weight: min(max(value, limits.lowerBound), limits.upperBound))
            }
        }
        // Cells that part by less than four pixels are stretched: a tear would show what is far behind.
        front = SurfaceLayer(
            width: width, height: height, pixels: pixels, opacity: coverage.map { Float($0) / 255 },
            jump: 4 * jump)
        // Soft edges show what is behind them, at any width.
        let soft = coverage.isEmpty ? 0 : width / Self.softShare
        let behind = HiddenSurface(behind: front, jump: jump, seen: seen, reach: Int(parting) + 2 + soft)
        (hidden, mixed) = (behind.layer, behind.mixed)
    }

    /// The width of the picture divided by the maximum width of soft edges.
    private static let softShare = 16

    /// The picture from a viewpoint, at any size of the same shape, with the disparity of its pixels if requested.
    package func picture(from view: ViewPoint, width: Int, height: Int) -> [RGB<UInt8>] {
        rasterizer(view, width, height).picture(codes)
    }

    /// The disparity in a view, in the unit of the map.
    package func disparities(from view: ViewPoint, width: Int, height: Int) -> [Float] {
        rasterizer(view, width, height).disparities()
    }

    private func rasterizer(_ view: ViewPoint, _ width: Int, _ height: Int) -> ViewRasterizer {
        // Shifts are in pixels of the photo.
        var scaled = view
        scaled.shift *= Float(width) / Float(self.width)
        // Borders that would become visible stay outside.
        var rasterizer = ViewRasterizer(
            width: width, height: height, view: scaled, pivot: pivot, zoom: 1 + 1.5 * strength)
        rasterizer.draw(hidden)
        rasterizer.draw(front, leavingOut: view == .camera ? [] : mixed)
        rasterizer.fillGaps()
        return rasterizer
    }
}
