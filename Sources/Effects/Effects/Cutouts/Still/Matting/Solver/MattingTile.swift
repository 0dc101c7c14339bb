/// A rectangle of a level whose unknown pixels are solved separately, with fixed pixels around it.
///
/// The energy is from closed-form matting (A. Levin, D. Lischinski, Y. Weiss, "A Closed-Form Solution to Natural Image Matting",
/// 2008) and an expectation for every pixel:
///
///     E(α) = Σ_w min_{a, b} [ Σ_{i∈w} (αᵢ − a·Iᵢ − b)² + 9 ε_w |a|² ] + Σᵢ λᵢ (αᵢ − mᵢ)²
///
/// over windows w of 3 × 3. Its gradient is applied without a matrix, as K. He, J. Sun and X. Tang do in "Fast Matting Using
/// Large Kernel Matting Laplacian Matrices" (2010): fit a and b in every window, add up their predictions. It is solved by
/// conjugate gradients, preconditioned by the diagonal.
struct MattingTile {
    /// The rectangle of unknown pixels, in pixels of the level.
    private(set) var columns = 0..<0
    private(set) var rows = 0..<0
    /// Two more pixels on each side: the neighbors of the windows' neighbors.
    private var stride = 0
    private var lineCount = 0
    /// The fourth element is 1.
    private(set) var light: [SIMD4<Float>] = []
    private var alphas: [Float] = []
    private var isUnknown: [Bool] = []
    private var windows: [ColorLineWindow] = []
    private var fits: [SIMD4<Float>] = []
    /// λ, and λ m.
    private var weights: [Float] = []
    private var targets: [Float] = []
    private var inverseDiagonal: [Float] = []
    private var residual: [Float] = []
    private var direction: [Float] = []
    private var product: [Float] = []
    /// Unknown pixels of each line, and the windows with such pixels.
    private var pixelSpans: [Range<Int>] = []
    private var windowSpans: [Range<Int>] = []
    /// The number of windows that contain a pixel, horizontally and vertically: fewer than three at the picture's border.
    private var columnCounts: [Float] = []
    private var lineCounts: [Float] = []

    static var halo: Int { 2 }

    /// Allocates memory for a rectangle.
    mutating func begin(columns: Range<Int>, rows: Range<Int>) {
        (self.columns, self.rows) = (columns, rows)
        stride = columns.count + 2 * Self.halo
        lineCount = rows.count + 2 * Self.halo
        let count = stride * lineCount
        light.reset(count, .zero)
        alphas.reset(count, 0)
        isUnknown.reset(count, false)
        windows.reset(count, ColorLineWindow())
        fits.reset(count, .zero)
        weights.reset(count, 0)
        targets.reset(count, 0)
        inverseDiagonal.reset(count, 0)
        residual.reset(count, 0)
        direction.reset(count, 0)
        product.reset(count, 0)
        pixelSpans.reset(lineCount, 0..<0)
        windowSpans.reset(lineCount, 0..<0)
    }

    @inline(__always)
    func index(_ x: Int, _ y: Int) -> Int {
        (y - rows.lowerBound + Self.halo) * stride + x - columns.lowerBound + Self.halo
    }

    @inline(__always)
    func alpha(_ x: Int, _ y: Int) -> Float { alphas[index(x, y)] }

    @inline(__always)
    mutating func setKnown(_ x: Int, _ y: Int, _ alpha: Float) { alphas[index(x, y)] = alpha }

    @inline(__always)
    mutating func setUnknown(_ x: Int, _ y: Int, start: Float, mean: Float, weight: Float) {
        let place = index(x, y)
        alphas[place] = start
        isUnknown[place] = true
        weights[place] = weight
        targets[place] = weight * mean
        let line = place / stride
        let column = place - line * stride
        let span = pixelSpans[line]
        pixelSpans[line] = span.isEmpty ? column..<column + 1 : span.lowerBound..<column + 1
    }

    /// Reads the light of the rectangle and its surroundings.
    mutating func readLight<Sample>(_ pyramid: borrowing MattingPyramid<Sample>, _ level: Int) {
        let size = (pyramid.levels[level].width, pyramid.levels[level].height)
        let columns = max(columns.lowerBound - Self.halo, 0)..<min(columns.upperBound + Self.halo, size.0)
        let rows = max(rows.lowerBound - Self.halo, 0)..<min(rows.upperBound + Self.halo, size.1)
        let start = index(columns.lowerBound, rows.lowerBound)
        pyramid.read(level, columns: columns, rows: rows, into: &light, start: start, stride: stride)
    }

    /// Solves the unknown pixels of a level of this size.
    mutating func solve(levelWidth: Int, levelHeight: Int, noise: Float, iterations: Int) {
        findWindows(levelWidth, levelHeight)
        fitWindows(noise)
        apply(alphas)
        var energy: Float = 0
        for line in 0..<lineCount {
            for place in places(pixelSpans[line], line) {
                let diagonal = inverseDiagonal[place] + weights[place]
                inverseDiagonal[place] = isUnknown[place] ? 1 / diagonal : 0
                residual[place] = targets[place] - product[place] - weights[place] * alphas[place]
                direction[place] = residual[place] * inverseDiagonal[place]
                energy += residual[place] * direction[place]
            }
        }
        for _ in 0..<iterations {
            guard energy > 1e-9 else { break }
            apply(direction)
            energy = step(energy)
        }
    }

    @inline(__always)
    private func places(_ span: Range<Int>, _ line: Int) -> Range<Int> {
        line * stride + span.lowerBound..<line * stride + span.upperBound
    }

    private static func windowCounts(_ count: Int, first: Int, levelSide: Int) -> [Float] {
        (first..<first + count).map { place in
            Float((place - 1...place + 1).count { $0 >= 1 && $0 < levelSide - 1 })
        }
    }

    /// The windows inside the level that contain an unknown pixel.
    private mutating func findWindows(_ levelWidth: Int, _ levelHeight: Int) {
        let (left, top) = (columns.lowerBound - Self.halo, rows.lowerBound - Self.halo)
        columnCounts = Self.windowCounts(stride, first: left, levelSide: levelWidth)
        lineCounts = Self.windowCounts(lineCount, first: top, levelSide: levelHeight)
        let inner = max(1 - left, 1)..<max(min(levelWidth - 1 - left, stride - 1), max(1 - left, 1))
        for line in 1..<lineCount - 1 where line + top >= 1 && line + top < levelHeight - 1 {
            var span = 0..<0
            for near in line - 1...line + 1 where !pixelSpans[near].isEmpty {
                let grown = pixelSpans[near].lowerBound - 1..<pixelSpans[near].upperBound + 1
                span =
                    span.isEmpty
                    ? grown
                    : min(span.lowerBound, grown.lowerBound)..<max(span.upperBound, grown.upperBound)
            }
            windowSpans[line] = span.clamped(to: inner)
        }
    }

    private mutating func fitWindows(_ noise: Float) {
        let (light, stride) = (light, stride)
        for line in windowSpans.indices {
            for place in places(windowSpans[line], line) {
                let window = ColorLineWindow(light.span, place, stride, noise)
                windows[place] = window
                for below in -1...1 {
                    for across in -1...1 {
                        let pixel = place + below * stride + across
                        inverseDiagonal[pixel] += 8 / 9 - window.influence(light[pixel])
                    }
                }
            }
        }
    }

    /// The matting Laplacian times a plane, at unknown pixels.
    private mutating func apply(_ plane: [Float]) {
        for line in windowSpans.indices where !windowSpans[line].isEmpty {
            Self.fit(plane, light, windows, places(windowSpans[line], line), stride, &fits)
        }
        for line in pixelSpans.indices where !pixelSpans[line].isEmpty {
            let span = places(pixelSpans[line], line)
            Self.predict(light, fits, span, stride, &product)
            for place in span {
                let count = columnCounts[place - line * stride] * lineCounts[line]
                product[place] = count * plane[place] - product[place]
            }
        }
    }

    /// Fits the windows of a line to a plane.
    private static func fit(
        _ plane: [Float], _ light: [SIMD4<Float>], _ windows: [ColorLineWindow], _ places: Range<Int>,
        _ stride: Int,
        _ fits: inout [SIMD4<Float>]
    ) {
        let (plane, light, windows) = (plane.span, light.span, windows.span)
        var fits = fits.mutableSpan
        var (first, second) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for place in places.lowerBound - 1...places.upperBound {
            let (above, below) = (place - stride, place + stride)
            let third =
                light[above] * plane[above] + light[place] * plane[place] + light[below] * plane[below]
            if place > places.lowerBound { fits[place - 1] = windows[place - 1].fit(first + second + third) }
            (first, second) = (second, third)
        }
    }

    /// Adds up the predictions of the windows around the pixels of a line.
    private static func predict(
        _ light: [SIMD4<Float>], _ fits: [SIMD4<Float>], _ places: Range<Int>, _ stride: Int,
        _ sums: inout [Float]
    ) {
        let (light, fits) = (light.span, fits.span)
        var sums = sums.mutableSpan
        var (first, second) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for place in places.lowerBound - 1...places.upperBound {
            let third = fits[place - stride] + fits[place] + fits[place + stride]
            if place > places.lowerBound {
                sums[place - 1] = (light[place - 1] * (first + second + third)).sum()
            }
            (first, second) = (second, third)
        }
    }

    /// One step of conjugate gradients; returns the energy of the residual.
    private mutating func step(_ energy: Float) -> Float {
        let curvature = finishProduct()
        guard curvature > 0 else { return 0 }
        let length = energy / curvature
        var rest: Float = 0
        for line in pixelSpans.indices {
            for place in places(pixelSpans[line], line) {
                alphas[place] += length * direction[place]
                residual[place] -= length * product[place]
                rest += residual[place] * residual[place] * inverseDiagonal[place]
            }
        }
        let turn = rest / energy
        for line in pixelSpans.indices {
            for place in places(pixelSpans[line], line) {
                direction[place] = residual[place] * inverseDiagonal[place] + turn * direction[place]
            }
        }
        return rest
    }

    /// Adds λ times the direction; returns the product with the direction.
    private mutating func finishProduct() -> Float {
        var sum: Float = 0
        for line in pixelSpans.indices {
            for place in places(pixelSpans[line], line) {
                product[place] += weights[place] * direction[place]
                sum += product[place] * direction[place]
            }
        }
        return sum
    }
}

extension Array {
    /// Refills the array in its existing memory.
    fileprivate mutating func reset(_ count: Int, _ element: Element) {
        removeAll(keepingCapacity: true)
        append(contentsOf: repeatElement(element, count: count))
    }
}
