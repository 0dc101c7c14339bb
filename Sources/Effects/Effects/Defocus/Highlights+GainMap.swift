package import DepthMaps
internal import DepthTypes

extension Highlights {
    /// The light of the HDR rendition, for pixels that the photo clips or nearly clips.
    ///
    /// From a weighted mean of 252 of 255, the gain map gives the factor; up to 240 it is 1, and between both it is a power of
    /// the map's: what the photo shows with detail keeps it. Gain maps also brighten sunlit skin and walls, of which one color
    /// alone is clipped; with a factor, these would lose their color.
    package init(_ map: GainMap, of image: ColorImage) {
        let stops = image.pixels.apply(
            { Self.stops(map, $0, image.width, image.height) },
            { Self.stops(map, $0, image.width, image.height) })
        self.init(stops: stops.contains { $0 > 0 } ? stops : [])
    }

    private static func stops<Sample>(
        _ map: GainMap, _ pixels: [RGB<Sample>], _ width: Int, _ height: Int
    ) -> [UInt8] {
        guard let first = map.factors.first, !first.isEmpty else { return [] }
        let stops = first.indices.map { index in
            let mean = map.factors.reduce(0) { $0 + $1[index] } / Float(map.factors.count)
            return Float(stop(ofFactor: mean))
        }
        let columns = InterpolationTap.taps(of: width, in: map.width)
        let lines = InterpolationTap.taps(of: height, in: map.height)
        let scale = 1 / Float(Int(Sample.max) / 255)
        return parallelPixels(width: width, height: height) { column, row in
            let share = min((pixels[row * width + column].weightedMean * scale - 240) / 12, 1)
            guard share > 0 else { return 0 }
            return UInt8(stops.between(columns[column], lines[row], width: map.width) * share + 0.5)
        }
    }
}

extension RGB {
    /// The mean with twice the weight for green, as brightness has.
    @inline(__always)
    fileprivate var weightedMean: Float { (Float(red) + 2 * Float(green) + Float(blue)) * 0.25 }

    /// The largest of the three values.
    @inline(__always)
    var greatest: Sample { max(red, green, blue) }
}
