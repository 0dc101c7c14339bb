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
    /// How far the layer goes on beside what it is hidden by, in samples: photos and maps mix both sides there.
    private static let overlap = 4

    /// The layer behind the edges of a map. `colors` has the photo's color at each sample, or is empty; disparity is `nan` where
    /// unknown. `omitted` are the samples that the front does not show.
    package init(behind colors: [RGB<UInt8>], _ map: DisparityMap, omitted: [Bool] = []) {
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
            seen: [], reach: min(width, height) / Self.reach
        ).layer.pixels
        let isHidden = front.indices.map { front[$0] - hidden[$0].w > jump }
        let isBare = omitted.isEmpty ? isHidden : zip(isHidden, omitted).map { $0 || $1 }
        let isShown = isBare.dilated(width: width, height: height, by: Self.overlap)
        disparity = front.indices.map { index in
            guard isShown[index] else { return .nan }
            if isHidden[index] { return max(hidden[index].w, ends[0]) }
            return (hidden[index].w.isNaN ? front[index] : min(hidden[index].w, front[index])) / Self.setback
        }
        self.colors = colors.indices.map {
            isShown[$0] && !hidden[$0].w.isNaN ? light.pixel(ofLight: hidden[$0]) : colors[$0]
        }
    }
}
