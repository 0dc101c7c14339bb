internal import DepthCore

/// A movement of the camera that ends where it begins.
package enum CameraMove: String, CaseIterable, Codable, Hashable, Sendable {
    /// To and fro, left and right.
    case wiggle
    /// Around in a circle, a little flat.
    case orbit
    /// Away from the scene and back, what is at the pivot keeping its size: then nothing beyond the frame comes into sight.
    case dolly
    /// The camera stays, and the focus goes from the nearest things to the farthest and back.
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

    /// The focus at `phase` of the loop: 0 at the farthest things, 1 at the nearest.
    package static func focus(at phase: Float) -> Float {
        0.5 + 0.5 * Float(Math.cosine(Double(phase) * 2 * .pi))
    }
}
