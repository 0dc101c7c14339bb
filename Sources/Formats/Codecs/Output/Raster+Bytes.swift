internal import DepthMaps

extension Raster {
    /// The samples as Float32: floating point values unchanged, integers as fractions of their maximum; `nil` for color.
    var floats: [Float]? {
        switch samples {
        case .float(let samples): samples
        case .gray8(let samples): samples.map { Float($0) / 255 }
        case .gray16(let samples): samples.map { Float($0) / 65535 }
        case .color, .translucent: nil
        }
    }
}
