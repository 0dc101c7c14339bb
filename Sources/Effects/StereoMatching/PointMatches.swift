internal import DepthMaps
internal import Synchronization

/// Points visible in both pictures, found with the only assumption that rows hardly differ.
struct PointMatches {
    struct Match: Sendable {
        /// Its position in the right picture, in pixels of the full size.
        var at: SIMD2<Double>
        /// How much lower it is in the right picture than in the left.
        var rise: Double
    }

    private(set) var points: [Match] = []
    /// Half of a patch's side: it is 8 pixels wide and 9 high.
    private static let reach = 4

    /// Finds points in a small copy, and locates them in a larger one.
    init(_ pair: ImagePyramid, level: Int, fine: Int) {
        let (left, right) = pair.levels[level]
        let margin = Self.reach + 1
        guard left.width > 4 * margin, left.height > 4 * margin else { return }
        let across = left.width / 3
        let down = max(2, left.height / 20)
        let corners = Self.corners(left, margin)
        let found = Mutex([Match?](repeating: nil, count: corners.count))
        parallelFor(count: corners.count, minimum: 8) { band in
            for index in band {
                let corner = corners[index]
                // Matching back must end at the start.
                guard let coarse = Self.best(left, right, corner, around: corner, across, down, unique: true),
                    let back = Self.best(
                        right, left, coarse, around: coarse, across, down, unique: false, startingAt: corner),
                    abs(back.x - corner.x) <= 1, abs(back.y - corner.y) <= 1,
                    let match = Self.refined(pair, corner, coarse, level, fine)
                else { continue }
                found.withLock { $0[index] = match }
            }
        }
        points = found.withLock { $0.compactMap(\.self) }
    }

    /// Refines a match in the larger copy.
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
        guard let move = PointRefinement(left, here)?.move(in: right, from: there) else { return nil }
        let found = SIMD2<Double>(there) + move
        return Match(at: found * scale + (scale - 1) / 2, rise: (found.y - Double(here.y)) * scale)
    }

    /// The most textured point of each cell of a grid, by the smaller eigenvalue of its gradients (J. Shi and C. Tomasi,
    /// "Good features to track", CVPR 1994).
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

    /// The position around a guess where a patch differs least; `nil` if another position is nearly as good.
    private static func best(
        _ from: GrayImage, _ to: GrayImage, _ point: SIMD2<Int>, around guess: SIMD2<Int>, _ across: Int,
        _ down: Int, unique: Bool, startingAt start: SIMD2<Int>? = nil
    ) -> SIMD2<Int>? {
        var best = (cost: Int.max, at: guess)
        var second = Int.max
        guard let patch = Patch(from, point) else { return nil }
        // A good initial bound ends most sums early.
        if let start { best = (patch.difference(to, start, atMost: .max), start) }
        for y in guess.y - down...guess.y + down where y >= reach && y < to.height - reach {
            for x in guess.x - across...guess.x + across where x >= reach && x < to.width - reach {
                let cost = patch.difference(to, SIMD2(x, y), atMost: unique ? second : best.cost)
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
}

/// Eight by nine pixels around a point, as 16-bit numbers: even columns, then odd ones.
private struct Patch {
    private typealias Row = SIMD8<Int16>
    private static let reach = 4
    private let center: Int
    private let rows: (Row, Row, Row, Row, Row, Row, Row, Row, Row)

    /// `nil` if it does not fit into the picture.
    init?(_ image: GrayImage, _ point: SIMD2<Int>) {
        guard Self.fits(image, point) else { return nil }
        let samples = image.samples.span
        center = Int(samples[point.y * image.width + point.x])
        func row(_ dy: Int) -> Row { Self.row(samples, (point.y + dy) * image.width + point.x - Self.reach) }
        rows = (row(-4), row(-3), row(-2), row(-1), row(0), row(1), row(2), row(3), row(4))
    }

    private static func fits(_ image: GrayImage, _ point: SIMD2<Int>) -> Bool {
        point.x >= reach && point.y >= reach && point.x < image.width - reach
            && point.y < image.height - reach
    }

    @inline(__always) private static func row(_ samples: Span<UInt8>, _ index: Int) -> Row {
        // SAFETY: eight samples of a row, as `fits` checks.
        let bytes = unsafe samples.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
        let mask: UInt64 = 0x00FF_00FF_00FF_00FF
        return unsafe unsafeBitCast(SIMD2(bytes & mask, bytes &>> 8 & mask), to: Row.self)
    }

    /// The sum of absolute differences of two patches, each relative to its center; `max` if it reaches the bound, or if the
    /// patch does not fit.
    @inline(__always) func difference(_ image: GrayImage, _ point: SIMD2<Int>, atMost bound: Int) -> Int {
        guard Self.fits(image, point) else { return .max }
        let samples = image.samples.span
        let place = point.y &* image.width &+ point.x
        // The difference of the centers estimates the difference in exposure. It is bounded, so that it does not absorb
        // texture.
        let offset = Row(repeating: Int16(min(max(center &- Int(samples[place]), -8), 8)))
        let width = image.width
        var at = place &- 4 &* width &- Self.reach
        var sum = Row(repeating: 0)
        @inline(__always) func add(_ ours: Row) {
            let difference = ours &- Self.row(samples, at) &- offset
            let negative = Row(repeating: 0) &- difference
            sum &+= difference.replacing(with: negative, where: difference .< negative)
            at &+= width
        }
        add(rows.0)
        add(rows.1)
        add(rows.2)
        guard Self.total(sum) < bound else { return .max }
        add(rows.3)
        add(rows.4)
        add(rows.5)
        guard Self.total(sum) < bound else { return .max }
        add(rows.6)
        add(rows.7)
        add(rows.8)
        let total = Self.total(sum)
        return total < bound ? total : .max
    }

    /// The sum of all eight: 72 differences of at most 263 fit 16 bits.
    @inline(__always) private static func total(_ sum: Row) -> Int {
        // SAFETY: both are 16 bytes, and every bit pattern is valid.
        let halves = unsafe unsafeBitCast(sum, to: SIMD2<UInt64>.self)
        return Int(((halves[0] &+ halves[1]) &* 0x0001_0001_0001_0001) &>> 48)
    }
}
