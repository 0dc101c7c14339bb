internal import DepthMaps

/// Sheets parallel to the image, each with one radius of blur, in order from the farthest to the nearest.
///
/// A pixel whose radius is between two sheets belongs to both, in fractions that add up to 1: its *place* is a
/// fractional index of sheets.
struct DefocusLayers: Sendable {
    /// The radius of blur of each sheet in pixels, falling to 0 in focus and rising again.
    let radii: [Float]
    /// The sheet in focus.
    let focus: Int

    /// Places are stored in steps of 1/256 of a sheet.
    static var placeScale: Float { 256 }
    /// Smaller radii are in focus: their discs are smaller than a pixel.
    private static var sharpRadius: Float { 0.35 }

    /// Sheets for radii up to `behind` and `before` the plane in focus.
    init(behind: Float, before: Float) {
        let far = Self.steps(to: behind)
        radii = far.reversed() + [0] + Self.steps(to: before)
        focus = far.count
    }

    /// The radii of the blurred sheets, ascending, until one is at least `radius`; 31 at most.
    private static func steps(to radius: Float) -> [Float] {
        guard radius > sharpRadius else { return [] }
        let growth = max(0.15, Math.power(radius / 5, 1 / 23) - 1)
        var steps: [Float] = [1]
        while let last = steps.last, last < radius, steps.count < 31 {
            steps.append(min(last + max(0.75, last * growth), max(radius, last + 0.25)))
        }
        return steps
    }

    /// The position of a signed radius: negative behind the plane in focus.
    func place(ofRadius radius: Float) -> Float {
        let size = abs(radius)
        guard size > Self.sharpRadius else { return Float(focus) }
        let isFar = radius < 0
        let count = isFar ? focus : radii.count - 1 - focus
        var step = 1
        while step < count, radii[isFar ? focus - step : focus + step] < size { step += 1 }
        guard count > 0 else { return Float(focus) }
        let upper = radii[isFar ? focus - step : focus + step]
        let lower = step == 1 ? Self.sharpRadius : radii[isFar ? focus - step + 1 : focus + step - 1]
        let distance = Float(step - 1) + min((size - lower) / (upper - lower), 1)
        return Float(focus) + (isFar ? -distance : distance)
    }
}
