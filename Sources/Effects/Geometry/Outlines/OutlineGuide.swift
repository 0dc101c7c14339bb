package import DepthMaps

/// What is known of the outlines of a scene besides its depth.
package struct OutlineGuide: Sendable {
    /// The subject's fraction, at any size; `nil` without a matte.
    private let matte: Matte?
    /// The photo's color at each sample of the map, sRGB; empty without a photo.
    private let colors: [RGB<UInt8>]
    private let width: Int
    private let scale: SIMD2<Float>

    /// Differences of color that textures have: a change of this size, of 1, is trusted by half.
    private static let texture: Float = 0.15

    /// The matte and the colors of a map of `width` × `height` samples.
    package init(matte: Matte?, colors: [RGB<UInt8>], width: Int, height: Int) {
        precondition(colors.isEmpty || colors.count == width * height)
        self.matte = matte.flatMap { $0.coverage.isEmpty ? nil : $0 }
        (self.colors, self.width) = (colors, max(width, 1))
        scale =
            SIMD2(Float(matte?.width ?? 0), Float(matte?.height ?? 0))
            / SIMD2(Float(max(width, 1)), Float(max(height, 1)))
    }

    /// Nothing is known.
    package static let none = OutlineGuide(matte: nil, colors: [], width: 0, height: 0)

    /// The subject's fraction at a position in samples, 0…1, interpolated; 0 without a matte.
    func coverage(at place: SIMD2<Float>) -> Float {
        guard let matte else { return 0 }
        let limit = SIMD2(Float(matte.width - 1), Float(matte.height - 1))
        let position = ((place + 0.5) * scale - 0.5).clamped(lowerBound: .zero, upperBound: limit)
        let (column, row) = (Int(position.x), Int(position.y))
        let (right, below) = (min(column + 1, matte.width - 1), min(row + 1, matte.height - 1))
        func value(_ column: Int, _ row: Int) -> Float { Float(matte.coverage[row * matte.width + column]) }
        let (x, y) = (position.x - Float(column), position.y - Float(row))
        let upper = value(column, row) * (1 - x) + value(right, row) * x
        let lower = value(column, below) * (1 - x) + value(right, below) * x
        return (upper * (1 - y) + lower * y) / 255
    }

    /// The subject's fraction at a sample.
    func coverage(of sample: Int) -> Float {
        coverage(at: SIMD2(Float(sample % width), Float(sample / width)))
    }

    /// Where the subject's fraction falls to a half between a sample inside and one outside, 0…1; `nil` if it does not.
    func crossing(from inside: Int, to outside: Int) -> Float? {
        guard matte != nil else { return nil }
        let start = SIMD2(Float(inside % width), Float(inside / width))
        let step = SIMD2(Float(outside % width), Float(outside / width)) - start
        var last = coverage(at: start)
        guard last >= 0.5 else { return nil }
        // Mattes have a few pixels to a sample.
        let parts = 8
        for part in 1...parts {
            let next = coverage(at: start + step * (Float(part) / Float(parts)))
            if next < 0.5 { return (Float(part - 1) + (last - 0.5) / (last - next)) / Float(parts) }
            last = next
        }
        return nil
    }

    /// How much of a sample has the color of `near` rather than of `far`, 0…1, and how far this can be trusted, 0…1.
    func share(of sample: Int, near: Int, far: Int) -> (share: Float, trust: Float) {
        guard !colors.isEmpty else { return (0.5, 0) }
        let (behind, difference) = (color(far), color(near) - color(far))
        let contrast = (difference * difference).sum()
        guard contrast > 0 else { return (0.5, 0) }
        let share = ((color(sample) - behind) * difference).sum() / contrast
        return (min(max(share, 0), 1), contrast / (contrast + Self.texture * Self.texture))
    }

    private func color(_ sample: Int) -> SIMD3<Float> {
        let color = colors[sample]
        return SIMD3(Float(color.red), Float(color.green), Float(color.blue)) / 255
    }
}
