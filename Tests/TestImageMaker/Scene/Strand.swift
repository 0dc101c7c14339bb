/// A loose hair: a piece of a parabola that tapers off.
struct Strand {
    var x: Double
    var y: Double
    /// The direction it starts in; need not have length 1.
    var directionX: Double
    var directionY: Double
    var length: Double
    var curvature: Double

    /// Coverage of the point (px, py) of the card.
    func amount(_ px: Double, _ py: Double) -> Double {
        let norm = (directionX * directionX + directionY * directionY).squareRoot()
        let dx = directionX / norm
        let dy = directionY / norm
        let along = (px - x) * dx + (py - y) * dy
        guard along >= 0, along <= length else { return 0 }
        let across = (py - y) * dx - (px - x) * dy
        let slope = 2 * curvature * along
        let distance = abs(across - curvature * along * along) / (1 + slope * slope).squareRoot()
        let rest = 1 - along / length
        let halfWidth = 0.0004 + 0.0008 * rest
        return 0.85 * smoothstep(4 * rest)
            * coverage(distance - halfWidth, softness: 0.0016)
    }

    /// Roots lie inside the hair, tips outside.
    static let all = [
        Strand(x: -0.055, y: -0.185, directionX: -1, directionY: -0.55, length: 0.085, curvature: -7),
        Strand(x: -0.07, y: -0.165, directionX: -1, directionY: -0.35, length: 0.08, curvature: -8),
        Strand(x: -0.08, y: -0.15, directionX: -1, directionY: -0.1, length: 0.078, curvature: -7),
        Strand(x: -0.035, y: -0.205, directionX: -1, directionY: -0.75, length: 0.08, curvature: -9),
        Strand(x: -0.015, y: -0.212, directionX: -1, directionY: -0.9, length: 0.062, curvature: -11),
        Strand(x: -0.086, y: -0.12, directionX: -0.9, directionY: 0.5, length: 0.09, curvature: -7),
        Strand(x: -0.092, y: -0.09, directionX: -0.65, directionY: 0.75, length: 0.1, curvature: -5),
        Strand(x: -0.098, y: -0.06, directionX: -0.42, directionY: 0.9, length: 0.1, curvature: -2.5),
        Strand(x: -0.103, y: -0.025, directionX: -0.32, directionY: 1, length: 0.1, curvature: 3),
        Strand(x: -0.1, y: 0.015, directionX: -0.28, directionY: 1, length: 0.09, curvature: -3),
        Strand(x: -0.097, y: 0.05, directionX: -0.4, directionY: 1, length: 0.07, curvature: 5),
        Strand(x: -0.1, y: -0.04, directionX: -0.5, directionY: 0.85, length: 0.085, curvature: 3.5),
        Strand(x: -0.088, y: -0.135, directionX: -1, directionY: 0.15, length: 0.072, curvature: -10),
        Strand(x: 0.055, y: -0.19, directionX: 1, directionY: -0.6, length: 0.082, curvature: 7),
        Strand(x: 0.07, y: -0.17, directionX: 1, directionY: -0.3, length: 0.085, curvature: 6),
        Strand(x: 0.08, y: -0.155, directionX: 1, directionY: -0.1, length: 0.074, curvature: 9),
        Strand(x: 0.03, y: -0.207, directionX: 1, directionY: -0.8, length: 0.084, curvature: 8),
        Strand(x: 0.008, y: -0.213, directionX: 0.8, directionY: -1, length: 0.06, curvature: 12),
        Strand(x: 0.088, y: -0.12, directionX: 0.9, directionY: 0.4, length: 0.092, curvature: 6.5),
        Strand(x: 0.092, y: -0.08, directionX: 0.6, directionY: 0.75, length: 0.1, curvature: 4),
        Strand(x: 0.098, y: -0.05, directionX: 0.45, directionY: 0.9, length: 0.1, curvature: 2),
        Strand(x: 0.103, y: -0.02, directionX: 0.3, directionY: 1, length: 0.095, curvature: -3),
        Strand(x: 0.1, y: 0.02, directionX: 0.3, directionY: 1, length: 0.085, curvature: 3),
        Strand(x: 0.096, y: 0.052, directionX: 0.35, directionY: 1, length: 0.07, curvature: -5),
        Strand(x: 0.1, y: -0.03, directionX: 0.55, directionY: 0.85, length: 0.08, curvature: -3),
        Strand(x: 0.086, y: -0.14, directionX: 1, directionY: 0.1, length: 0.075, curvature: 9),
    ]
}
