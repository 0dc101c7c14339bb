import DepthMaps

// The curve of sRGB (IEC 61966-2-1), apart from the one under test.

extension RGB<UInt8> {
    /// Red, green and blue light, 0…1.
    var light: SIMD3<Float> { [Self.light(red), Self.light(green), Self.light(blue)] }

    private static func light(_ code: UInt8) -> Float {
        let value = Double(code) / 255
        return Float(value <= 0.04045 ? value / 12.92 : Math.power((value + 0.055) / 1.055, 2.4))
    }
}

extension SIMD3<Float> {
    /// The codes of light, clipped to 0…1.
    var code: RGB<UInt8> { RGB(red: Self.code(x), green: Self.code(y), blue: Self.code(z)) }

    private static func code(_ light: Float) -> UInt8 {
        let value = light <= 0.0031308 ? light * 12.92 : 1.055 * Math.power(light, 1 / 2.4) - 0.055
        return UInt8(Swift.min(Swift.max(value, 0), 1) * 255 + 0.5)
    }
}
