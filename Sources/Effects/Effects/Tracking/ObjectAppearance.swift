internal import DepthMaps

/// An object's pattern and colors, independent of its size: to tell it from others of the same shape when it comes back.
struct ObjectAppearance {
    /// Luma on a grid over the box; `nan` where the point is not the object.
    private var luma: [Float] = []
    /// Fractions of colors without their brightness, since light may change; a point belongs to the four bins around its color.
    private var bins = [Float](repeating: 0, count: binSide * binSide)

    /// Points in a row and in a column, over 80 % of the box.
    private static let side = 24
    private static let extent = 0.8
    private static let binSide = 9
    /// Stronger colors than this fraction of the brightness are in the last bins.
    private static let strongest: Float = 0.6
    /// Objects with a smaller deviation of luma have no pattern.
    private static let leastDeviation: Float = 0.02
    /// The weight of a new frame.
    private static let rate: Float = 0.06

    /// The appearance in a box, where `isObject` returns true; `nil` if that is almost nowhere.
    init?(
        of picture: borrowing FramePlane<RGB<UInt8>>, in box: TrackingBox,
        isObject: (Double, Double) -> Bool
    ) {
        guard !picture.isEmpty else { return nil }
        let (width, height) = (picture.width, picture.height)
        let pixels = picture.samples.span
        let step = (
            x: box.width * Self.extent / Double(Self.side), y: box.height * Self.extent / Double(Self.side)
        )
        let reader = LumaReader(picture, step: step)
        let center = box.center
        var count = 0
        for row in 0..<Self.side {
            let y = center.y + (Double(row) + 0.5 - Double(Self.side) / 2) * step.y
            for column in 0..<Self.side {
                let x = center.x + (Double(column) + 0.5 - Double(Self.side) / 2) * step.x
                guard x >= 0, y >= 0, x < Double(width), y < Double(height), isObject(x - 0.5, y - 0.5)
                else {
                    luma.append(.nan)
                    continue
                }
                luma.append(reader.luma(x - 0.5, y - 0.5))
                addColor(pixels[Int(y) * width + Int(x)])
                count += 1
            }
        }
        guard count * 10 > Self.side * Self.side else { return nil }
        for index in bins.indices { bins[index] /= Float(count) }
    }

    private mutating func addColor(_ color: RGB<UInt8>) {
        let (red, green, blue) = (Float(color.red), Float(color.green), Float(color.blue))
        // Dark colors are noisy, and treated as gray.
        let sum = red + green + blue + 48
        func place(_ value: Float) -> (Int, Float) {
            let last = Float(Self.binSide - 1)
            let place = min(max((value / Self.strongest + 1) / 2, 0), 1) * last
            let first = min(place.rounded(.down), last - 1)
            return (Int(first), place - first)
        }
        let (column, right) = place((red - green) / sum)
        let (row, below) = place((2 * blue - red - green) / (2 * sum))
        let first = row * Self.binSide + column
        bins[first] += (1 - right) * (1 - below)
        bins[first + 1] += right * (1 - below)
        bins[first + Self.binSide] += (1 - right) * below
        bins[first + Self.binSide + 1] += right * below
    }

    /// Adds the appearance in a new frame to the mean.
    mutating func learn(_ new: ObjectAppearance) {
        for index in bins.indices { bins[index] += (new.bins[index] - bins[index]) * Self.rate }
        for index in luma.indices where !new.luma[index].isNaN {
            luma[index] =
                luma[index].isNaN
                ? new.luma[index] : luma[index] + (new.luma[index] - luma[index]) * Self.rate
        }
    }

    /// The intersection of the histograms of two colors, 0…1: 1 if all are the same.
    func colorSimilarity(to other: ObjectAppearance) -> Float {
        zip(bins, other.bins).reduce(0) { $0 + min($1.0, $1.1) }
    }

    /// The correlation of two patterns, −1…1: the best of shifts by a point. 1 if this object has no pattern.
    func patternSimilarity(to other: ObjectAppearance) -> Float {
        var best: Float = -1
        for down in -1...1 {
            for right in -1...1 { best = max(best, correlation(other, right, down)) }
        }
        return best
    }

    private func correlation(_ other: ObjectAppearance, _ right: Int, _ down: Int) -> Float {
        var pairs: [SIMD2<Float>] = []
        for row in max(0, -down)..<Self.side - max(0, down) {
            for column in max(0, -right)..<Self.side - max(0, right) {
                let pair = SIMD2(
                    luma[row * Self.side + column], other.luma[(row + down) * Self.side + column + right])
                if pair.x + pair.y >= 0 { pairs.append(pair) }
            }
        }
        let count = Float(max(1, pairs.count))
        let mean = pairs.reduce(.zero, +) / count
        var (squares, product) = (SIMD2<Float>.zero, Float(0))
        for pair in pairs {
            let rest = pair - mean
            squares += rest * rest
            product += rest.x * rest.y
        }
        if squares.x < Self.leastDeviation * Self.leastDeviation * count { return 1 }
        return squares.y > 0 ? product / (squares.x * squares.y).squareRoot() : 0
    }
}
