internal import DepthMaps

/// A camera movement that ends where it begins.
package enum CameraMove: String, CaseIterable, Hashable, Sendable {
    /// Back and forth, left and right.
    case wiggle
    /// Around in a slightly flat circle.
    case orbit
    /// Away from the scene and back; objects at the pivot keep their size, so nothing beyond the frame becomes visible.
    case dolly
    /// The camera stays; the focus goes from the nearest to the farthest objects and back.
    case focus

    /// The camera's position at `phase` of the loop, 0 ..< 1.
    package func view(at phase: Float, of renderer: ViewRenderer) -> ViewPoint {
        let angle = Double(phase) * 2 * .pi
        let (sine, cosine) = (Float(Math.sine(angle)), Float(Math.cosine(angle)))
        switch self {
        case .wiggle: return ViewPoint(shift: SIMD2(sine, 0) * (renderer.fullShift / 2))
        case .orbit: return ViewPoint(shift: SIMD2(cosine, sine * 0.6) * (renderer.fullShift / 2))
        case .dolly: return ViewPoint(shift: .zero, advance: (cosine - 1) / 2 * renderer.fullAdvance)
        case .focus: return .camera
        }
    }

    /// The focus at `phase` of the loop: 0 for the farthest objects, 1 for the nearest.
    package static func focus(at phase: Float) -> Float {
        0.5 + 0.5 * Float(Math.cosine(Double(phase) * 2 * .pi))
    }
}
