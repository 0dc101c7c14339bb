internal import DepthMaps

/// Draws surface layers from a ``ViewPoint``, at twice the size in both directions; pictures are the means of four samples.
struct ViewRasterizer {
    private let width: Int
    private let height: Int
    private let view: ViewPoint
    private let pivot: Float
    private let scale: SIMD2<Float>
    /// Light, and the disparity in the view; −1 where nothing was drawn.
    private var samples: [SIMD4<Float>]
    /// The nearest partial cover of samples: light times opacity, and the opacity; 0 if missing.
    private var veil: [SIMD4<Float>] = []
    /// The disparity of the veil in the view.
    private var veilDisparities: [Float] = []
    /// The smallest difference by which a sample in front of the veil hides it.
    private var veilJump: Float = 0

    private static var oversampling: Int { 2 }
    private static var empty: SIMD4<Float> { SIMD4(0, 0, 0, -1) }

    /// A rasterizer for pictures of this size. `zoom` enlarges them around the middle.
    init(width: Int, height: Int, view: ViewPoint, pivot: Float, zoom: Float) {
        (self.width, self.height) = (width * Self.oversampling, height * Self.oversampling)
        (self.view, self.pivot) = (view, pivot)
        scale = SIMD2(repeating: zoom * Float(Self.oversampling))
        samples = Self.plane(of: Self.empty, self.width, self.height)
    }

    /// A plane of equal samples, on large pages of memory: each picture has its own.
    private static func plane<Sample: BitwiseCopyable & Sendable>(
        of sample: Sample, _ width: Int, _ height: Int
    ) -> [Sample] {
        parallelMapRows(width: width, height: height) { _, output in output.update(repeating: sample) }
    }

    /// Draws a layer: nearer pixels hide farther ones, in any order. The layer may have another size; pictures show the same
    /// frame. Translucent pixels lie over everything farther.
    mutating func draw(_ layer: SurfaceLayer, leavingOut omitted: [Bool] = []) {
        let (columns, rows) = (layer.width, layer.height)
        guard columns > 1, rows > 1 else { return }
        let isVeiled = !layer.opacity.isEmpty
        if isVeiled, veil.isEmpty {
            veil = Self.plane(of: .zero, width, height)
            veilDisparities = Self.plane(of: -1, width, height)
            veilJump = layer.jump
        }
        // Pixels of the layer per pixel of the picture.
        let ratio = SIMD2(
            Float(width) / Float(columns * Self.oversampling), Float(height) / Float(rows * Self.oversampling)
        )
        var upper = [SIMD4<Float>](repeating: .zero, count: columns)
        var lower = upper
        place(row: 0, of: layer, ratio, into: &lower)
        for row in 0..<rows - 1 {
            swap(&upper, &lower)
            place(row: row + 1, of: layer, ratio, into: &lower)
            let start = row * columns
            for column in 0..<columns - 1 {
                let (a, b) = (start + column, start + column + 1)
                let (c, d) = (a + columns, b + columns)
                let corners = (layer.pixels[a], layer.pixels[b], layer.pixels[c], layer.pixels[d])
                guard
                    SurfaceLayer.isWhole(
                        corners.0.w, corners.1.w, corners.2.w, corners.3.w, layer.jump)
                else { continue }
                if !omitted.isEmpty, omitted[a] || omitted[b] || omitted[c] || omitted[d] { continue }
                let places = (upper[column], upper[column + 1], lower[column], lower[column + 1])
                if isVeiled {
                    let opacity = SIMD4(
                        layer.opacity[a], layer.opacity[b], layer.opacity[c], layer.opacity[d])
                    if opacity.min() < 1 {
                        drawVeil(places, corners, opacity)
                        continue
                    }
                }
                draw((places.0, places.1, places.2), (corners.0, corners.1, corners.2))
                draw((places.2, places.1, places.3), (corners.2, corners.1, corners.3))
            }
        }
    }

    /// The positions of a row's pixels in the view: x, y, unused, and their disparity there.
    private func place(
        row: Int, of layer: SurfaceLayer, _ ratio: SIMD2<Float>, into places: inout [SIMD4<Float>]
    ) {
        let middle = SIMD2(Float(layer.width), Float(layer.height)) / 2
        let center = SIMD2(Float(width), Float(height)) / 2
        let kept = 1 - view.advance * pivot
        for column in 0..<layer.width {
            let disparity = layer.pixels[row * layer.width + column].w
            let place = (SIMD2(Float(column) + 0.5, Float(row) + 0.5) - middle) * ratio
            let nearness = 1 / max(1 - view.advance * disparity, 0.05)
            let seen = (place - view.shift * disparity) * (kept * nearness) + view.shift * pivot
            let target = center + seen * scale
            places[column] = SIMD4(target.x, target.y, 0, disparity * nearness)
        }
    }

    private typealias Corners = (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    /// Draws a cell with at least one translucent corner.
    private mutating func drawVeil(_ places: Corners, _ corners: Corners, _ opacity: SIMD4<Float>) {
        func premultiplied(_ corner: SIMD4<Float>, _ share: Float) -> SIMD4<Float> {
            var light = corner
            light.w = 1
            return light * share
        }
        let lights = (
            premultiplied(corners.0, opacity[0]), premultiplied(corners.1, opacity[1]),
            premultiplied(corners.2, opacity[2]), premultiplied(corners.3, opacity[3])
        )
        forSamples(in: (places.0, places.1, places.2)) { rasterizer, index, u, v, w, disparity in
            rasterizer.cover(index, lights.0 * u + lights.1 * v + lights.2 * w, disparity)
        }
        forSamples(in: (places.2, places.1, places.3)) { rasterizer, index, u, v, w, disparity in
            rasterizer.cover(index, lights.2 * u + lights.1 * v + lights.3 * w, disparity)
        }
    }

    @inline(__always)
    private mutating func cover(_ index: Int, _ light: SIMD4<Float>, _ disparity: Float) {
        guard disparity > veilDisparities[index] else { return }
        (veil[index], veilDisparities[index]) = (light, disparity)
    }

    private mutating func draw(
        _ places: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
        _ colors: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    ) {
        forSamples(in: places) { rasterizer, index, u, v, w, disparity in
            guard disparity > rasterizer.samples[index].w else { return }
            var sample = colors.0 * u + colors.1 * v + colors.2 * w
            sample.w = disparity
            rasterizer.samples[index] = sample
        }
    }

    /// Visits the samples in a triangle by the signs of its edges, with the weights of its corners and the disparity. Samples
    /// on an edge belong to both sides.
    @inline(__always)
    private mutating func forSamples(
        in places: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
        _ visit: (inout ViewRasterizer, Int, Float, Float, Float, Float) -> Void
    ) {
        let (a, b, c) = places
        let (left, right) = Self.centers(min(a.x, b.x, c.x), max(a.x, b.x, c.x), width)
        let (top, bottom) = Self.centers(min(a.y, b.y, c.y), max(a.y, b.y, c.y), height)
        guard left <= right, top <= bottom else { return }
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
        guard area.magnitude > 1e-9 else { return }
        let inverse = 1 / area
        let slack: Float = -1e-4
        for row in top...bottom {
            let y = Float(row) + 0.5
            for column in left...right {
                let x = Float(column) + 0.5
                let u = ((c.x - b.x) * (y - b.y) - (c.y - b.y) * (x - b.x)) * inverse
                let v = ((a.x - c.x) * (y - c.y) - (a.y - c.y) * (x - c.x)) * inverse
                let w = 1 - u - v
                guard u >= slack, v >= slack, w >= slack else { continue }
                visit(&self, row * width + column, u, v, w, a.w * u + b.w * v + c.w * w)
            }
        }
    }

    /// The first and the last of `count` samples whose centers are between two positions; the last is smaller without any.
    @inline(__always)
    private static func centers(_ low: Float, _ high: Float, _ count: Int) -> (first: Int, last: Int) {
        let (low, high) = (max(low - 0.5, 0), min(high - 0.5, Float(count - 1)))
        guard low <= high else { return (0, -1) }
        // Conversion rounds towards zero, without a call.
        return (Int(low) + (Float(Int(low)) < low ? 1 : 0), Int(high))
    }

    /// Copies the nearest row with samples to empty rows at the top and at the bottom.
    private mutating func fillEmptyRows() {
        let filled = (0..<height).filter { samples[$0 * width] != Self.empty }
        guard let first = filled.first, let last = filled.last else { return }
        for row in 0..<height where row < first || row > last {
            let source = (row < first ? first : last) * width
            for column in 0..<width { samples[row * width + column] = samples[source + column] }
        }
    }

    /// Fills uncovered gaps along rows, from the farther of the two sides.
    mutating func fillGaps() {
        for row in 0..<height {
            let start = row * width
            var column = 0
            while column < width {
                guard samples[start + column].w < 0 else {
                    column += 1
                    continue
                }
                var end = column
                while end < width, samples[start + end].w < 0 { end += 1 }
                let before = column > 0 ? samples[start + column - 1] : nil
                let after = end < width ? samples[start + end] : nil
                var fill = before ?? after ?? Self.empty
                if let before, let after, after.w < before.w { fill = after }
                for place in column..<end { samples[start + place] = fill }
                column = end
            }
        }
        fillEmptyRows()
    }

    /// The picture: light is averaged in each pixel, then encoded as stored values.
    func picture(_ codes: TransferFunctionTable<UInt8>) -> [RGB<UInt8>] {
        let (columns, rows) = (width / Self.oversampling, height / Self.oversampling)
        var picture = [RGB<UInt8>](repeating: .black, count: columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                let upper = 2 * row * width + 2 * column
                let sum =
                    light(upper) + light(upper + 1) + light(upper + width) + light(upper + width + 1)
                picture[row * columns + column] = codes.pixel(ofLight: sum * 0.25)
            }
        }
        return picture
    }

    /// A sample below its veil.
    @inline(__always)
    private func light(_ index: Int) -> SIMD4<Float> {
        guard !veil.isEmpty, veil[index].w > 0, veilDisparities[index] > samples[index].w - veilJump else {
            return samples[index]
        }
        return veil[index] + samples[index] * (1 - min(veil[index].w, 1))
    }

    /// The disparity of each pixel of the picture: the nearest of the four samples.
    func disparities() -> [Float] {
        let (columns, rows) = (width / Self.oversampling, height / Self.oversampling)
        var disparities = [Float](repeating: 0, count: columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                let upper = 2 * row * width + 2 * column
                disparities[row * columns + column] = max(
                    samples[upper].w, samples[upper + 1].w, samples[upper + width].w,
                    samples[upper + width + 1].w)
            }
        }
        return disparities
    }
}
