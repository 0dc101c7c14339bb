internal import DepthMaps

/// Finds the coverage of a trimap's unknown pixels, from a level of 8 pixels down to the photo's size. Each level starts with
/// the result of the smaller one.
struct MattingSolver<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    private let pyramid: MattingPyramid<Sample>
    private let prior: TrimapPrior
    /// The weight of ``prior``.
    private let maskTrust: Float

    init(_ pyramid: MattingPyramid<Sample>, maskTrust: Float) {
        self.pyramid = pyramid
        self.maskTrust = maskTrust
        let level = min(2, pyramid.levels.count - 1)
        prior = TrimapPrior(pyramid.levels[level].trimap, pyramid.levels[level].expected, level: level)
    }

    /// The margin that is solved together with a tile, so that results match at tile borders.
    private static var margin: Int { 8 }
    private static var iterations: [Int] { [8, 14] }
    private static var coarseIterations: Int { 40 }
    /// The noise that windows assume, in stored values (0…1).
    private static var windowNoise: Float { 0.2 / 255 }
    /// The deviation of pixels from mixtures of candidates, in stored values (0…1).
    private static var colorNoise: Float { 4 / 255 }
    /// The weight of color, times its variance.
    private static var colorTrust: Float { 0.01 }
    /// The smallest variance of color evidence: larger if the mask is trusted.
    private var leastVariance: Float { 0.004 + 0.06 * maskTrust }
    /// The inverse variance of a color without information: a uniform distribution over 0…1 has a variance of 1/12.
    private static var ignorance: Float { 15 }
    /// The weight of the expectation, from fully informative colors to uninformative ones.
    private static var expectationTrust: ClosedRange<Float> { 0.0005...0.15 }

    /// The weight of the expectation if both layers have the same color, compared to 8/9 for nine windows: edges stay in
    /// place.
    private static var stillness: Float { 20 }
    /// The coverage that is stretched to 0 and to 1.
    private static var stretch: ClosedRange<Float> { 0.04...0.97 }

    /// The coverage at the photo's size.
    func coverage() -> [UInt8] {
        var smaller: Plane?
        for level in pyramid.levels.indices.reversed() {
            smaller = solved(level, smaller)
        }
        return smaller?.coverage ?? []
    }

    /// The coverage of a level.
    private struct Plane: Sendable {
        let width: Int
        let height: Int
        let coverage: [UInt8]

        /// Linear between samples, at a pixel of a level of twice the size.
        @inline(__always)
        func alpha(_ x: Int, _ y: Int) -> Float {
            let coverage = coverage.span
            let (column, row) = (x / 2, y / 2)
            let near = min(max(x & 1 == 0 ? column - 1 : column + 1, 0), width - 1)
            let next = min(max(y & 1 == 0 ? row - 1 : row + 1, 0), height - 1)
            let here = 3 * Int32(coverage[row * width + column]) + Int32(coverage[row * width + near])
            let there = 3 * Int32(coverage[next * width + column]) + Int32(coverage[next * width + near])
            return Float(3 * here + there) * (1 / (16 * 255))
        }
    }

    private func solved(_ level: Int, _ smaller: Plane?) -> Plane {
        let (trimap, width) = (pyramid.levels[level].trimap, pyramid.levels[level].width)
        let tiles = UnknownRegionTiles(trimap.asMatte)
        let side = UnknownRegionTiles.side
        let found: [UInt8] = parallelMapRows(width: side * side, height: tiles.tiles.count, minimum: 1) {
            band, output in
            var work = Work()
            for place in band {
                let (row, column) = tiles.tiles[place].quotientAndRemainder(dividingBy: tiles.columns)
                let columns = column * side..<min((column + 1) * side, width)
                let rows = row * side..<min((row + 1) * side, trimap.height)
                solve(level, columns, rows, smaller, &work)
                let start = (place - band.lowerBound) * side * side
                for index in 0..<side * side {
                    let (y, x) = (rows.lowerBound + index / side, columns.lowerBound + index % side)
                    guard rows ~= y, columns ~= x else {
                        output[start + index] = 0
                        continue
                    }
                    let code = trimap.codes[y * width + x]
                    output[start + index] =
                        code == Trimap.unknown
                        ? Self.code(work.tile.alpha(x, y), level) : code
                }
            }
        }
        return Plane(width: width, height: trimap.height, coverage: Self.joined(trimap, tiles, found))
    }

    /// At the photo's size coverage is stretched: between varying colors no solution is exactly 0 or 1.
    @inline(__always)
    private static func code(_ alpha: Float, _ level: Int) -> UInt8 {
        let ends = level == 0 ? stretch : 0...1
        let share = (alpha - ends.lowerBound) / (ends.upperBound - ends.lowerBound)
        return UInt8(min(max(share, 0), 1) * 255 + 0.5)
    }

    private static func joined(_ trimap: Trimap, _ tiles: UnknownRegionTiles, _ found: [UInt8]) -> [UInt8] {
        let (side, width) = (UnknownRegionTiles.side, trimap.width)
        return parallelPixels(width: width, height: trimap.height) { x, y in
            let place = tiles.places[y / side * tiles.columns + x / side]
            return place < 0
                ? trimap.codes[y * width + x] : found[(place * side + y % side) * side + x % side]
        }
    }

    /// The working memory of one thread.
    private struct Work {
        var tile = MattingTile()
        var candidates = LayerCandidateBlocks()
    }

    private func solve(
        _ level: Int, _ columns: Range<Int>, _ rows: Range<Int>, _ smaller: Plane?, _ work: inout Work
    ) {
        let size = pyramid.levels[level]
        let margin = Self.margin
        work.tile.begin(
            columns: max(columns.lowerBound - margin, 0)..<min(columns.upperBound + margin, size.width),
            rows: max(rows.lowerBound - margin, 0)..<min(rows.upperBound + margin, size.height))
        work.tile.readLight(pyramid, level)
        load(level, smaller, &work)
        let iterations =
            Self.iterations.indices.contains(level) ? Self.iterations[level] : Self.coarseIterations
        work.tile.solve(
            levelWidth: size.width, levelHeight: size.height, noise: Self.windowNoise, iterations: iterations)
    }

    /// Sets the known and expected coverage of a tile's pixels and of those around them.
    private func load(_ level: Int, _ smaller: Plane?, _ work: inout Work) {
        let size = pyramid.levels[level]
        let (codes, expected) = (size.trimap.codes.span, size.expected.coverage.span)
        let halo = MattingTile.halo
        let (innerColumns, innerRows) = (work.tile.columns, work.tile.rows)
        let columns = max(innerColumns.lowerBound - halo, 0)..<min(innerColumns.upperBound + halo, size.width)
        let rows = max(innerRows.lowerBound - halo, 0)..<min(innerRows.upperBound + halo, size.height)
        work.candidates.begin(columns: columns, rows: rows, width: size.width, height: size.height)
        for y in rows {
            for x in columns {
                let index = y * size.width + x
                let code = codes[index]
                guard code == Trimap.unknown else {
                    work.tile.setKnown(x, y, Float(code) * (1 / 255))
                    continue
                }
                let expectation = Float(expected[index]) * (1 / 255)
                let start = smaller.map { $0.alpha(x, y) } ?? expectation
                guard innerRows ~= y, innerColumns ~= x else {
                    work.tile.setKnown(x, y, start)
                    continue
                }
                let block = work.candidates.block(of: x, y)
                if !work.candidates.isGathered[block.index] { gather(level, block, &work.candidates) }
                let light = work.tile.light[work.tile.index(x, y)]
                let evidence = work.candidates.evidence(
                    block, light, noise: light.noiseVariance(ofCodes: Self.colorNoise))
                let (mean, weight) = estimate(
                    expectation, evidence, priorWeight: prior.weight(x, y, level: level))
                work.tile.setUnknown(x, y, start: start, mean: mean, weight: weight)
            }
        }
    }

    /// The coverage of an unknown pixel by its color and its expectation, with its weight.
    @inline(__always)
    private func estimate(
        _ expectation: Float, _ evidence: CoverageEvidence, priorWeight: Float
    ) -> (mean: Float, weight: Float) {
        let color = Self.colorTrust * max(1 / (evidence.variance + leastVariance) - Self.ignorance, 0)
        let doubt = min(evidence.variance * 8, 1)
        let range = Self.expectationTrust
        let trust =
            range.lowerBound + (range.upperBound - range.lowerBound) * doubt * doubt + Self.stillness
            * evidence.likeness + maskTrust * priorWeight
        let weight = color + trust
        return ((color * evidence.mean + trust * expectation) / weight, weight)
    }

    private func gather(
        _ level: Int, _ block: LayerCandidateBlocks.Block, _ candidates: inout LayerCandidateBlocks
    ) {
        let shift = LayerCandidates.levels
        let source = level + shift
        guard let light = pyramid.light(of: source) else { return candidates.gatherNothing(block) }
        let trimap = pyramid.levels[source].trimap
        candidates.gather(
            block, around: min(block.x >> shift, trimap.width - 1), min(block.y >> shift, trimap.height - 1),
            in: light.span, trimap, noise: Self.colorNoise)
    }
}
