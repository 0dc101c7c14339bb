internal import DepthMaps
internal import DepthTypes

/// Searches a map for the two disparities between which an object lies.
///
/// An object is a piece of the map between a far and a near bound that is connected with a seed. Bounds are good if the
/// piece ends where depth jumps. Most bounds cut through a surface somewhere, and the piece ends where nothing does. So each
/// bound is tried in steps of 1/64 of the map's range, beginning at the surface of the seed. The first is used whose piece
/// has an outline nearly as good as the best, or, if the next ones give the same piece, the middle of them. A near bound
/// is used only at a gap of depth.
struct SubjectSearch {
    /// An object.
    struct Subject {
        /// The far and the near bound; either can be infinite.
        var disparities: ClosedRange<Float>
        /// Its samples in the searched map.
        var region: SampleRegion
        /// The mean of its outline, -1…1: 1 where it is clearly in front of what is beside it, and -1 where it is behind.
        var prominence: Float
    }

    /// The searched map, at most 256 samples wide and high, all of them finite.
    private let map: DisparityMap
    /// The first and the 99th percentile of the disparities.
    let disparities: ClosedRange<Float>

    /// The range of the disparities, which is more than 0.
    var span: Float { disparities.upperBound - disparities.lowerBound }

    /// Searches in a map whose samples are finite; `nil` if nearly all have one value.
    init?(_ map: DisparityMap) {
        let reduced = map.reduced(toAtMost: 256)
        guard let ends = reduced.percentiles([0.01, 0.99]), ends[1] > ends[0] else { return nil }
        (self.map, disparities) = (reduced, ends[0]...ends[1])
    }

    func subject(at seed: SubjectSeed) -> Subject {
        let weights = seed.weights(width: map.width, height: map.height)
        let surface = nearestSurface(weights)
        let seeds = map.samples.indices.filter {
            weights[$0] > 0 && abs(map.samples[$0] - surface) < 0.05 * span
        }
        func piece(_ far: Float, _ near: Float) -> SampleRegion {
            heaviestPiece(far, near, at: seeds, weights)
        }
        let steps = (2..<64).map { Float($0) / 64 * span }
        let farBounds = steps.map { surface - $0 }.filter { $0 > disparities.lowerBound }
        let nearBounds = steps.map { surface + $0 }.filter { $0 < disparities.upperBound } + [.infinity]
        var (far, near) = (-Float.infinity, Float.infinity)
        // The near bound depends on the far one, and the far one on it in turn.
        for _ in 0..<2 {
            far = best(of: farBounds) { piece($0, near) } ?? far
            let previous = near
            near = best(of: nearBounds) { piece(far, $0) } ?? near
            if near == previous { break }
        }
        // A near bound through a surface would cut off a hand that reaches forward.
        if near < .infinity, step(from: piece(far, near), beyond: near) < Self.leastStep {
            near = .infinity
            far = best(of: farBounds) { piece($0, near) } ?? far
        }
        let region = piece(far, near)
        return Subject(
            disparities: far...near, region: region, prominence: outline(of: region).prominence)
    }

    /// The mean step of depth from a region to nearer samples beside it that are beyond a bound, across four samples, in
    /// fractions of the span; infinite if nothing nearer is beside it.
    private func step(from region: SampleRegion, beyond near: Float) -> Float {
        let (width, height) = (map.width, map.height)
        var (sum, count) = (Float(0), Float(0))
        func add(_ first: Int, _ second: Int, _ before: Int, _ after: Int) {
            guard region.isInside[first] != region.isInside[second],
                map.samples[region.isInside[first] ? second : first] > near
            else { return }
            sum += abs(map.samples[after] - map.samples[before])
            count += 1
        }
        for y in 0..<height {
            for x in 0..<width {
                let index = y * width + x
                if x + 1 < width {
                    add(index, index + 1, y * width + max(x - 1, 0), y * width + min(x + 2, width - 1))
                }
                if y + 1 < height {
                    add(index, index + width, max(y - 1, 0) * width + x, min(y + 2, height - 1) * width + x)
                }
            }
        }
        return count > 0 ? sum / count / span : .infinity
    }

    /// The smallest mean step that is a gap between two objects.
    private static var leastStep: Float { 0.08 }

    /// The first bound whose piece has a contrast at most 0.05 below the best; the middle of the run that begins there, of
    /// such bounds whose pieces are at most 2 % larger.
    private func best(of bounds: [Float], piece: (Float) -> SampleRegion) -> Float? {
        let pieces = bounds.map { bound in
            let piece = piece(bound)
            return (contrast: outline(of: piece).contrast, count: piece.count)
        }
        let enough = (pieces.map(\.contrast).max() ?? 0) - 0.05
        guard let first = pieces.firstIndex(where: { $0.contrast >= enough }) else { return nil }
        let run = pieces[first...].prefix {
            $0.contrast >= enough && $0.count * 50 <= pieces[first].count * 51
        }
        return bounds[(first + run.endIndex - 1) / 2]
    }

    /// The middle of the nearest of 48 bins that, together with the one behind it, has 12 % of the weight, or with all nearer
    /// ones 30 %; moved to where the histogram stops rising.
    private func nearestSurface(_ weights: [Float]) -> Float {
        let bins = 48
        var histogram = [Float](repeating: 0, count: bins)
        for (sample, weight) in zip(map.samples, weights) where weight > 0 {
            let bin = (sample - disparities.lowerBound) / span * Float(bins)
            histogram[Int(min(max(bin, 0), Float(bins - 1)))] += weight
        }
        let total = histogram.reduce(0, +)
        var bin = bins - 1
        var nearer = histogram[bin]
        while bin > 0, histogram[bin] + histogram[bin - 1] < 0.12 * total, nearer < 0.3 * total {
            bin -= 1
            nearer += histogram[bin]
        }
        while bin > 0, histogram[bin - 1] > histogram[bin] { bin -= 1 }
        return disparities.lowerBound + span * (Float(bin) + 0.5) / Float(bins)
    }

    /// The piece between two bounds with the most weight of seeds.
    private func heaviestPiece(
        _ far: Float, _ near: Float, at seeds: [Int], _ weights: [Float]
    ) -> SampleRegion {
        let between = SampleRegion(
            width: map.width, height: map.height, isInside: map.samples.map { $0 >= far && $0 <= near })
        var isSeed = [Bool](repeating: false, count: weights.count)
        for seed in seeds { isSeed[seed] = true }
        let heaviest = between.pieces(at: seeds).map { piece in
            (piece, piece.members.reduce(Float(0)) { isSeed[$1] ? $0 + weights[$1] : $0 })
        }.max { $0.1 < $1.1 }
        return between.of(heaviest.map { [$0.0] } ?? [])
    }

    /// The mean of a region's outline, -1…1. For `contrast`, a surface that continues has -1, and a step of 12 % of the span
    /// within four samples 1. For `prominence`, a step of 6 % or more has 1 if the region is in front, otherwise -1, and
    /// smaller ones 0.
    ///
    /// Borders of the map have 0, except for the bottom one, on which subjects stand. Small regions get lower means, and
    /// those of less than 0.5 % of the map the lowest.
    private func outline(of region: SampleRegion) -> (contrast: Float, prominence: Float) {
        guard region.count * 200 >= map.samples.count else { return (-1, -1) }
        let (width, height) = (map.width, map.height)
        let unit = 0.06 * span
        var (contrast, prominence, length) = (Float(0), Float(0), 0)
        let (samples, isInside) = (map.samples.span, region.isInside.span)
        func add(_ first: Int, _ second: Int, _ before: Int, _ after: Int) {
            let isFirst = isInside[first]
            guard isFirst != isInside[second] else { return }
            let step = (isFirst ? samples[before] - samples[after] : samples[after] - samples[before]) / unit
            contrast += min(abs(step), 2) - 1
            prominence += step > 1 ? 1 : step < -1 ? -1 : 0
            length += 1
        }
        for y in 0..<height {
            let row = y * width
            if isInside[row] { length += 1 }
            if isInside[row + width - 1] { length += 1 }
            for x in 0..<width {
                let index = row + x
                if x + 1 < width {
                    add(index, index + 1, row + max(x - 1, 0), row + min(x + 2, width - 1))
                }
                if y + 1 < height {
                    add(
                        index, index + width, max(y - 1, 0) * width + x, min(y + 2, height - 1) * width + x)
                }
                if y == 0, isInside[index] { length += 1 }
            }
        }
        let whole = Float(length) + Float(width + height) / 8
        return (contrast / whole, prominence / whole)
    }
}

extension DisparityMap {
    /// The map with at most `most` samples in a row or column, as means.
    func reduced(toAtMost most: Int) -> DisparityMap {
        let longest = max(width, height)
        guard longest > most else { return self }
        return resampled(
            toWidth: max(width * most / longest, 1), height: max(height * most / longest, 1), by: .area)
    }
}
