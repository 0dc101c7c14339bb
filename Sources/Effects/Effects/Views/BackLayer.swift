package import DepthMaps

/// What a photo does not show: the far surfaces, continued under the near ones (``HiddenSurface``), as colors and disparity on
/// the samples of the map. Meant for maps of half a million samples or less.
package struct BackLayer: Sendable {
    /// The layer's colors, sRGB; those of the photo outside of the layer. Empty without a photo.
    package let colors: [RGB<UInt8>]
    /// The layer's disparity; `nan` outside of it.
    package let disparity: [Float]
    /// Whether the layer is empty, because the map has no edge.
    package var isEmpty: Bool { disparity.allSatisfy(\.isNaN) }

    /// The smallest step that hides something, as a fraction of the scene's range of disparity.
    private static let leastStep: Float = 1.0 / 16
    /// How far the layer reaches under near surfaces, as a fraction of the shorter side.
    private static let reach = 3
    /// Beside an edge, the layer is visible: it is this much farther there than the surface that it continues.
    private static let setback: Float = 1.002
    /// How often the layer is averaged, so that surfaces from different sides of an object meet without a step.
    private static let sweeps = 200

    /// The layer behind the edges of a map. `colors` has the photo's color at each sample, or is empty; disparity is `nan` where
    /// unknown.
    package init(behind colors: [RGB<UInt8>], _ map: DisparityMap) {
        let (width, height) = (map.width, map.height)
        let front = map.reciprocalMeters.map { $0.isFinite ? $0 : .nan }
        let ends = map.percentiles([0.01, 0.99]) ?? [0, 1]
        let jump = max(ends[1] - ends[0], 1e-6) * Self.leastStep
        let light = TransferFunctionTable<UInt8>(.sRGB)
        let black = RGB<UInt8>(red: 0, green: 0, blue: 0)
        let pixels = front.indices.map {
            light.light(of: colors.isEmpty ? black : colors[$0], weight: front[$0])
        }
        let hidden = HiddenSurface(
            behind: SurfaceLayer(width: width, height: height, pixels: pixels, jump: jump), jump: jump,
            seen: [], reach: min(width, height) / Self.reach,
            sweeps: Self.sweeps
        ).layer.pixels
        // Under the near surface, and a sample beside it, so that the layer meets the surface that it continues.
        let isHidden = front.indices.map { front[$0] - hidden[$0].w > jump }
        let isShown = isHidden.dilated(width: width, height: height, by: 1)
        disparity = front.indices.map { index in
            guard isShown[index] else { return .nan }
            // Samples that no surface reaches are as far as the farthest.
            let own = max(hidden[index].w, ends[0])
            return isHidden[index] ? own : min(own, front[index]) / Self.setback
        }
        self.colors = colors.indices.map {
            isShown[$0] && !hidden[$0].w.isNaN ? light.pixel(ofLight: hidden[$0]) : colors[$0]
        }
    }
}
