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
        return parallelMapRows(width: width, height: height) { rows, output in
            for row in rows {
                let y = lines[row]
                let upper = stops.span.extracting(y.first * map.width..<(y.first + 1) * map.width)
                let lower = stops.span.extracting(y.second * map.width..<(y.second + 1) * map.width)
                for column in 0..<width {
                    let place = (row - rows.lowerBound) * width + column
                    let share = min((pixels[row * width + column].weightedMean * scale - 240) / 12, 1)
                    guard share > 0 else {
                        output[place] = 0
                        continue
                    }
                    let x = columns[column]
                    let left = upper[x.first] + (lower[x.first] - upper[x.first]) * y.fraction
                    let right = upper[x.second] + (lower[x.second] - upper[x.second]) * y.fraction
                    output[place] = UInt8((left + (right - left) * x.fraction) * share + 0.5)
                }
            }
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
