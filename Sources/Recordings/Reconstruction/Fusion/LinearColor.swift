internal import DepthMaps

/// Colors in linear light, 1…65,535, as sRGB.
enum LinearColor {
    /// The sRGB value of each light.
    private static let codes: [UInt8] = {
        let light = TransferFunctionTable<UInt8>(.sRGB).thresholds
        var code = 0
        return (0...65535).map { value in
            let share = Float(max(value - 1, 0)) / 65534
            while code < 255, light[code + 1] <= share { code += 1 }
            return UInt8(code)
        }
    }()

    /// The color of a weighted sum of light; the fourth element is the sum of weights. Gray if it is 0.
    static func color(_ sum: SIMD4<Float>) -> RGB<UInt8> {
        guard sum.w > 0 else { return RGB(red: 128, green: 128, blue: 128) }
        let mean = sum / sum.w + 0.5
        func code(_ light: Float) -> UInt8 { codes[Int(min(max(light, 0), 65535))] }
        return RGB(red: code(mean.x), green: code(mean.y), blue: code(mean.z))
    }
}
