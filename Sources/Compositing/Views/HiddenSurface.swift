internal import DepthCore

/// What may be behind the edges of a scene: the far surface continued under the near one.
///
/// Far pixels next to an edge hold light of both sides, so the surface is continued from four pixels away, ring by ring: each new pixel
/// is the mean of those around that are there already. The same pixels are left out of the front, in ``mixed``.
struct HiddenSurface {
    /// The layer: pixels beside edges and under what is nearer; no others.
    let layer: SurfaceLayer
    /// Pixels of the front whose color is a mixture of near and far.
    let mixed: [Bool]

    private static let cleanDistance: UInt8 = 4
    private static let mixedDistance: UInt8 = 2

    /// Continues surfaces by `reach` pixels under what is nearer by more than the layer's jump.
    init(behind front: SurfaceLayer, reach: Int) {
        let (width, height, jump) = (front.width, front.height, front.jump)
        let disparity = front.pixels.map(\.w)
        let grid = PixelGrid(width: width, height: height)
        var distances = [UInt8](repeating: 0, count: disparity.count)
        var ring: [Int] = []
        for index in disparity.indices {
            let isFar = grid.anyNeighbor(of: index, isDiagonal: false) {
                disparity[$0] - disparity[index] > jump
            }
            if isFar {
                distances[index] = 1
                ring.append(index)
            }
        }
        var seeds: [Int] = []
        for distance in 2...Self.cleanDistance {
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
                // Surfaces that are narrower begin at their middle.
                if !goesOn { seeds.append(index) }
            }
            ring = next
        }
        seeds += ring
        mixed = distances.map { (1...Self.mixedDistance).contains($0) }

        var pixels = [SIMD4<Float>](repeating: SIMD4(0, 0, 0, .nan), count: disparity.count)
        for index in seeds { pixels[index] = front.pixels[index] }
        var edge = seeds
        for _ in 0..<(reach + Int(Self.cleanDistance)) where !edge.isEmpty {
            var candidates: [Int] = []
            var isListed = Set<Int>()
            for index in edge {
                let level = pixels[index].w
                grid.forNeighbors(of: index, isDiagonal: true) { neighbor in
                    guard pixels[neighbor].w.isNaN,
                        distances[neighbor] > 0 && distances[neighbor] < Self.cleanDistance
                            && abs(disparity[neighbor] - level) <= 2 * jump
                            || disparity[neighbor] - level > jump,
                        isListed.insert(neighbor).inserted
                    else { return }
                    candidates.append(neighbor)
                }
            }
            let values = candidates.map { index in
                var (sum, count) = (SIMD4<Float>.zero, Float(0))
                grid.forNeighbors(of: index, isDiagonal: true) { neighbor in
                    guard !pixels[neighbor].w.isNaN, pixels[neighbor].w < disparity[index] + jump else {
                        return
                    }
                    sum += pixels[neighbor]
                    count += 1
                }
                return sum / max(count, 1)
            }
            for (index, value) in zip(candidates, values) { pixels[index] = value }
            edge = candidates
        }
        // Means of rings leave streaks, which a few more means take out.
        layer = SurfaceLayer(
            width: width, height: height,
            pixels: Self.smoothed(pixels, keeping: Set(seeds), grid), jump: 4 * jump)
    }

    private static func smoothed(
        _ pixels: [SIMD4<Float>], keeping seeds: Set<Int>, _ grid: PixelGrid
    ) -> [SIMD4<Float>] {
        var pixels = pixels
        let inner = pixels.indices.filter { !pixels[$0].w.isNaN && !seeds.contains($0) }
        for sweep in 0..<12 {
            for place in inner.indices {
                let index = sweep % 2 == 0 ? inner[place] : inner[inner.count - 1 - place]
                var (sum, count) = (SIMD4<Float>.zero, Float(0))
                grid.forNeighbors(of: index, isDiagonal: false) { neighbor in
                    guard !pixels[neighbor].w.isNaN else { return }
                    sum += pixels[neighbor]
                    count += 1
                }
                if count > 0 { pixels[index] = sum / count }
            }
        }
        return pixels
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

    @inline(__always)
    func anyNeighbor(of index: Int, isDiagonal: Bool, _ isWanted: (Int) -> Bool) -> Bool {
        var isAny = false
        forNeighbors(of: index, isDiagonal: isDiagonal) { isAny = isAny || isWanted($0) }
        return isAny
    }
}
