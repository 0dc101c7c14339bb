/// A cell's 4 × 4 samples and their colors, ready to vote.
struct GuidedSamples {
    private let values: SIMD16<Float>
    /// 1 where a sample is finite, else 0.
    private let known: SIMD16<Float>
    /// How far each sample can be trusted to lie on one surface.
    private let weights: SIMD16<Float>
    private let red: SIMD16<Float>
    private let green: SIMD16<Float>
    private let blue: SIMD16<Float>
    /// The four corners of the cell as they were, in reading order.
    private let corners: SIMD4<Float>
    private let low: Float
    private let high: Float
    /// 1/(2σ²) of color.
    private let colorScale: Float
    /// 1/(2σ²) of value.
    private let valueScale: Float
    /// How far edges count here, 0…1; the rest is bilinear.
    private let edgeShare: Float
    private let takesSides: Bool

    /// The variance of color, of 1, that counts as noise.
    private static var noise: Float { 1e-4 }

    @inline(__always)
    init(_ plane: PaddedPlane, _ guide: PaddedGuide, at place: Int, jump: Float, takesSides: Bool) {
        values = plane.square(plane.values, at: place)
        let known = plane.square(plane.weights, at: place)
        red = plane.square(guide.red, at: place)
        green = plane.square(guide.green, at: place)
        blue = plane.square(guide.blue, at: place)
        let corner = place + plane.stride + 1
        corners = SIMD4(
            plane.originals[corner], plane.originals[corner + 1], plane.originals[corner + plane.stride],
            plane.originals[corner + plane.stride + 1])
        low = values.replacing(with: .infinity, where: known .== 0).min()
        high = values.replacing(with: -.infinity, where: known .== 0).max()
        // A sample halfway between two surfaces counts 1/17.
        let mixing = plane.square(plane.mixing, at: place) * (takesSides && high > low ? 8 / (high - low) : 0)
        self.known = known
        weights = known / (1 + mixing * mixing)
        let variance = Self.variance(red) + Self.variance(green) + Self.variance(blue)
        colorScale = 1 / (2 * (Self.noise + variance * 0.25))
        let deviation = (high - low) * 0.2
        valueScale = deviation > 1e-15 ? 1 / (2 * deviation * deviation) : 0
        edgeShare = jump > 0 ? min(max((high - low) / jump - 1, 0), 1) : 1
        self.takesSides = takesSides
    }

    private static func variance(_ channel: SIMD16<Float>) -> Float {
        let difference = channel - channel.treeSum / 16
        return (difference * difference).treeSum / 16
    }

    /// The value of a pixel: never outside the range of the finite samples. Where sums of huge values overflow, it is the
    /// nearest of them.
    @inline(__always)
    func value(forColor color: SIMD3<Float>, at x: PixelTap, _ y: PixelTap) -> Float {
        let nearest = corners[(x.fraction < 0.5 ? 0 : 1) + (y.fraction < 0.5 ? 0 : 2)]
        guard nearest.isFinite else { return nearest }
        var value = vote(color, x, y)
        if takesSides { value = settled(value, x, y) }
        if edgeShare < 1 {
            let columns = SIMD4(0, 1 - x.fraction, x.fraction, 0)
            let shares = SIMD16(columns: columns, rows: SIMD4(0, 1 - y.fraction, y.fraction, 0))
            let bilinear = mean(shares * known)
            value = bilinear + (value - bilinear) * edgeShare
        }
        return value.isNaN ? nearest : min(max(value, low), high)
    }

    @inline(__always)
    private func vote(_ color: SIMD3<Float>, _ x: PixelTap, _ y: PixelTap) -> Float {
        let (dr, dg, db) = (red - color.x, green - color.y, blue - color.z)
        let likeness = ((dr * dr + dg * dg + db * db) * colorScale).decay
        return mean(SIMD16(columns: x.near, rows: y.near) * weights * (likeness + 1e-6))
    }

    /// The mean of the samples around whose values are close to the outcome of a vote.
    @inline(__always)
    private func settled(_ outcome: Float, _ x: PixelTap, _ y: PixelTap) -> Float {
        let difference = values - outcome
        let closeness = (difference * difference * valueScale).decay
        return mean(SIMD16(columns: x.smooth, rows: y.smooth) * weights * (closeness + 1e-6))
    }

    /// The nearest sample is finite, so that some weight is left.
    @inline(__always)
    private func mean(_ shares: SIMD16<Float>) -> Float {
        (shares * values).treeSum / shares.treeSum
    }
}
