/// Colors of what is surely foreground and surely background around a block of pixels: the nearest in each of eight directions, and the
/// next that is twice as far.
struct LayerCandidates {
    /// Every foreground color with every background color; nothing where there is none of either.
    private(set) var pairs: [LayerPair] = []
    private var fronts: [SIMD4<Float>] = []
    private var backs: [SIMD4<Float>] = []

    /// Pixels of a block, on the level that is solved.
    static var blockSide: Int { 8 }
    /// How many levels smaller the pixels are whose means are candidates: 4 × 4.
    static var levels: Int { 2 }
    /// The most colors of either layer.
    private static var most: Int { 8 }
    /// How far colors are looked for, in those pixels.
    private static var reach: Int { 32 }

    /// What they make of a pixel's light.
    @inline(__always)
    func evidence(_ light: SIMD4<Float>, noise: Float) -> CoverageEvidence {
        CoverageEvidence(light, pairs.span, noise: noise)
    }

    mutating func clear() { pairs.removeAll(keepingCapacity: true) }

    /// Looks around a place of a level that is kept.
    mutating func gather(
        around column: Int, _ row: Int, in light: Span<SIMD4<Float>>, _ trimap: Trimap,
        noise: Float
    ) {
        find(around: column, row, in: light, trimap)
        pairs.removeAll(keepingCapacity: true)
        for front in fronts {
            for back in backs {
                pairs.append(LayerPair(front: front, back: back, noise: noise))
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
        while ring <= last, fronts.count < Self.most || backs.count < Self.most {
            // Far rings are looked at in steps: their pixels are much alike.
            let step = 1 + ring / 12
            for y in stride(from: row - ring, through: row + ring, by: step) where y >= 0 && y < trimap.height
            {
                let isEdge = y == row - ring || y + step > row + ring
                let across = isEdge ? step : max(2 * ring, 1)
                for x in stride(from: column - ring, through: column + ring, by: across)
                where x >= 0 && x < trimap.width {
                    let index = y * trimap.width + x
                    let code = codes[index]
                    if code == 255 {
                        if fronts.count < Self.most, Self.admits(ring, &frontRings, x - column, y - row) {
                            fronts.append(light[index])
                        }
                    } else if code == 0, backs.count < Self.most,
                        Self.admits(ring, &backRings, x - column, y - row)
                    {
                        backs.append(light[index])
                    }
                }
            }
            if last == Self.reach, fronts.count > 1, backs.count > 1 { last = min(last, 3 * ring + 4) }
            ring += step
        }
    }

    /// The eighth of a turn that an offset lies in.
    @inline(__always)
    private static func direction(_ x: Int, _ y: Int) -> Int {
        (y > 0 ? 4 : 0) + (x > 0 ? 2 : 0) + (abs(x) > abs(y) ? 1 : 0)
    }

    /// The first of a direction, and one from twice as far. The ring of the first is kept, negative after the second.
    @inline(__always)
    private static func admits(_ ring: Int, _ rings: inout SIMD8<Int32>, _ x: Int, _ y: Int) -> Bool {
        let direction = direction(x, y)
        let first = Int(rings[direction])
        if first == 0 {
            rings[direction] = Int32(ring + 1)
            return true
        }
        guard first > 0, ring + 1 >= 2 * first + 1 else { return false }
        rings[direction] = -1
        return true
    }
}
