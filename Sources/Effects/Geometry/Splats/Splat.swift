internal import DepthMaps

/// A flat Gaussian disc on the surface at a point.
///
/// Where a camera saw the point, the disc is the footprint of its sample: an ellipse that looks round from the camera. With
/// Z the distance along the axis, α the angle between rays, r the direction of the ray and n the normal, its standard
/// deviations are s = Z · α / √2 across the ray, and s / |n · r| along the slope. With s, the center between four neighbors
/// is one standard deviation from each, so opaque discs cover 98 % of it or more.
struct Splat {
    /// Standard deviations along the three axes of the disc, in the unit of positions. The third is its thickness.
    let scale: SIMD3<Float>
    /// The rotation from the disc's axes as a unit quaternion: x, y, z, w.
    let rotation: SIMD4<Float>

    /// Longer discs, of surfaces seen at less than 14°, would stick out at the limbs of round objects.
    private static let leastCosine: Float = 0.25
    /// The thickness as a fraction of the disc's shorter radius: viewers expect a number above 0.
    private static let flatness: Float = 0.1

    /// The disc of a point with a unit normal.
    init(at position: SIMD3<Float>, _ normal: SIMD3<Float>, _ spacing: SplatSpacing) {
        switch spacing {
        case .length(let length):
            let radius = length * Float(0.5).squareRoot()
            scale = SIMD3(radius, radius, radius * Self.flatness)
            rotation = Self.rotation(to: Self.tangent(of: normal), normal)
        case .angle(let angle):
            let radius = abs(position.z) * angle * Float(0.5).squareRoot()
            let ray = position / max((position * position).sum().squareRoot(), .leastNormalMagnitude)
            let cosine = (normal * ray).sum()
            scale = SIMD3(radius / max(abs(cosine), Self.leastCosine), radius, radius * Self.flatness)
            let slope = ray - cosine * normal
            let length = (slope * slope).sum().squareRoot()
            rotation = Self.rotation(
                to: length > 1e-4 ? slope / length : Self.tangent(of: normal), normal)
        }
    }

    /// A unit vector at right angles to a normal.
    private static func tangent(of normal: SIMD3<Float>) -> SIMD3<Float> {
        let other: SIMD3<Float> = abs(normal.x) < 0.7 ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
        let tangent = normal.cross(other)
        return tangent / (tangent * tangent).sum().squareRoot()
    }

    /// The rotation of the x axis to `first` and of the z axis to `third`, which are unit vectors at right angles
    /// (S. W. Shepperd, "Quaternion from rotation matrix", 1978).
    private static func rotation(to first: SIMD3<Float>, _ third: SIMD3<Float>) -> SIMD4<Float> {
        let second = third.cross(first)
        let (xx, yy, zz) = (first.x, second.y, third.z)
        // Each is the quaternion times four times one of its components; that component must not be small.
        let sum = xx + yy + zz
        let scaled: SIMD4<Float> =
            if sum > 0 {
                SIMD4(second.z - third.y, third.x - first.z, first.y - second.x, 1 + sum)
            } else if xx > max(yy, zz) {
                SIMD4(1 + xx - yy - zz, second.x + first.y, third.x + first.z, second.z - third.y)
            } else if yy > zz {
                SIMD4(second.x + first.y, 1 - xx + yy - zz, third.y + second.z, third.x - first.z)
            } else {
                SIMD4(third.x + first.z, third.y + second.z, 1 - xx - yy + zz, first.y - second.x)
            }
        return scaled / (scaled * scaled).sum().squareRoot()
    }

    /// The spherical harmonic of degree 0: (c − ½) / Y₀⁰ for each sRGB channel c, 0…1, with Y₀⁰ = ½ / √π.
    static func coefficients(of color: RGB<UInt8>) -> SIMD3<Float> {
        (SIMD3(Float(color.red), Float(color.green), Float(color.blue)) / 255 - 0.5) / 0.282_094_79
    }

    /// The color of splats without colors.
    static let gray = RGB<UInt8>(red: 188, green: 188, blue: 188)
}
