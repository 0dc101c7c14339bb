/// The colors of the figure.
enum FigurePaint {
    private static let light = normalized(Color(-0.5, -0.6, -0.7))

    /// The foreground color times its coverage, and the coverage.
    static func premultiplied(_ ray: Ray) -> (color: Color, alpha: Double) {
        let (x, y) = Figure.card(ray)
        var color = Color()
        let mattes = FigureMattes(x, y) { layer, amount in
            color = color.mixed(with: paint(layer, x, y), amount)
        }
        return (color, mattes.portrait)
    }

    private static func paint(_ layer: Figure.Layer, _ x: Double, _ y: Double) -> Color {
        switch layer {
        case .strands, .hairBack, .hairLong, .fringe: hair(layer, x, y)
        case .torso: sweater(x, y)
        case .neckline: skin(Figure.neckline, x, y) * 0.8
        case .neck: skin(Figure.neck, x, y) * (0.62 + 0.3 * smoothstep((y - 0.0) / 0.07))
        case .ears: skin(Figure.face, x, y) * 0.8
        case .face: face(x, y)
        case .mouth: Color.sRGB(0xB5504A)
        case .teeth: Color.sRGB(0xF7F2EA) * (0.85 + 0.15 * smoothstep(1 - abs(x) / 0.03))
        case .glasses: Color.sRGB(0x2B2F3A)
        }
    }

    /// Light on a cushion over an ellipse.
    private static func shade(_ shape: Ellipse, _ x: Double, _ y: Double) -> Double {
        let dx = (x - shape.x) / shape.radiusX
        let dy = (y - shape.y) / shape.radiusY
        let flat = min(dx * dx + dy * dy, 1)
        let normal = Color(dx * 0.9, dy * 0.9, -(1 - 0.81 * flat).squareRoot())
        return 0.56 + 0.52 * max(0, dot(normal, light))
    }

    private static func skin(_ shape: Ellipse, _ x: Double, _ y: Double) -> Color {
        Color.sRGB(0xF2C3A2) * shade(shape, x, y)
    }

    private static func face(_ x: Double, _ y: Double) -> Color {
        var color = skin(Figure.face, x, y)
        for side in [-1.0, 1.0] {
            let cheek = Ellipse(x: side * 0.044, y: -0.06, radiusX: 0.022, radiusY: 0.016)
            color = color.mixed(
                with: .sRGB(0xDE8A70), 0.38 * coverage(cheek.distance(x, y), softness: 0.02))
            color = eye(at: side * 0.0315, x, y, over: color)
            let brow = abs(y + 0.128 - 5 * (x - side * 0.031) * (x - side * 0.031)) - 0.0026
            let browEnd = abs(x - side * 0.031) - 0.019
            color = color.mixed(with: .sRGB(0x3B2619), 0.9 * coverage(max(brow, browEnd), softness: 0.003))
        }
        let nose = abs(x - 0.007 - 0.18 * (y + 0.07)) - 0.003
        let noseEnds = abs(y + 0.079) - 0.016
        color = color.mixed(with: .sRGB(0xC98E6C), 0.55 * coverage(max(nose, noseEnds), softness: 0.007))
        let nostril = Ellipse(x: 0, y: -0.0625, radiusX: 0.012, radiusY: 0.004)
        color = color.mixed(with: .sRGB(0xC4805F), 0.6 * coverage(nostril.distance(x, y), softness: 0.005))
        // The fringe shades the forehead.
        return color * (1 - 0.3 * coverage(Figure.fringe(x, y - 0.006), softness: 0.016))
    }

    private static func eye(at center: Double, _ x: Double, _ y: Double, over color: Color) -> Color {
        let white = Ellipse(x: center, y: -0.0985, radiusX: 0.0135, radiusY: 0.0085)
        let iris = Ellipse(x: center, y: -0.0985, radiusX: 0.0072, radiusY: 0.0076)
        let pupil = Ellipse(x: center, y: -0.0985, radiusX: 0.0035, radiusY: 0.0036)
        let glint = Ellipse(x: center - 0.0025, y: -0.1012, radiusX: 0.0016, radiusY: 0.0016)
        let lid = max(white.distance(x, y) - 0.0022, y + 0.0985)
        let inside = coverage(white.distance(x, y), softness: 0.002)
        var eye = Color.sRGB(0xF4F1EC)
        eye = eye.mixed(with: .sRGB(0x5B7F4E), coverage(iris.distance(x, y), softness: 0.002))
        eye = eye.mixed(with: .sRGB(0x15110F), coverage(pupil.distance(x, y), softness: 0.0015))
        eye = eye.mixed(with: .sRGB(0xFFFFFF), coverage(glint.distance(x, y), softness: 0.0015))
        let outlined = color.mixed(with: .sRGB(0x3B2619), 0.85 * coverage(lid, softness: 0.002))
        return outlined.mixed(with: eye, inside)
    }

    private static func hair(_ layer: Figure.Layer, _ x: Double, _ y: Double) -> Color {
        let dark = Color.sRGB(0x3A2318)
        guard layer != .strands else { return .sRGB(0x5E3D29) }
        // Locks run outward from the crown.
        let (dx, dy) = (x - 0.012, y + 0.23)
        let spread = dx / (0.04 + (dx * dx + dy * dy).squareRoot())
        let locks = smoothNoise(spread * 60, y * 8) * 0.6 + smoothNoise(spread * 150, y * 14) * 0.4
        let gleam = coverage(abs(y + 0.165 - 3 * x * x) - 0.012, softness: 0.04)
        let color = dark.mixed(with: .sRGB(0x8A5A38), 0.15 + 0.45 * locks + 0.4 * locks * gleam)
        let lower = 1 - 0.35 * smoothstep((y + 0.06) / 0.14)
        return color * ((layer == .fringe ? 1.1 : 0.85) * lower * (0.45 + 0.6 * shade(Figure.hairBack, x, y)))
    }

    private static func sweater(_ x: Double, _ y: Double) -> Color {
        let rib = smoothNoise(x * 170 + 90 * x * x, y * 40)
        let knit = 0.9 + 0.16 * rib
        let stripe = coverage(abs(y - 0.29 + 0.35 * x * x) - 0.014, softness: 0.003)
        let second = coverage(abs(y - 0.335 + 0.35 * x * x) - 0.007, softness: 0.003)
        let wool = Color.sRGB(0x2F8079).mixed(with: .sRGB(0xF0D9A8), max(stripe, second))
        let collar = abs(Figure.neckline.distance(x, y) - 0.006) - 0.005
        let trimmed = wool.mixed(with: .sRGB(0x256660), coverage(collar, softness: 0.003))
        // Head and hair throw a soft shadow on the chest.
        let shadow = coverage(y - 0.1 - 2 * x * x, softness: 0.09)
        return trimmed * (knit * shade(Figure.torso, x, y) * (1 - 0.3 * shadow))
    }
}
