internal import DepthMaps

/// A level small enough to store: light, with coverage as the fourth element.
struct CoarseLevel: ForegroundSolverLevel {
    let width: Int
    let height: Int
    private let samples: [SIMD4<Float>]
    /// The next coarser level; `nil` at the top.
    private var coarser: SeparatedLevel?
    /// The initial layers at the top.
    private let start: Layers

    init(width: Int, height: Int, samples: [SIMD4<Float>]) {
        self.init(width: width, height: height, samples: samples, start: Self.means(samples))
    }

    private init(width: Int, height: Int, samples: [SIMD4<Float>], start: Layers) {
        (self.width, self.height, self.samples, self.start) = (width, height, samples, start)
    }

    @inline(__always)
    func alpha(_ x: Int, _ y: Int) -> Float {
        let samples = samples.span
        return samples[y * width + x].w
    }

    @inline(__always)
    func light(_ x: Int, _ y: Int) -> SIMD4<Float> {
        let samples = samples.span
        var light = samples[y * width + x]
        light.w = 0
        return light
    }

    @inline(__always)
    func estimate(_ x: Int, _ y: Int) -> Layers { coarser?.layers(x / 2, y / 2) ?? start }

    /// The layers of this level, solved from one pixel down by levels of twice the size.
    func separatedFromTop() -> SeparatedLevel {
        var level = self
        if max(width, height) > 1 { level.coarser = reduced().separatedFromTop() }
        return level.separated()
    }

    private func reduced() -> CoarseLevel {
        let reduced = parallelHalves(samples, width: width, height: height) { ($0 + $1 + ($2 + $3)) * 0.25 }
        return CoarseLevel(width: (width + 1) / 2, height: (height + 1) / 2, samples: reduced, start: start)
    }

    private func separated() -> SeparatedLevel {
        let iterations = max(width, height) <= 32 ? 10 : ForegroundSolverWindow.usualIterations
        let side = UnknownRegionTiles.side
        let tiles = UnknownRegionTiles(width: width, height: height, isEven: isEven)
        let found: [Layers] = parallelMapRows(width: side * side, height: tiles.tiles.count, minimum: 1) {
            band, output in
            var window = ForegroundSolverWindow()
            for place in band {
                let (row, column) = tiles.tiles[place].quotientAndRemainder(dividingBy: tiles.columns)
                let columns = column * side..<min((column + 1) * side, width)
                let rows = row * side..<min((row + 1) * side, height)
                window.solve(self, columns: columns, rows: rows, iterations: iterations)
                let start = (place - band.lowerBound) * side * side
                for index in 0..<side * side {
                    let (y, x) = (rows.lowerBound + index / side, columns.lowerBound + index % side)
                    output[start + index] =
                        rows ~= y && columns ~= x ? layers(x, y, foundBy: window) : self.start
                }
            }
        }
        return SeparatedLevel(tiles: tiles, samples: found, elsewhere: start)
    }

    /// Whether a part and the pixels beside it are all foreground or all background, so that its layers are not needed.
    private func isEven(_ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
        let samples = samples.span
        let first = samples[rows.lowerBound * width + columns.lowerBound].w
        guard first <= 0 || first >= 1 else { return false }
        for y in max(rows.lowerBound - 1, 0)..<min(rows.upperBound + 1, height) {
            for x in max(columns.lowerBound - 1, 0)..<min(columns.upperBound + 1, width)
            where samples[y * width + x].w != first { return false }
        }
        return true
    }

    private func layers(_ x: Int, _ y: Int, foundBy window: borrowing ForegroundSolverWindow) -> Layers {
        let alpha = window.alpha(x, y)
        guard alpha <= 0 || alpha >= 1 else { return window.layers(x, y) }
        let (light, coarser) = (light(x, y), estimate(x, y))
        return alpha >= 1
            ? Layers(front: light, back: coarser.back) : Layers(front: coarser.front, back: light)
    }

    /// The means of certain foreground and of certain background; for a layer without certain samples, the mean of all.
    private static func means(_ samples: [SIMD4<Float>]) -> Layers {
        var (front, back, all) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
        for sample in samples {
            var light = SIMD4<Double>(sample)
            light.w = 1
            all += light
            if sample.w > 0.9 { front += light }
            if sample.w < 0.1 { back += light }
        }
        func mean(_ sum: SIMD4<Double>) -> SIMD4<Float> {
            let sum = sum.w > 0 ? sum : all
            var mean = SIMD4<Float>(sum / sum.w)
            mean.w = 0
            return mean
        }
        return Layers(front: mean(front), back: mean(back))
    }
}
