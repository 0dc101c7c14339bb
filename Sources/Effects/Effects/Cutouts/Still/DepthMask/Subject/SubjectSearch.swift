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
        /// The share of its outline, without the map's borders, along which it is clearly in front of what is beside it; 0
        /// if it covers less than 1 % of the map.
        var confidence: Float
        /// The surface under it, which does not belong to it.
        var floor: SupportingSurface?
    }

    /// The searched map, at most 256 samples wide and high, all of them finite.
    private let map: DisparityMap
    /// The samples that can belong to an object; `nan` on ``floor``.
    private var members: [Float]
    private var floor: SupportingSurface?
    /// The first and the 99th percentile of the disparities.
    let disparities: ClosedRange<Float>

    /// The range of the disparities, which is more than 0.
    var span: Float { disparities.upperBound - disparities.lowerBound }

    /// Searches in a map whose samples are finite; `nil` if nearly all have one value.
    init?(_ map: DisparityMap) {
        let reduced = map.reduced(toAtMost: 256)
        guard let ends = reduced.percentiles([0.01, 0.99]), ends[1] > ends[0] else { return nil }
        (self.map, members, disparities) = (reduced, reduced.samples, ends[0]...ends[1])
    }

    /// The object at the seed, without the floor if it stands out more without; if it does not stand out, the object that
    /// does most, and large ones more. A matte or a face is a subject even if it does not.
    func standout(at seed: SubjectSeed) -> (subject: Subject, isElsewhere: Bool) {
        var found = subject(at: seed)
        let above = found.confidence < 0.7 ? aboveFloor : nil
        if let standing = above?.subject(at: seed), standing.confidence > found.confidence + 0.05 {
            found = standing
        }
        guard seed.yields, found.confidence < DepthMask.leastConfidence else { return (found, false) }
        func score(_ subject: Subject) -> Float {
            let share = Float(subject.region.count) / Float(subject.region.isInside.count)
            return subject.confidence * min((share / 0.15).squareRoot(), 1)
        }
        guard let other = (above ?? self).standouts.max(by: { score($0) < score($1) }),
            score(other) > found.confidence
        else { return (found, false) }
        return (other, true)
    }

    /// The median disparity of an object.
    func median(of subject: Subject) -> Float? {
        let samples = zip(map.samples, subject.region.isInside).lazy.filter(\.1).map(\.0).sorted()
        return samples.isEmpty ? nil : samples[samples.count / 2]
    }

    /// The search without the surface on which objects stand; `nil` if the map shows none.
    private var aboveFloor: SubjectSearch? {
        guard let floor = SupportingSurface(map, disparities) else { return nil }
        var search = self
        search.floor = floor
        search.members = zip(map.samples, floor.region(of: map).isInside).map { $1 ? .nan : $0 }
        return search
    }

    /// The object at a seed, on this surface or else on the nearest large one.
    private func subject(at seed: SubjectSeed, on surface: Float? = nil) -> Subject {
        let weights = seed.weights(width: map.width, height: map.height)
        let surface = surface ?? nearestSurface(weights)
        let seeds = map.samples.indices.filter {
            weights[$0] > 0 && abs(members[$0] - surface) < 0.05 * span
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
        far = best(of: farBounds, isLast: true) { piece($0, near) } ?? far
        let region = piece(far, near)
        return Subject(
            disparities: far...near, region: region, confidence: confidence(region, nearest: near),
            floor: floor)
    }

    /// The objects on large surfaces anywhere in the map that cover its middle about as much as its borders, or more.
    private var standouts: [Subject] {
        let middle = SubjectSeed.weights(
            around: NormalizedPoint(x: 0.5, y: 0.5), half: 0.3, map.width, map.height)
        let mean = middle.reduce(0, +) / Float(middle.count)
        let uniform = [Float](repeating: 1, count: map.samples.count)
        var found: [Subject] = []
        for surface in [nearestSurface(uniform)] + peaks.prefix(5)
        where !found.contains(where: { $0.disparities ~= surface }) {
            found.append(subject(at: .nearest, on: surface))
        }
        return found.filter { subject in
            let weight = zip(middle, subject.region.isInside).reduce(Float(0)) { $1.1 ? $0 + $1.0 : $0 }
            return weight >= 0.6 * mean * Float(max(subject.region.count, 1))
        }
    }

    /// The mean step of depth from a region to nearer samples beside it that are beyond a bound, across four samples, in
    /// fractions of the span; infinite if nothing nearer is beside it.
    private func step(from region: SampleRegion, beyond near: Float) -> Float {
        var (sum, count) = (Float(0), Float(0))
        forEachEdge(of: region) { outside, step in
            guard map.samples[outside] > near else { return }
            sum += abs(step)
            count += 1
        }
        return count > 0 ? sum / count / span : .infinity
    }

    /// The least mean step at a near bound: smaller ones are within an object.
    private static var leastStep: Float { 0.08 }

    /// The first bound whose piece has a contrast at most 0.05 below the best; the middle of the run that begins there, of
    /// such bounds whose pieces are at most 2 % larger.
    ///
    /// `isLast`: the middle of a soft edge. Then contrast may vary by another 0.05, as it does with noise, and pieces may be up to
    /// 12 % larger, in steps of at most 2 %.
    private func best(
        of bounds: [Float], isLast: Bool = false, _ piece: (Float) -> SampleRegion
    ) -> Float? {
        let pieces = bounds.map { bound in
            let piece = piece(bound)
            return (contrast: contrast(of: piece), count: piece.count)
        }
        let enough = (pieces.map(\.contrast).max() ?? 0) - 0.05
        guard let first = pieces.firstIndex(where: { $0.contrast >= enough }) else { return nil }
        let most = pieces[first].count * (isLast ? 112 : 102)
        var last = first
        while last + 1 < pieces.count, pieces[last + 1].contrast >= (isLast ? enough - 0.05 : enough),
            pieces[last + 1].count * 100 <= min(most, pieces[last].count * 102)
        {
            last += 1
        }
        return bounds[(first + last) / 2]
    }

    /// The middle of the nearest of 48 bins that, together with the one behind it, has 12 % of the weight, or with all nearer
    /// ones 30 %; moved to where the histogram stops rising.
    private func nearestSurface(_ weights: [Float]) -> Float {
        let histogram = histogram(bins: 48, weights)
        let total = histogram.reduce(0, +)
        var bin = histogram.count - 1
        var nearer = histogram[bin]
        while bin > 0, histogram[bin] + histogram[bin - 1] < 0.12 * total, nearer < 0.3 * total {
            bin -= 1
            nearer += histogram[bin]
        }
        while bin > 0, histogram[bin - 1] > histogram[bin] { bin -= 1 }
        return middle(of: bin, in: histogram)
    }

    /// The peaks of a smoothed histogram of the samples that have 2 % of the map, nearest first.
    private var peaks: [Float] {
        let raw = [0] + histogram(bins: 32, [Float](repeating: 1, count: members.count)) + [0]
        let bins = raw.indices.dropFirst().dropLast().map {
            0.25 * (raw[$0 - 1] + raw[$0 + 1]) + 0.5 * raw[$0]
        }
        return bins.indices.reversed().filter { bin in
            let (farther, nearer) = (bin > 0 ? bins[bin - 1] : 0, bin + 1 < bins.count ? bins[bin + 1] : 0)
            return bins[bin] >= farther && bins[bin] > nearer
                && bins[bin] + farther + nearer >= 0.02 * Float(members.count)
        }.map { middle(of: $0, in: bins) }
    }

    /// The weights of the members by disparity.
    private func histogram(bins: Int, _ weights: [Float]) -> [Float] {
        var histogram = [Float](repeating: 0, count: bins)
        for (sample, weight) in zip(members, weights) where weight > 0 && !sample.isNaN {
            let bin = (sample - disparities.lowerBound) / span * Float(bins)
            histogram[Int(min(max(bin, 0), Float(bins - 1)))] += weight
        }
        return histogram
    }

    private func middle(of bin: Int, in histogram: [Float]) -> Float {
        disparities.lowerBound + span * (Float(bin) + 0.5) / Float(histogram.count)
    }

    /// The piece between two bounds with the most weight of seeds.
    private func heaviestPiece(
        _ far: Float, _ near: Float, at seeds: [Int], _ weights: [Float]
    ) -> SampleRegion {
        let between = SampleRegion(
            width: map.width, height: map.height, isInside: members.map { $0 >= far && $0 <= near })
        var isSeed = [Bool](repeating: false, count: weights.count)
        for seed in seeds { isSeed[seed] = true }
        let heaviest = between.pieces(at: seeds).map { piece in
            (piece, piece.members.reduce(Float(0)) { isSeed[$1] ? $0 + weights[$1] : $0 })
        }.max { $0.1 < $1.1 }
        return between.of(heaviest.map { [$0.0] } ?? [])
    }

    /// The mean of a region's outline, -1…1: a surface that continues has -1, and a step of 12 % of the span within four
    /// samples 1.
    ///
    /// Borders of the map have 0, except for the bottom one, on which subjects stand. Small regions get lower means, and
    /// those of less than 0.5 % of the map the lowest.
    private func contrast(of region: SampleRegion) -> Float {
        guard region.count * 200 >= map.samples.count else { return -1 }
        let (width, height) = (map.width, map.height)
        let unit = 0.06 * span
        var (contrast, length) = (Float(0), 0)
        forEachEdge(of: region) { _, step in
            contrast += min(abs(step) / unit, 2) - 1
            length += 1
        }
        for y in 0..<height {
            if region.isInside[y * width] { length += 1 }
            if region.isInside[(y + 1) * width - 1] { length += 1 }
        }
        length += region.isInside[..<width].count { $0 }
        return contrast / (Float(length) + Float(width + height) / 8)
    }

    /// The share of the outline where the region is in front by more than 8 % of the range (first to 99th percentile) of all
    /// that is not nearer than the region.
    private func confidence(_ region: SampleRegion, nearest: Float) -> Float {
        let others = DisparityMap(
            width: map.width, height: map.height,
            samples: map.samples.map { $0 <= nearest ? $0 : .nan }, scale: map.scale, calibration: nil)
        guard region.count * 100 >= map.samples.count, let ends = others.percentiles([0.01, 0.99]) else {
            return 0
        }
        let least = 0.08 * (ends[1] - ends[0])
        var (clear, length) = (0, 0)
        forEachEdge(of: region) { _, step in
            clear += step > least ? 1 : 0
            length += 1
        }
        return Float(clear) / Float(max(length, 1))
    }

    /// Calls `visit` for each pair of neighbors of which one is in a region, with the other one and how much nearer the region
    /// is across four samples.
    @inline(__always)
    private func forEachEdge(of region: SampleRegion, _ visit: (_ outside: Int, _ step: Float) -> Void) {
        let (width, height) = (map.width, map.height)
        let (samples, isInside) = (map.samples.span, region.isInside.span)
        func add(_ first: Int, _ second: Int, _ before: Int, _ after: Int) {
            guard isInside[first] != isInside[second] else { return }
            let step = samples[before] - samples[after]
            if isInside[first] { visit(second, step) } else { visit(first, -step) }
        }
        for y in 0..<height {
            let row = y * width
            for x in 0..<width {
                let index = row + x
                if x + 1 < width {
                    add(index, index + 1, row + max(x - 1, 0), row + min(x + 2, width - 1))
                }
                if y + 1 < height {
                    add(
                        index, index + width, max(y - 1, 0) * width + x, min(y + 2, height - 1) * width + x)
                }
            }
        }
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
