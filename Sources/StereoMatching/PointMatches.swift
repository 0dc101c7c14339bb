internal import DepthCore
internal import Synchronization

/// Points that are seen in both pictures, found with no assumption but that rows hardly differ.
struct PointMatches {
    struct Match: Sendable {
        /// Where it is in the right picture, in pixels of the full size.
        var at: SIMD2<Double>
        /// How much lower it is there than in the left picture.
        var rise: Double
    }

    private(set) var points: [Match] = []
    /// Half of a patch's side.
    private static let reach = 4

    /// Finds points in a small copy, and says where they are by a larger one.
    init(_ pair: ImagePyramid, level: Int, fine: Int) {
        let (left, right) = pair.levels[level]
        let margin = Self.reach + 1
        guard left.width > 4 * margin, left.height > 4 * margin else { return }
        let across = left.width / 3
        let down = max(2, left.height / 20)
        let corners = Self.corners(left, margin)
        let found = Mutex([Match?](repeating: nil, count: corners.count))
        parallelForRows(of: corners.count, minimum: 8) { band in
            for index in band {
                let corner = corners[index]
                // The way back must end where it began.
                guard let coarse = Self.best(left, right, corner, around: corner, across, down, unique: true),
                    let back = Self.best(right, left, coarse, around: coarse, across, down, unique: false),
                    abs(back.x - corner.x) <= 1, abs(back.y - corner.y) <= 1,
                    let match = Self.refined(pair, corner, coarse, level, fine)
                else { continue }
                found.withLock { $0[index] = match }
            }
        }
        points = found.withLock { $0.compactMap(\.self) }
    }

    /// Follows a match down to the larger copy.
    private static func refined(
        _ pair: ImagePyramid, _ corner: SIMD2<Int>, _ coarse: SIMD2<Int>, _ level: Int, _ fine: Int
    ) -> Match? {
        var (here, there) = (corner, coarse)
        var at = level
        while at > fine {
            at -= 1
            let (left, right) = pair.levels[at]
            (here, there) = (here &* 2, there &* 2)
            guard let found = best(left, right, here, around: there, 2, 2, unique: false) else { return nil }
            there = found
        }
        let (left, right) = pair.levels[at]
        let scale = Double(1 << at)
        guard let fraction = fraction(left, right, here, there) else { return nil }
        let center = (scale - 1) / 2
        return Match(
            at: SIMD2(Double(there.x) * scale + center, (Double(there.y) + fraction) * scale + center),
            rise: (Double(there.y - here.y) + fraction) * scale)
    }

    /// The most textured point of each cell of a grid: the larger of the smaller eigenvalues of its gradients (J. Shi and
    /// C. Tomasi, "Good features to track", CVPR 1994).
    private static func corners(_ image: GrayImage, _ margin: Int) -> [SIMD2<Int>] {
        let cell = max(8, image.width / 16)
        var corners: [SIMD2<Int>] = []
        for top in stride(from: margin, to: image.height - margin, by: cell) {
            for left in stride(from: margin, to: image.width - margin, by: cell) {
                var best = (strength: 400.0, at: SIMD2(-1, -1))
                for y in stride(from: top, to: min(top + cell, image.height - margin), by: 2) {
                    for x in stride(from: left, to: min(left + cell, image.width - margin), by: 2) {
                        let strength = strength(image, x, y)
                        if strength > best.strength { best = (strength, SIMD2(x, y)) }
                    }
                }
                if best.at.x >= 0 { corners.append(best.at) }
            }
        }
        return corners
    }

    private static func strength(_ image: GrayImage, _ x: Int, _ y: Int) -> Double {
        var (xx, xy, yy) = (0, 0, 0)
        for row in y - 2...y + 2 {
            for column in x - 2...x + 2 {
                let dx = Int(image.sample(column + 1, row)) - Int(image.sample(column - 1, row))
                let dy = Int(image.sample(column, row + 1)) - Int(image.sample(column, row - 1))
                xx += dx * dx
                xy += dx * dy
                yy += dy * dy
            }
        }
        let (mean, difference) = (Double(xx + yy) / 2, Double(xx - yy) / 2)
        return mean - (difference * difference + Double(xy * xy)).squareRoot()
    }

    /// The place around a guess where a patch differs least; `nil` where another place is nearly as good.
    private static func best(
        _ from: GrayImage, _ to: GrayImage, _ point: SIMD2<Int>, around guess: SIMD2<Int>, _ across: Int,
        _ down: Int,
        unique: Bool
    ) -> SIMD2<Int>? {
        var best = (cost: Int.max, at: guess)
        var second = Int.max
        for y in guess.y - down...guess.y + down where y >= reach && y < to.height - reach {
            for x in guess.x - across...guess.x + across where x >= reach && x < to.width - reach {
                let cost = difference(from, to, point, SIMD2(x, y), atMost: unique ? second : best.cost)
                if cost < best.cost {
                    if abs(x - best.at.x) > 2 || abs(y - best.at.y) > 2 { second = best.cost }
                    best = (cost, SIMD2(x, y))
                } else if cost < second, abs(x - best.at.x) > 2 || abs(y - best.at.y) > 2 {
                    second = cost
                }
            }
        }
        guard best.cost < .max, !unique || second == .max || best.cost * 5 < second * 4 else { return nil }
        return best.at
    }

    /// The sum of absolute differences of two patches, each less its mean; anything above the bound when it is passed.
    private static func difference(
        _ from: GrayImage, _ to: GrayImage, _ a: SIMD2<Int>, _ b: SIMD2<Int>, atMost bound: Int
    ) -> Int {
        let (ours, theirs) = (from.samples.span, to.samples.span)
        guard a.x >= reach, a.y >= reach, a.x < from.width - reach, a.y < from.height - reach, b.x >= reach,
            b.y >= reach, b.x < to.width - reach, b.y < to.height - reach
        else { return .max }
        let offset = Int(ours[a.y * from.width + a.x]) - Int(theirs[b.y * to.width + b.x])
        // The centers' difference stands for that of exposure, bounded so that it explains no texture away.
        let exposure = min(max(offset, -8), 8)
        var sum = 0
        for dy in -reach...reach {
            let (first, other) = ((a.y + dy) * from.width + a.x, (b.y + dy) * to.width + b.x)
            for dx in -reach...reach {
                sum += abs(Int(ours[first + dx]) - Int(theirs[other + dx]) - exposure)
            }
            if sum >= bound { return .max }
        }
        return sum
    }

    /// The fraction of a row by a parabola through three differences.
    private static func fraction(
        _ left: GrayImage, _ right: GrayImage, _ here: SIMD2<Int>, _ there: SIMD2<Int>
    ) -> Double? {
        let costs = (-1...1).map { difference(left, right, here, there &+ SIMD2(0, $0), atMost: .max) }
        guard costs.allSatisfy({ $0 < .max }) else { return nil }
        let bend = Double(costs[0] + costs[2] - 2 * costs[1])
        guard bend > 0 else { return nil }
        return min(max(Double(costs[0] - costs[2]) / (2 * bend), -0.5), 0.5)
    }
}
