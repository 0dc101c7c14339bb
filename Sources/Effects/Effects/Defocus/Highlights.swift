internal import DepthMaps

/// How much brighter than stored the light of clipped pixels was.
///
/// Lamps and their reflections are far above white, and photos store them as white. Blurred as white, they vanish in their
/// surroundings; a lens makes bright discs of them.
package struct Highlights: Sendable {
    /// For each pixel, the factor of its light as a power of 2, in steps of 1/32; empty if no pixel is brighter.
    private(set) var stops: [UInt8]

    /// Nothing is brighter than stored.
    package static let none = Highlights(stops: [])

    /// Factors by value of ``stops``: 1 to 2⁸ for colors, and 1 for the weight.
    static let factors: [SIMD4<Float>] = (0...255).map { stop in
        let factor = Math.power(2, Float(stop) / stopScale)
        return SIMD4(factor, factor, factor, 1)
    }
    private static let stopScale: Float = 32

    init(stops: [UInt8]) { self.stops = stops }

    /// Known factors of each pixel's light, such as those of a gain map: those below 1 are 1, and those above 2⁸ are 2⁸.
    package init(factors: [Float]) {
        let stops = factors.map(Self.stop)
        self.stops = stops.contains { $0 > 0 } ? stops : []
    }

    /// The nearest value of ``stops`` to a factor.
    static func stop(ofFactor factor: Float) -> UInt8 {
        guard factor > 1 else { return 0 }
        return UInt8(
            min(Float(Math.logarithm10(Double(factor)) / Math.logarithm10(2)) * stopScale + 0.5, 255))
    }

    /// Whether no pixel is brighter.
    package var isEmpty: Bool { stops.isEmpty }

    /// The factor of a pixel's light.
    package subscript(index: Int) -> Float { stops.isEmpty ? 1 : Self.factors[Int(stops[index])].x }

    /// The same without some pixels.
    func removing(_ isRemoved: [Bool]) -> Highlights {
        guard !stops.isEmpty, isRemoved.contains(true) else { return self }
        return Highlights(stops: zip(stops, isRemoved).map { $1 ? 0 : $0 })
    }
}
