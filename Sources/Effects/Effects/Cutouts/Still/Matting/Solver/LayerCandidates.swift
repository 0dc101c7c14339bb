/// Colors of certain foreground and certain background around a block of pixels: the nearest in each of eight directions, and
/// the next at twice that distance.
struct LayerCandidates {
    /// Every foreground color with every background color; empty if either has no colors.
    private var pairs: [LayerPairs] = []
    private var fronts: [SIMD4<Float>] = []
    private var backs: [SIMD4<Float>] = []

    /// Pixels of a block, on the level that is solved.
    static var blockSide: Int { 8 }
    /// The number of levels below that candidates are means of: 4 × 4 pixels.
    static var levels: Int { 2 }
    /// The maximum number of colors of either layer.
    private static var most: Int { 8 }
    /// The search radius, in pixels of the solved level.
    private static var reach: Int { 32 }

    /// The evidence for a pixel's light.
    @inline(__always)
    func evidence(_ light: SIMD4<Float>, noise: Float) -> CoverageEvidence {
        CoverageEvidence(light, pairs.span, noise: noise)
    }

    mutating func clear() { pairs.removeAll(keepingCapacity: true) }

    /// Searches around a pixel of a stored level.
    mutating func gather(
        around column: Int, _ row: Int, in light: Span<SIMD4<Float>>, _ trimap: Trimap,
        noise: Float
    ) {
        find(around: column, row, in: light, trimap)
        pairs.removeAll(keepingCapacity: true)
        for front in fronts {
            for first in stride(from: 0, to: backs.count, by: 4) {
                pairs.append(LayerPairs(front: front, backs.span, from: first, noise: noise))
            }
        }
    }

    /// Nearest first.
    private mutating func find(
        around column: Int, _ row: Int, in light: Span<SIMD4<Float>>, _ trimap: Trimap
    ) {
        fronts.removeAll(keepingCapacity: true)
        backs.removeAll(keepingCapacity: true)
        let codes = trimap.codes.span
        var frontRings = SIMD8<Int32>(repeating: 0)
        var backRings = SIMD8<Int32>(repeating: 0)
        var last = Self.reach
        var ring = 0
        for offset in Self.offsets {
            if offset.ring != ring {
                if fronts.count == Self.most, backs.count == Self.most { return }
                if last == Self.reach, fronts.count > 1, backs.count > 1 { last = min(last, 3 * ring + 4) }
                ring = offset.ring
                if ring > last { return }
            }
            let (x, y) = (column + offset.x, row + offset.y)
            guard x >= 0, x < trimap.width, y >= 0, y < trimap.height else { continue }
            let index = y * trimap.width + x
            let code = codes[index]
            if code == 255 {
                if fronts.count < Self.most, Self.admits(offset, &frontRings) { fronts.append(light[index]) }
            } else if code == 0, backs.count < Self.most, Self.admits(offset, &backRings) {
                backs.append(light[index])
            }
        }
    }

    /// An offset from the middle.
    private struct Offset {
        let ring: Int
        let x: Int
        let y: Int
        /// The eighth of a turn that contains it.
        let direction: Int
    }

    /// Rings of pixels from the middle outwards. Far ones are sampled in steps, because their pixels are similar.
    private static let offsets: [Offset] = {
        var offsets: [Offset] = []
        var ring = 0
        while ring <= reach {
            let step = 1 + ring / 12
            for y in stride(from: -ring, through: ring, by: step) {
                let isEdge = y == -ring || y + step > ring
                for x in stride(from: -ring, through: ring, by: isEdge ? step : max(2 * ring, 1)) {
                    let direction = (y > 0 ? 4 : 0) + (x > 0 ? 2 : 0) + (abs(x) > abs(y) ? 1 : 0)
                    offsets.append(Offset(ring: ring, x: x, y: y, direction: direction))
                }
            }
            ring += step
        }
        return offsets
    }()

    /// Admits the first of a direction, and one at twice the distance. The ring of the first is stored, negated after the
    /// second.
    @inline(__always)
    private static func admits(_ offset: Offset, _ rings: inout SIMD8<Int32>) -> Bool {
        let first = Int(rings[offset.direction])
        if first == 0 {
            rings[offset.direction] = Int32(offset.ring + 1)
            return true
        }
        guard first > 0, offset.ring + 1 >= 2 * first + 1 else { return false }
        rings[offset.direction] = -1
        return true
    }
}
