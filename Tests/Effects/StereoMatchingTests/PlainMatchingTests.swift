import Testing

@testable import StereoMatching

/// A direct implementation of semi-global matching, one pixel and disparity at a time.
private struct PlainMatcher {
    let left: GrayImage
    let right: GrayImage
    let disparities: Range<Int>
    private let smallStep = 16
    private let largeStep = 100
    private let leastLargeStep = 32

    init(left: GrayImage, right: GrayImage, disparities: Range<Int>) {
        (self.left, self.right, self.disparities) = (left, right, disparities)
    }

    private func sample(_ image: GrayImage, _ x: Int, _ y: Int) -> Int {
        Int(image.sample(min(max(x, 0), image.width - 1), min(max(y, 0), image.height - 1)))
    }

    /// Which of the 24 pixels around are brighter.
    private func census(_ image: GrayImage, _ x: Int, _ y: Int) -> [Bool] {
        (-2...2).flatMap { dy in
            (-2...2).map { dx in sample(image, x + dx, y + dy) > sample(image, x, y) }
        }
    }

    private func slope(_ image: GrayImage, _ x: Int, _ y: Int) -> Int {
        min(max(sample(image, x + 1, y) - sample(image, x - 1, y), -63), 63)
    }

    private func cost(_ x: Int, _ y: Int, _ disparity: Int) -> Int {
        let partner = x - disparity
        guard (0..<right.width).contains(partner) else { return 36 }
        let different = zip(census(left, x, y), census(right, partner, y)).count { $0 != $1 }
        return 2 * different + min(abs(slope(left, x, y) - slope(right, partner, y)) / 2, 32)
    }

    /// The sums of five paths' costs, for each pixel and disparity.
    func sums() -> [[Int]] {
        let (width, height) = (left.width, left.height)
        let costs = (0..<width * height).map { place in
            disparities.map { cost(place % width, place / width, $0) }
        }
        var sums = costs.map { $0.map { _ in 0 } }
        for (dx, dy) in [(-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)] {
            var path = costs
            for y in 0..<height {
                for x in dx > 0 && dy == 0 ? Array((0..<width).reversed()) : Array(0..<width) {
                    let (place, inside) = (
                        y * width + x, (0..<width).contains(x + dx) && y + dy >= 0
                    )
                    if inside {
                        let before = path[(y + dy) * width + x + dx]
                        let edge = abs(sample(left, x, y) - sample(left, x + dx, y + dy))
                        let large = largeStep - 2 * min(edge, (largeStep - leastLargeStep) / 2)
                        path[place] = next(costs[place], before, large)
                    }
                    for index in disparities.indices {
                        sums[place][index - disparities.lowerBound] +=
                            path[place][index - disparities.lowerBound]
                    }
                }
            }
        }
        return sums
    }

    /// Equation 13 of Hirschmüller's paper.
    private func next(_ costs: [Int], _ before: [Int], _ large: Int) -> [Int] {
        let least = before.min() ?? 0
        return costs.indices.map { d in
            var best = min(before[d], least + large)
            if d > 0 { best = min(best, before[d - 1] + smallStep) }
            if d + 1 < before.count { best = min(best, before[d + 1] + smallStep) }
            return costs[d] + best - least
        }
    }
}

@Suite("Matching kernels and plain versions of them")
struct PlainMatchingTests {
    @Test(
        "Each pixel gets a disparity of the least sum of five paths",
        arguments: [(0, 16), (-16, 32), (3, 32)])
    func winners(first: Int, count: Int) {
        let scene = StereoScene(
            width: 53, height: 20,
            layers: [
                StereoScene.Layer(a: 4, b: 0.1, seed: 1),
                StereoScene.Layer(a: 9, seed: 2) { x, y in (20..<32).contains(x) && y > 6 },
            ], noise: 6)
        let left = GrayImage(width: scene.width, height: scene.height, samples: scene.left)
        let right = GrayImage(width: scene.width, height: scene.height, samples: scene.right)
        let disparities = first..<first + count
        let tiles = SearchTiles(all: disparities, width: scene.width, height: scene.height)
        let found = StereoMatcher().disparity(left, right, tiles, isChecked: false).winners
        let sums = PlainMatcher(left: left, right: right, disparities: disparities).sums()
        #expect(found.samples.count == sums.count)
        for (winner, sums) in zip(found.samples, sums) {
            // Several disparities can have the least sum.
            #expect(disparities.contains(Int(winner)) && sums[Int(winner) - first] == sums.min())
        }
    }
}
