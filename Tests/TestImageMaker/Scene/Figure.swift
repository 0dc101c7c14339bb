/// The person: soft shapes on a card that stands across the optical axis, bulging towards the camera.
///
/// Coordinates are meters on the card, relative to the figure's own origin.
enum Figure {
    static let distance = 1.5
    static let origin = (x: -0.06, y: 0.0)

    static let hairBack = Ellipse(x: 0, y: -0.112, radiusX: 0.107, radiusY: 0.122)
    static let hairLong = Ellipse(x: 0, y: -0.02, radiusX: 0.113, radiusY: 0.13, isBoxy: true)
    static let torso = Ellipse(x: 0, y: 0.40, radiusX: 0.245, radiusY: 0.325, isBoxy: true)
    static let neck = Ellipse(x: 0, y: 0.03, radiusX: 0.039, radiusY: 0.085, isBoxy: true)
    static let neckline = Ellipse(x: 0, y: 0.078, radiusX: 0.06, radiusY: 0.036)
    static let face = Ellipse(x: 0, y: -0.095, radiusX: 0.076, radiusY: 0.103)
    static let ears = [
        Ellipse(x: -0.077, y: -0.085, radiusX: 0.013, radiusY: 0.022),
        Ellipse(x: 0.077, y: -0.085, radiusX: 0.013, radiusY: 0.022),
    ]
    static let lenses = [
        Ellipse(x: -0.0315, y: -0.098, radiusX: 0.0265, radiusY: 0.0235),
        Ellipse(x: 0.0315, y: -0.098, radiusX: 0.0265, radiusY: 0.0235),
    ]
    static let frameThickness = 0.0036

    static let hairSoftness = 0.009
    static let skinSoftness = 0.003
    static let clothSoftness = 0.004

    /// Where a ray meets the card.
    static func card(_ ray: Ray) -> (x: Double, y: Double) {
        (ray.x * distance - origin.x, ray.y * distance - origin.y)
    }

    /// Distance along the optical axis where the ray meets the body; nil beside it. Loose strands are too thin for
    /// a depth sensor and do not count.
    static func distance(_ ray: Ray) -> Double? {
        let (x, y) = card(ray)
        let shapes = [hairBack, hairLong, torso, neck, face] + ears
        guard shapes.contains(where: { $0.distance(x, y) <= 0 }) else { return nil }
        let relief = [
            face.bulge(x, y, height: 0.09), hairBack.bulge(x, y, height: 0.07),
            torso.bulge(x, y, height: 0.06), neck.bulge(x, y, height: 0.03),
        ]
        return distance - relief.reduce(0, max)
    }
}

extension Figure {
    /// The fringe: what of the hair lies above an arch over the forehead.
    static func fringe(_ x: Double, _ y: Double) -> Double {
        let arch = -0.158 + 7 * (x + 0.02) * (x + 0.02)
        return max(hairBack.distance(x, y), y - arch)
    }

    /// The open mouth between two parabolas that meet at its corners.
    static func mouth(_ x: Double, _ y: Double) -> Double {
        let upper = -0.0455 - 3 * x * x
        let lower = -0.0305 - 22 * x * x
        return max(upper - y, y - lower)
    }

    /// Frames, bridge and temples.
    static func glasses(_ x: Double, _ y: Double) -> Double {
        let half = frameThickness / 2
        let rings = lenses.map { abs($0.distance(x, y)) - half }.reduce(1, min)
        let bridge = max(abs(y + 0.103) - half, abs(x) - 0.006)
        let temples = max(abs(y + 0.103) - half, abs(abs(x) - 0.067) - 0.0105)
        return min(rings, min(bridge, temples))
    }
}
