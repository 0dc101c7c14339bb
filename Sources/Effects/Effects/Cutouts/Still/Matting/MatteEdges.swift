internal import DepthMaps

/// Finds background that a matte assigns to the subject, because the matte's edge is outside of the photo's.
///
/// Uniform background beside the matte's edge is followed into the subject while the photo shows no edge, for at most `reach`
/// samples. It is removed from the subject if it ends at an edge within this reach. If it does not end, as before a
/// background of the subject's color, the photo gives no answer, and the matte stays.
struct MatteEdges: Sendable {
    /// Light, with coverage as the fourth element.
    private let samples: [SIMD4<Float>]
    private let width: Int
    private let height: Int
    private let reach: Int

    private static var background: Float { 0.02 }
    /// Coded mattes have noise of up to 8 of 255.
    private static var subject: Float { 247 / 255 }
    /// The coverage that the matte must have to be corrected: with less, wisps of hair would be lost.
    private static var disagreement: Float { 0.6 }
    /// The smallest number of background samples that define a surface, and of subject samples that define its surroundings.
    private static var leastSamples: (background: Float, subject: Float) { (8, 12) }
    /// The largest deviation of light in a uniform surface: a fraction of its brightness, and what noise adds in the dark.
    private static var mostUneven: (share: Float, dark: Float) { (0.12, 0.003) }
    /// The largest distance of light from its surface: in deviations, or as a fraction of the brightness plus noise.
    private static var similarity: (deviations: Float, share: Float, dark: Float) { (3, 0.06, 0.002) }
    /// The fraction of the subject that must have other colors: at twice the distance allowed for the surface.
    private static var leastDifferent: Float { 0.3 }

    init(_ samples: [SIMD4<Float>], width: Int, height: Int) {
        (self.samples, self.width, self.height) = (samples, width, height)
        reach = min(max(2, Int(Float(width * width + height * height).squareRoot() * 0.003 + 0.5)), 100)
    }

    /// A sample that was reached.
    private struct Step {
        var place: Int
        /// The step that it was reached from; -1 for the first.
        var origin: Int
        /// The surface that it belongs to.
        var surface: Int
    }

    /// A uniform background at the matte's edge.
    private struct Surface {
        var light: SIMD4<Float>
        /// The square of the largest distance of light that belongs to it.
        var limit: Float
        /// The mean light of the subject beside it.
        var subject: SIMD4<Float>

        func holds(_ sample: SIMD4<Float>) -> Bool { distance(to: sample) <= limit }

        /// The fraction of subject in a sample, 0.02 to 0.98: the position of its light between both.
        func share(in sample: SIMD4<Float>) -> Float {
            var (difference, position) = (subject - light, sample - light)
            (difference.w, position.w) = (0, 0)
            let share = (position * difference).sum() / max((difference * difference).sum(), 1e-9)
            return min(max(share, 0.02), 0.98)
        }

        func distance(to sample: SIMD4<Float>) -> Float {
            var difference = sample - light
            difference.w = 0
            return (difference * difference).sum()
        }
    }

    /// The matte with 0 where it assigns background to the subject.
    func corrected(_ matte: Matte) -> Matte {
        let (steps, surfaces, isOpen) = follow()
        var background = PlaceSet(count: samples.count)
        for first in steps.indices where samples[steps[first].place].w > Self.disagreement {
            var index = first
            while index >= 0, !background.contains(steps[index].place), !isOpen.contains(steps[index].place) {
                background.insert(steps[index].place)
                index = steps[index].origin
            }
        }
        // Soft samples beside them with the background's light belong to the background, too.
        let disputed = background
        for step in steps where !isOpen.contains(step.place) && hasNeighbor(of: step.place, in: disputed) {
            background.insert(step.place)
        }
        removeSpecks(from: &background, steps)
        let removed = steps.filter { background.contains($0.place) }
        guard !removed.isEmpty else { return matte }
        var coverage = matte.coverage
        for step in removed { coverage[step.place] = 0 }
        // The edge of the matte was here; the photo's edge is up to two samples wide.
        for step in removed {
            forEachPlace(within: 2, of: step.place) { place in
                guard coverage[place] == matte.coverage[place], samples[place].w >= Self.subject else {
                    return
                }
                coverage[place] = UInt8(surfaces[step.surface].share(in: samples[place]) * 255)
            }
        }
        clearSpecks(of: &coverage, beside: removed)
        return Matte(width: width, height: height, coverage: coverage)
    }

    /// Connected parts of the subject or the background with at most this many samples are noise.
    private var largestSpeck: Int { reach * reach }

    /// Assigns small background parts to the subject, because they would be notches in its edge.
    private func removeSpecks(from background: inout PlaceSet, _ steps: [Step]) {
        var seen = PlaceSet(count: samples.count)
        for step in steps where background.contains(step.place) {
            guard
                let part = part(
                    around: step.place, &seen, ofAtMost: largestSpeck, { background.contains($0) })
            else { continue }
            for place in part { background.remove(place) }
        }
    }

    /// Clears small remains of the subject between removed background.
    private func clearSpecks(of coverage: inout [UInt8], beside removed: [Step]) {
        var seen = PlaceSet(count: samples.count)
        var specks: [Int] = []
        for step in removed {
            forEachNeighbor(of: step.place) { next in
                guard coverage[next] > 0 else { return }
                specks += part(around: next, &seen, ofAtMost: largestSpeck) { coverage[$0] > 127 } ?? []
            }
        }
        for place in specks { coverage[place] = 0 }
    }

    /// The connected samples of a part, if there are at most `limit`. `nil` if there are more, if the first sample does not
    /// belong to the part, and if it was seen before.
    private func part(
        around first: Int, _ seen: inout PlaceSet, ofAtMost limit: Int, _ belongs: (Int) -> Bool
    ) -> [Int]? {
        guard belongs(first), !seen.contains(first) else { return nil }
        seen.insert(first)
        var part = [first]
        var index = 0
        var isLarge = false
        while index < part.count, part.count <= limit {
            forEachPlace(within: 1, of: part[index]) { next in
                guard belongs(next) else { return }
                if seen.contains(next) {
                    isLarge = isLarge || !part.contains(next)
                } else {
                    seen.insert(next)
                    part.append(next)
                }
            }
            index += 1
        }
        return isLarge || part.count > limit ? nil : part
    }

    private func hasNeighbor(of place: Int, in places: PlaceSet) -> Bool {
        var isFound = false
        forEachNeighbor(of: place) { isFound = isFound || places.contains($0) }
        return isFound
    }

    /// All reached samples, their surfaces, and samples near which a surface continues beyond the reach.
    private func follow() -> (steps: [Step], surfaces: [Surface], isOpen: PlaceSet) {
        var surfaces: [Surface] = []
        var steps: [Step] = []
        var reached = PlaceSet(count: samples.count)
        var open = PlaceSet(count: samples.count)
        forEachEdge { place in
            guard let surface = surface(around: place) else { return }
            surfaces.append(surface)
            forEachNeighbor(of: place) { next in
                guard samples[next].w > Self.background, !reached.contains(next), surface.holds(samples[next])
                else { return }
                reached.insert(next)
                steps.append(Step(place: next, origin: -1, surface: surfaces.count - 1))
            }
        }
        var first = 0
        for distance in 1...reach {
            let ring = first..<steps.count
            first = steps.count
            for index in ring {
                let step = steps[index]
                forEachNeighbor(of: step.place) { next in
                    guard samples[next].w > Self.background, !reached.contains(next),
                        surfaces[step.surface].holds(samples[next])
                    else { return }
                    if distance == reach {
                        insert(around: next, into: &open)
                    } else {
                        reached.insert(next)
                        steps.append(Step(place: next, origin: index, surface: step.surface))
                    }
                }
            }
        }
        return (steps, surfaces, open)
    }

    /// Calls `body` with each sample of the background that has a neighbor outside of it.
    private func forEachEdge(_ body: (Int) -> Void) {
        for row in 0..<height {
            for column in 0..<width {
                let place = row * width + column
                guard samples[place].w <= Self.background else { continue }
                var isEdge = false
                forEachNeighbor(of: place) { isEdge = isEdge || samples[$0].w > Self.background }
                if isEdge { body(place) }
            }
        }
    }

    /// The background around a sample, if it is uniform and the subject beside it has other colors.
    private func surface(around place: Int) -> Surface? {
        var (sum, squares, count) = (SIMD4<Float>.zero, SIMD4<Float>.zero, Float(0))
        // Large windows are subsampled, so that a matte full of edges costs no more per sample than a small one.
        let step = max(1, reach / 6)
        forEachPlace(within: reach, of: place, step: step) { other in
            let sample = samples[other]
            guard sample.w <= Self.background else { return }
            sum += sample
            squares += sample * sample
            count += 1
        }
        guard count >= Self.leastSamples.background else { return nil }
        var light = sum / count
        light.w = 0
        var variance = squares / count - light * light
        variance.w = 0
        let brightness = light.sum() / 3
        let deviation = max(variance.sum(), 0).squareRoot()
        guard deviation <= brightness * Self.mostUneven.share + Self.mostUneven.dark else { return nil }
        let (deviations, share, dark) = Self.similarity
        let limit = max(deviations * deviation, brightness * share + dark)
        var surface = Surface(light: light, limit: limit * limit, subject: .zero)
        var (subject, different) = (Float(0), Float(0))
        forEachPlace(within: 2 * reach, of: place, step: step) { other in
            let sample = samples[other]
            guard sample.w >= Self.subject else { return }
            subject += 1
            guard surface.distance(to: sample) > 4 * surface.limit else { return }
            surface.subject += sample
            different += 1
        }
        guard subject >= Self.leastSamples.subject, different >= Self.leastDifferent * subject else {
            return nil
        }
        surface.subject /= different
        return surface
    }

    private func insert(around place: Int, into places: inout PlaceSet) {
        forEachPlace(within: reach, of: place) { places.insert($0) }
    }

    @inline(__always)
    private func forEachPlace(within distance: Int, of place: Int, step: Int = 1, _ body: (Int) -> Void) {
        let (row, column) = (place / width, place % width)
        for y in stride(from: max(row - distance, 0), through: min(row + distance, height - 1), by: step) {
            let ends = (max(column - distance, 0), min(column + distance, width - 1))
            for x in stride(from: ends.0, through: ends.1, by: step) { body(y * width + x) }
        }
    }

    @inline(__always)
    private func forEachNeighbor(of place: Int, _ body: (Int) -> Void) {
        let column = place % width
        if place >= width { body(place - width) }
        if column > 0 { body(place - 1) }
        if column + 1 < width { body(place + 1) }
        if place + width < width * height { body(place + width) }
    }
}

/// A set of indices of a plane.
private struct PlaceSet {
    private var bits: [UInt64]

    init(count: Int) { bits = [UInt64](repeating: 0, count: count / 64 + 1) }

    func contains(_ place: Int) -> Bool { bits[place >> 6] >> UInt64(place & 63) & 1 != 0 }

    mutating func insert(_ place: Int) { bits[place >> 6] |= 1 << UInt64(place & 63) }

    mutating func remove(_ place: Int) { bits[place >> 6] &= ~(1 << UInt64(place & 63)) }
}
