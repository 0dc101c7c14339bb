internal import DepthMaps
internal import DepthTypes
internal import Glibc

/// A small motion: a translation in meters (lanes 0…2) and a rotation vector in radians (3…5). The last two lanes are 0.
package typealias Twist = SIMD8<Double>

extension CameraPose {
    /// The motion of a twist (ω by Rodrigues' formula, and the translation as it is).
    ///
    /// This is a retraction of SE(3), equal to its exponential to first order. ``twist`` is its inverse.
    init(_ twist: Twist) {
        let omega = SIMD3(twist[3], twist[4], twist[5])
        let angle = omega.length
        // sin a / a and (1 − cos a) / a², by their series near 0.
        let sine = angle < 1e-4 ? 1 - angle * angle / 6 : sin(angle) / angle
        let cosine = angle < 1e-4 ? 0.5 - angle * angle / 24 : (1 - cos(angle)) / (angle * angle)
        func column(_ axis: SIMD3<Double>) -> SIMD3<Double> {
            let first = omega.cross(axis)
            return axis + first * sine + omega.cross(first) * cosine
        }
        self.init(
            right: column(SIMD3(1, 0, 0)), down: column(SIMD3(0, 1, 0)), forward: column(SIMD3(0, 0, 1)),
            position: SIMD3(twist[0], twist[1], twist[2]))
    }

    /// The rotation vector and the translation of this motion.
    var twist: Twist {
        let axis = SIMD3(down.z - forward.y, forward.x - right.z, right.y - down.x) / 2
        let sine = axis.length
        let angle = atan2(sine, (right.x + down.y + forward.z - 1) / 2)
        // Half a turn has no unique axis; motions between frames are far below it.
        let omega = sine < 1e-9 ? axis : axis * (angle / sine)
        return Twist(position.x, position.y, position.z, omega.x, omega.y, omega.z, 0, 0)
    }

    /// The angle of the rotation, in radians.
    var angle: Double {
        let twist = twist
        return SIMD3(twist[3], twist[4], twist[5]).length
    }

    /// The same with exactly orthonormal directions: products lose it slowly.
    var orthonormal: CameraPose {
        let forward = forward / forward.length
        let across = right - forward * (right * forward).sum()
        let right = across / across.length
        return CameraPose(right: right, down: forward.cross(right), forward: forward, position: position)
    }

    /// Rᵀ·d.
    func turnedBack(_ direction: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((direction * right).sum(), (direction * down).sum(), (direction * forward).sum())
    }
}

extension SIMD3 where Scalar: FloatingPoint {
    /// The Euclidean length.
    var length: Scalar { (self * self).sum().squareRoot() }
}
