import Foundation

/// Linear light, sRGB primaries.
typealias Color = SIMD3<Double>

extension Color {
    /// A color as designers write it.
    static func sRGB(_ code: Int) -> Color {
        Color(decoded(code >> 16 & 255), decoded(code >> 8 & 255), decoded(code & 255))
    }

    private static func decoded(_ code: Int) -> Double {
        let v = Double(code) / 255
        return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
    }

    /// The weighted mean of this color and another.
    func mixed(with other: Color, _ amount: Double) -> Color {
        self * (1 - amount) + other * amount
    }

    /// 8-bit Display P3 codes: other primaries, the same curve as sRGB.
    var displayP3: SIMD3<UInt8> {
        let p3 = Color(
            0.8224620 * x + 0.1775380 * y,
            0.0331942 * x + 0.9668058 * y,
            0.0170826 * x + 0.0723974 * y + 0.9105199 * z)
        var codes = SIMD3<UInt8>()
        for channel in 0..<3 {
            let v = Swift.min(Swift.max(p3[channel], 0), 1)
            let encoded = v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055
            codes[channel] = UInt8((encoded * 255).rounded())
        }
        return codes
    }
}

/// A value in 0…1 that looks random but is the same for the same numbers every time.
func noise(_ x: Int, _ y: Int) -> Double {
    var bits = UInt64(bitPattern: Int64(x)) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ UInt64(bitPattern: Int64(y))) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 31) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ bits >> 29) >> 40) / Double(1 << 24)
}

/// Noise that varies smoothly, in cells of size 1.
func smoothNoise(_ x: Double, _ y: Double) -> Double {
    let column = x.rounded(.down)
    let row = y.rounded(.down)
    let (i, j) = (Int(column), Int(row))
    let (u, v) = (smoothstep(x - column), smoothstep(y - row))
    let top = noise(i, j) * (1 - u) + noise(i + 1, j) * u
    let bottom = noise(i, j + 1) * (1 - u) + noise(i + 1, j + 1) * u
    return top * (1 - v) + bottom * v
}
