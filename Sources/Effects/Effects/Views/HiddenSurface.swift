internal import DepthMaps

/// A guess of the surface behind the edges of a scene: the far surface, extended under the near one.
///
/// Far pixels beside an edge contain light of both sides, so the surface is extended from four pixels away, ring by ring:
/// each new pixel is the mean of its existing neighbors. The same pixels are omitted from the front, by ``mixed``.
struct HiddenSurface {
    /// The layer: only pixels beside edges and under nearer ones.
    let layer: SurfaceLayer
    /// Pixels of the front that mix near and far colors.
    let mixed: [Bool]

    private static let mixedDistance: UInt8 = 2
    /// How often extended pixels are averaged at each size: a single pass leaves streaks.
    private static let sweeps = 12

    /// Extends surfaces by `reach` pixels under those that are nearer by more than `jump`. Pixels are mixed only beside edges
    /// where the front is torn. `seen` has the pixels of the layer that are visible through the front, see
    /// ``SeenBackground``; it can be empty.
    init(behind front: SurfaceLayer, jump: Float, seen: [SIMD4<Float>], reach: Int) {
        let (width, height) = (front.width, front.height)
        let grid = PixelGrid(width: width, height: height)
        let sides = FarSides(of: front, jump: jump, grid)
        var known = [SIMD4<Float>](repeating: SIMD4(0, 0, 0, .nan), count: front.pixels.count)
        for index in sides.seeds { known[index] = front.pixels[index] }
        if !seen.isEmpty {
            // The depth behind soft pixels is continued from around them: values of a matte's cells have steps.
            let around = Self.continued(known, under: sides, by: reach, grid)
            for index in seen.indices where !seen[index].w.isNaN {
                known[index] = seen[index]
                if !around[index].w.isNaN { known[index].w = around[index].w }
            }
        }
        mixed = FarSides(of: front, jump: front.jump, grid).distances.map {
            (1...Self.mixedDistance).contains($0)
        }
        let pixels = Self.continued(known, under: sides, by: reach + Int(FarSides.cleanDistance), grid)
        layer = SurfaceLayer(
            width: width, height: height,
            pixels: Self.membrane(
                known, over: zip(pixels, known).map { !$0.w.isNaN && $1.w.isNaN }, grid),
            jump: 4 * jump)
    }

    /// Grows the known pixels by `rings` pixels into the sides and under nearer ones. Unreached pixels have no disparity.
    private static func continued(
        _ known: [SIMD4<Float>], under sides: FarSides, by rings: Int, _ grid: PixelGrid
    ) -> [SIMD4<Float>] {
        let (disparity, jump) = (sides.disparity, sides.jump)
        var pixels = known
        var edge = known.indices.filter { !known[$0].w.isNaN }
        for _ in 0..<rings where !edge.isEmpty {
            var ring: [Int] = []
            var isListed = Set<Int>()
            for index in edge {
                let level = pixels[index].w
                grid.forNeighbors(of: index, isDiagonal: true) { neighbor in
                    guard pixels[neighbor].w.isNaN,
                        sides.isMixed(neighbor) && abs(disparity[neighbor] - level) <= 2 * jump
                            || disparity[neighbor] - level > jump,
                        isListed.insert(neighbor).inserted
                    else { return }
                    ring.append(neighbor)
                }
            }
            let values = ring.map { index in
                grid.mean(of: pixels, around: index, isDiagonal: true) { $0.w < disparity[index] + jump }
            }
            for (index, value) in zip(ring, values) { pixels[index] = value ?? .zero }
            edge = ring
        }
        return pixels
    }

    /// The known pixels, and the others of an area as a membrane between them: solved at half the size first, so that surfaces
    /// from different sides of a wide object meet without a step.
    private static func membrane(
        _ known: [SIMD4<Float>], over area: [Bool], _ grid: PixelGrid
    ) -> [SIMD4<Float>] {
        guard known.count > 1, area.contains(true) else { return known }
        let half = PixelGrid(width: (grid.width + 1) / 2, height: (grid.height + 1) / 2)
        var sums = [SIMD4<Float>](repeating: .zero, count: half.width * half.height)
        var counts = [Float](repeating: 0, count: sums.count)
        var isInside = [Bool](repeating: false, count: sums.count)
        for index in known.indices {
            let place = index / grid.width / 2 * half.width + index % grid.width / 2
            isInside[place] = isInside[place] || area[index]
            guard !known[index].w.isNaN else { continue }
            sums[place] += known[index]
            counts[place] += 1
        }
        let means = zip(sums, counts).map { $1 > 0 ? $0 / $1 : SIMD4(0, 0, 0, .nan) }
        let coarse = membrane(means, over: zip(isInside, counts).map { $0 && $1 == 0 }, half)
        var pixels = known
        let inner = known.indices.filter { area[$0] }
        for index in inner {
            pixels[index] = coarse[index / grid.width / 2 * half.width + index % grid.width / 2]
        }
        for sweep in 0..<sweeps {
            for number in inner.indices {
                let index = sweep % 2 == 0 ? inner[number] : inner[inner.count - 1 - number]
                if let mean = grid.mean(of: pixels, around: index, isDiagonal: false, where: { _ in true }) {
                    pixels[index] = mean
                }
            }
        }
        return pixels
    }
}

/// The far sides of the edges of a layer.
private struct FarSides {
    /// The distance from an edge at which pixels contain light of one side only.
    static let cleanDistance: UInt8 = 4

    /// The disparity of each pixel of the layer.
    let disparity: [Float]
    /// The smallest difference at an edge.
    let jump: Float
    /// The distance of a far side's pixel from the edge, 1 to ``cleanDistance``; 0 for all others.
    private(set) var distances: [UInt8]
    /// Pixels from which the surface behind the edge is extended: at ``cleanDistance``, or in the middle of a narrower
    /// surface.
    private(set) var seeds: [Int] = []

    init(of front: SurfaceLayer, jump: Float, _ grid: PixelGrid) {
        let disparity = front.pixels.map(\.w)
        (self.disparity, self.jump) = (disparity, jump)
        distances = [UInt8](repeating: 0, count: disparity.count)
        var ring = disparity.indices.filter { index in
            grid.anyNeighbor(of: index, isDiagonal: false) { disparity[$0] - disparity[index] > jump }
        }
        for index in ring { distances[index] = 1 }
        for distance in 2...Self.cleanDistance { ring = widen(ring, to: distance, jump, grid) }
        seeds += ring
    }

    /// Whether a pixel is on a far side, and nearer to the edge than ``cleanDistance``.
    func isMixed(_ index: Int) -> Bool { 1..<Self.cleanDistance ~= distances[index] }

    /// Adds the pixels beside `ring`, and returns them. Pixels of the ring without a neighbor farther from the edge become
    /// seeds.
    private mutating func widen(_ ring: [Int], to distance: UInt8, _ jump: Float, _ grid: PixelGrid) -> [Int]
    {
        var next: [Int] = []
        for index in ring {
            var goesOn = false
            grid.forNeighbors(of: index, isDiagonal: false) { neighbor in
                guard abs(disparity[neighbor] - disparity[index]) <= jump else { return }
                if distances[neighbor] == 0 {
                    distances[neighbor] = distance
                    next.append(neighbor)
                }
                goesOn = goesOn || distances[neighbor] >= distance
            }
            if !goesOn { seeds.append(index) }
        }
        return next
    }
}

/// The neighbors of pixels.
private struct PixelGrid {
    let width: Int
    let height: Int

    @inline(__always)
    func forNeighbors(of index: Int, isDiagonal: Bool, _ body: (Int) -> Void) {
        let (column, row) = (index % width, index / width)
        let (left, right) = (column > 0, column + 1 < width)
        if left { body(index - 1) }
        if right { body(index + 1) }
        if row > 0 {
            body(index - width)
            if isDiagonal, left { body(index - width - 1) }
            if isDiagonal, right { body(index - width + 1) }
        }
        if row + 1 < height {
            body(index + width)
            if isDiagonal, left { body(index + width - 1) }
            if isDiagonal, right { body(index + width + 1) }
        }
    }

    /// The mean of the neighbors that have a disparity and are `isUsed`; `nil` without such neighbors.
    @inline(__always)
    func mean(
        of pixels: [SIMD4<Float>], around index: Int, isDiagonal: Bool, where isUsed: (SIMD4<Float>) -> Bool
    ) -> SIMD4<Float>? {
        var (sum, count) = (SIMD4<Float>.zero, Float(0))
        forNeighbors(of: index, isDiagonal: isDiagonal) { neighbor in
            guard !pixels[neighbor].w.isNaN, isUsed(pixels[neighbor]) else { return }
            sum += pixels[neighbor]
            count += 1
        }
        return count > 0 ? sum / count : nil
    }

    @inline(__always)
    func anyNeighbor(of index: Int, isDiagonal: Bool, _ isWanted: (Int) -> Bool) -> Bool {
        var isAny = false
        forNeighbors(of: index, isDiagonal: isDiagonal) { isAny = isAny || isWanted($0) }
        return isAny
    }
}
