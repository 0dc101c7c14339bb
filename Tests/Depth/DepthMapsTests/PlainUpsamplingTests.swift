import Testing

@testable import DepthMaps

/// The kernels of guided upsampling beside plain versions of them, a sample at a time, in Float64.
@Suite("Kernels of guided upsampling and plain versions of them")
struct PlainUpsamplingTests {
    private static let (width, height) = (23, 17)
    private let plane: PaddedPlane
    private let colors: SampleColors

    /// Two surfaces, one of them with small steps where the photo has them, some samples in between, and two that are not finite.
    init() {
        let (width, height) = (Self.width, Self.height)
        var samples = (0..<width * height).map { place -> Float in
            let (row, column) = (place / width, place % width)
            let isNear = (row - 8) * (row - 8) + (column - 6) * (column - 6) < 20
            return isNear ? 3 + 0.1 * Float(column) : 1 + 0.02 * Float(row * column % 7 < 3 ? 1 : 0)
        }
        samples[3 * width + 15] = 2
        (samples[5 * width + 19], samples[12 * width + 3]) = (.nan, .infinity)
        plane = PaddedPlane(LowResolutionPlane(samples: samples, width: width, height: height))
        let pixels = (0..<16 * width * height).map { place -> RGB<UInt8> in
            let (row, column) = (place / (4 * width) / 4, place % (4 * width) / 4)
            let isNear = (row - 8) * (row - 8) + (column - 6) * (column - 6) < 20
            let noise = UInt8(place * 31 % 11)
            return isNear
                ? RGB(red: 180 + noise, green: 60, blue: 40)
                : RGB(red: 90 + noise, green: row * column % 7 < 3 ? 140 : 110, blue: 150)
        }
        colors = SampleColors(pixels, 4 * width, 4 * height, sampleColumns: width, sampleRows: height)
    }

    private func sample(_ row: Int, _ column: Int) -> Double {
        Double(plane.samples[row * plane.stride + column])
    }

    private func color(_ row: Int, _ column: Int) -> [Double] {
        let color = colors.color(row, column)
        return [Double(color.x), Double(color.y), Double(color.z)]
    }

    @Test("Cells are of the kind that their 4 × 4 samples have", arguments: [0.05, 0.3])
    func kinds(jump: Float) {
        let cells = plane.cells(least: 0.01, jump: jump)
        var counts: [GuidedCell: Int] = [:]
        for row in 0..<plane.height - 3 {
            for column in 0..<plane.stride - 3 {
                let samples = (0..<16).map { sample(row + $0 / 4, column + $0 % 4) }
                let corners = [5, 6, 9, 10].map { samples[$0] }
                let range = (samples.max() ?? 0) - (samples.min() ?? 0)
                let kind: GuidedCell =
                    if !samples.allSatisfy(\.isFinite) {
                        corners.allSatisfy(\.isNaN) ? .empty : .edge
                    } else {
                        range <= 0.01 ? .even : Float(range) <= jump ? .weak : .edge
                    }
                #expect(cells[row * (plane.stride - 3) + column] == kind)
                counts[kind, default: 0] += 1
            }
        }
        #expect(
            counts[.even, default: 0] > 0 && counts[.weak, default: 0] > 0 && counts[.edge, default: 0] > 0)
    }

    /// The value of a pixel by the votes of 4 × 4 samples, in an edge cell that begins at a padded row and column.
    private func voted(_ row: Int, _ column: Int, _ pixel: PixelOfCell, takesSides: Bool) -> Double {
        let places = (0..<16).map { (row: row + $0 / 4, column: column + $0 % 4) }
        let samples = places.map { sample($0.row, $0.column) }
        let known = samples.filter(\.isFinite)
        let (low, high) = (known.min() ?? 0, known.max() ?? 0)
        let colors = places.map { color($0.row, $0.column) }
        let variance = (0..<3).reduce(0.0) { sum, channel in
            let mean = colors.reduce(0) { $0 + $1[channel] } / 16
            return sum + colors.reduce(0) { $0 + ($1[channel] - mean) * ($1[channel] - mean) } / 16
        }
        let deviation = 4 * (1e-4 + variance / 4).squareRoot()
        let trust = places.indices.map { index -> Double in
            guard samples[index].isFinite else { return 0 }
            let place = places[index].row * plane.stride + places[index].column
            let mixing = takesSides ? 8 * Double(plane.mixing[place]) / (high - low) : 0
            return 1 / (1 + mixing * mixing)
        }
        func decay(_ x: Double) -> Double {
            (0..<8).reduce(1.0) { power, _ in power * max(1 - x, 0.1778279) }
        }
        func mean(_ weight: (Int) -> Double) -> Double {
            let weights = samples.indices.map { weight($0) * trust[$0] }
            let sum = samples.indices.reduce(0.0) { $0 + (trust[$1] > 0 ? weights[$1] * samples[$1] : 0) }
            return sum / weights.reduce(0, +)
        }
        func near(_ index: Int, _ weight: (Double) -> Double) -> Double {
            weight(abs(Double(index % 4) - 1 - Double(pixel.x)))
                * weight(abs(Double(index / 4) - 1 - Double(pixel.y)))
        }
        let seen = [pixel.color.x, pixel.color.y, pixel.color.z].map { Double($0) }
        let vote = mean { index in
            let distance = (0..<3).reduce(0.0) { sum, channel in
                let difference = (seen[channel] - colors[index][channel]) / deviation
                return sum + difference * difference
            }
            return near(index) { 1 - $0 * $0 / 4 } * decay(distance)
        }
        guard takesSides else { return vote }
        return mean { index in
            let difference = (vote - samples[index]) / (0.8 * (high - low))
            let spline = near(index) { t in
                t < 1 ? 4 - 6 * t * t + 3 * t * t * t : (2 - t) * (2 - t) * (2 - t)
            }
            return spline * decay(difference * difference)
        }
    }

    @Test("Pixels at edges get what the samples around vote for", arguments: [true, false])
    func votes(takesSides: Bool) {
        // The jump is at most half of the samples' range, so that only the votes determine the value.
        var cell = EdgeCell(jump: 0.05, takesSides: takesSides)
        var count = 0
        for row in 0..<plane.height - 3 {
            for column in 0..<plane.stride - 3 {
                let samples = (0..<16).map { sample(row + $0 / 4, column + $0 % 4) }
                let known = samples.filter(\.isFinite)
                guard let low = known.min(), let high = known.max(), high - low > 0.1 else { continue }
                cell.load(plane, colors, row: row, column: column)
                let pixels = ([(0.1, 0.3), (0.7, 0.2), (0.5, 0.5), (0.9, 0.95)] as [(Float, Float)]).map {
                    PixelOfCell(
                        color: SIMD4(0.4 + 0.3 * $0, 0.5 - 0.2 * $1, 0.3, 0), x: $0, y: $1, place: 0)
                }
                for pixel in pixels {
                    let nearest = samples[(pixel.y < 0.5 ? 4 : 8) + (pixel.x < 0.5 ? 1 : 2)]
                    let value = Double(cell.value(pixel, smooth: 1))
                    guard nearest.isFinite else {
                        #expect(value.isNaN == nearest.isNaN && !value.isFinite)
                        continue
                    }
                    let expected = voted(row, column, pixel, takesSides: takesSides)
                    #expect(abs(value - expected) < 2e-4 * (high - low))
                    count += 1
                }
            }
        }
        #expect(count > 200)
    }

    /// The slopes of the map with color by a regression over 5 × 5 samples without the planes through them.
    private func plainSlope(_ row: Int, _ column: Int) -> [Double] {
        let offsets = (-2...2).flatMap { dy in (-2...2).map { (x: Double($0), y: Double(dy)) } }
        func rest(_ value: (Int, Int) -> Double) -> [Double] {
            let values = offsets.map { value(row + Int($0.y), column + Int($0.x)) }
            let mean = values.reduce(0, +) / 25
            let across = zip(values, offsets).reduce(0) { $0 + $1.0 * $1.1.x } / 50
            let down = zip(values, offsets).reduce(0) { $0 + $1.0 * $1.1.y } / 50
            return zip(values, offsets).map { $0 - mean - across * $1.x - down * $1.y }
        }
        func product(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
        let map = rest { sample($0, $1) }
        let channels = (0..<3).map { channel in rest { color($0, $1)[channel] } }
        let covariance = channels.map { product(map, $0) }
        let length = product(covariance, covariance)
        let projected = map.indices.map { place in
            (0..<3).reduce(0.0) { $0 + covariance[$1] * channels[$1][place] }
        }
        let along = product(projected, projected) + length * 25 * 6e-5
        let explained = length * length / (along * product(map, map))
        let share = min(max((explained - 0.25) * 3, 0), 1)
        let factor = length / along * share * share * (3 - 2 * share)
        return covariance.map { factor.isFinite ? $0 * factor : 0 }
    }

    @Test("Slopes are those of a regression on color where color explains small steps")
    func slopes() {
        let slopes = ColorSlopes(plane, colors, differences: 0.005...0.5)
        var count = 0
        for row in 4..<plane.height - 4 {
            for column in 4..<plane.stride - 4 {
                let found = slopes.slope(row, column)
                guard found != .zero else { continue }
                let expected = plainSlope(row, column)
                let scale = expected.map { abs($0) }.max() ?? 0
                for channel in 0..<3 {
                    #expect(abs(Double(found[channel]) - expected[channel]) < 0.01 * scale + 1e-4)
                }
                count += 1
            }
        }
        #expect(count > 20)
    }
}
