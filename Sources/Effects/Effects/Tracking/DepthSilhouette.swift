internal import DepthMaps
internal import DepthTypes
internal import Glibc

/// What an object covers of the depth in and around its box, to find it again at any distance: its size in the picture is in
/// proportion to the reciprocal of its distance.
struct DepthSilhouette {
    /// A box where the object may be.
    struct Place {
        /// In pixels of the picture.
        var box: TrackingBox
        /// The object's approximate distance.
        var distance: Float
        /// How well the silhouette fits, 0…1.
        fileprivate var fit: Float
    }

    /// The object's distance when it was seen first, and the size of its box in pixels.
    private let distance: Float
    private let size: (width: Double, height: Double)
    /// The fractions at the object's distance: of nine cells of the box, and of strips to its left and right, above and below.
    private let fractions: [Float]

    /// The step between distances that are tried, as a factor; up to four times as near and as far.
    private static let step: Float = 1.12
    private static let steps = -12...12
    /// Samples are at an object's distance within this factor.
    private static let tolerance: Float = 1.18
    /// The width of the strips around a box, as a fraction of its size.
    private static let strip = 0.25
    /// Places that fit less are ignored.
    private static let leastFit: Float = 0.6
    private static let mostPlaces = 8
    /// A box has at least this many samples across.
    private static let leastSide = 4.0

    /// `nil` if the object's depth is not known.
    init?(
        _ box: TrackingBox, _ distance: Float?, in depth: borrowing FramePlane<Float>, of picture: PixelSize
    ) {
        guard let distance, let grid = DepthGrid(depth, picture) else { return nil }
        self.distance = distance
        size = (box.width, box.height)
        let area = grid.area(Self.range(distance))
        fractions = Self.fractions(area, grid.box(box))
    }

    private static func range(_ distance: Float) -> ClosedRange<Float> {
        distance / tolerance...distance * tolerance
    }

    private static func fractions(_ area: SummedArea, _ box: TrackingBox) -> [Float] {
        func fraction(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Float {
            area.fraction(
                TrackingBox(
                    left: box.left + x * box.width, top: box.top + y * box.height, width: width * box.width,
                    height: height * box.height))
        }
        let third = 1 / 3.0
        return (0..<9).map { fraction(Double($0 % 3) * third, Double($0 / 3) * third, third, third) } + [
            fraction(-strip, 0, strip, 1), fraction(1, 0, strip, 1), fraction(0, -strip, 1, strip),
            fraction(0, 1, 1, strip),
        ]
    }

    /// 1 minus the mean difference within the box, or that around it if it is larger.
    private func fit(_ other: [Float]) -> Float {
        let differences = zip(fractions, other).map { abs($0 - $1) }
        let (inside, around) = (differences[..<9].reduce(0, +) / 9, differences[9...].reduce(0, +) / 4)
        return 1 - max(inside, around)
    }

    /// Boxes that may contain the object, the best first.
    func places(in depth: borrowing FramePlane<Float>, of picture: PixelSize) -> [Place] {
        guard let grid = DepthGrid(depth, picture) else { return [] }
        var found: [Place] = []
        for step in Self.steps {
            let factor = powf(Self.step, Float(step))
            let box = grid.box(
                TrackingBox(
                    left: 0, top: 0, width: size.width / Double(factor), height: size.height / Double(factor))
            )
            guard min(box.width, box.height) >= Self.leastSide, box.width < 1.5 * Double(grid.width),
                box.height < 1.5 * Double(grid.height)
            else { continue }
            add(distance * factor, box, grid, to: &found)
        }
        found.sort { $0.fit > $1.fit }
        var best: [Place] = []
        for place in found where best.count < Self.mostPlaces {
            if best.allSatisfy({ $0.box.overlap(with: place.box) < 0.4 }) { best.append(place) }
        }
        return best
    }

    /// Adds boxes of this size, in samples, that may contain the object at a distance.
    private func add(_ distance: Float, _ size: TrackingBox, _ grid: DepthGrid, to found: inout [Place]) {
        let area = grid.area(Self.range(distance))
        let (stepX, stepY) = (max(1, size.width / 8), max(1, size.height / 8))
        var box = size
        box.top = -size.height / 4
        while box.top + box.height * 0.75 < Double(grid.height) {
            box.left = -size.width / 4
            while box.left + box.width * 0.75 < Double(grid.width) {
                // At most positions nothing is at this distance.
                if abs(area.fraction(box) - fractions[..<9].reduce(0, +) / 9) < 1 - Self.leastFit {
                    let fit = fit(Self.fractions(area, box))
                    if fit >= Self.leastFit {
                        found.append(Place(box: grid.pixels(box), distance: distance, fit: fit))
                    }
                }
                box.left += stepX
            }
            box.top += stepY
        }
    }
}

/// Depth at a resolution of at most 160 columns or rows.
private struct DepthGrid {
    let width: Int
    let height: Int
    private let samples: [Float]
    /// Samples per pixel of the picture.
    private let scale: (x: Double, y: Double)

    private static let most = 160

    init?(_ depth: borrowing FramePlane<Float>, _ picture: PixelSize) {
        guard !depth.isEmpty, picture.width > 0, picture.height > 0 else { return nil }
        let step = (max(depth.width, depth.height) + Self.most - 1) / Self.most
        (width, height) = (depth.width / step, depth.height / step)
        guard width > 0, height > 0 else { return nil }
        scale = (
            Double(depth.width) / Double(picture.width) / Double(step),
            Double(depth.height) / Double(picture.height) / Double(step)
        )
        var samples: [Float] = []
        samples.reserveCapacity(width * height)
        for row in 0..<height {
            for column in 0..<width {
                samples.append(
                    depth.samples[(row * step + step / 2) * depth.width + column * step + step / 2])
            }
        }
        self.samples = samples
    }

    /// A box of the picture, in samples.
    func box(_ box: TrackingBox) -> TrackingBox {
        TrackingBox(
            left: box.left * scale.x, top: box.top * scale.y, width: box.width * scale.x,
            height: box.height * scale.y)
    }

    /// A box of samples, in pixels of the picture.
    func pixels(_ box: TrackingBox) -> TrackingBox {
        TrackingBox(
            left: box.left / scale.x, top: box.top / scale.y, width: box.width / scale.x,
            height: box.height / scale.y)
    }

    /// Where the depth is in a range.
    func area(_ range: ClosedRange<Float>) -> SummedArea {
        SummedArea(width: width, height: height, samples.map { range.contains($0) })
    }
}

/// Sums over rectangles of a mask (F. C. Crow: Summed-area tables for texture mapping, 1984).
private struct SummedArea {
    private let width: Int
    private let height: Int
    /// Sums of all samples to the left and above, with a first row and column of 0.
    private var sums: [Int32]

    init(width: Int, height: Int, _ mask: [Bool]) {
        (self.width, self.height) = (width, height)
        sums = [Int32](repeating: 0, count: (width + 1) * (height + 1))
        for row in 0..<height {
            var sum: Int32 = 0
            for column in 0..<width {
                sum += mask[row * width + column] ? 1 : 0
                sums[(row + 1) * (width + 1) + column + 1] = sums[row * (width + 1) + column + 1] + sum
            }
        }
    }

    /// The fraction of a box that is in the mask. What is outside of the picture is not.
    func fraction(_ box: TrackingBox) -> Float {
        let (start, end) = (box.left.rounded(), (box.left + box.width).rounded())
        let (above, below) = (box.top.rounded(), (box.top + box.height).rounded())
        func clamped(_ value: Double, _ limit: Int) -> Int { Int(min(max(value, 0), Double(limit))) }
        let (left, right) = (clamped(start, width), clamped(end, width))
        let (top, bottom) = (clamped(above, height), clamped(below, height))
        let (first, last) = (top * (width + 1), bottom * (width + 1))
        let sum = sums[last + right] - sums[last + left] - sums[first + right] + sums[first + left]
        return Float(sum) / Float(max((end - start) * (below - above), 1))
    }
}
