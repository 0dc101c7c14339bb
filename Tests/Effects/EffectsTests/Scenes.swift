internal import DepthMaps
internal import DepthTypes

/// A disparity map computed from column and row.
func scene(_ width: Int, _ height: Int, _ disparity: (Int, Int) -> Float) -> DisparityMap {
    var samples: [Float] = []
    for y in 0..<height { for x in 0..<width { samples.append(disparity(x, y)) } }
    return DisparityMap(width: width, height: height, reciprocalMeters: samples, scale: .absolute)
}

func gray(_ value: UInt8) -> RGB<UInt8> { RGB(red: value, green: value, blue: value) }

/// Linear light of a code of sRGB (IEC 61966-2-1).
func light(_ code: UInt8) -> Double {
    let table = TransferFunction.sRGB.light
    return Double(table[(Int(code) * (table.count - 1) + 127) / 255])
}

/// The code of sRGB whose light is nearest.
func code(ofLight value: Double) -> UInt8 {
    (UInt8.min...UInt8.max).min { abs(light($0) - value) < abs(light($1) - value) } ?? 0
}
