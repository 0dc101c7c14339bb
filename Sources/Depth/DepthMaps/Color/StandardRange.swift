package import DepthTypes

extension ColorImage {
    /// Colors in PQ or HLG as a display of standard dynamic range shows them, in the same primaries with the curve of sRGB.
    ///
    /// Reference white, 203 cd/m² (ITU-R BT.2408, table 1), becomes white; what is brighter is cut off.
    package func inStandardRange(from color: CodedColor) -> ColorImage {
        func converted<Sample>(_ pixels: [RGB<Sample>]) -> [RGB<Sample>] {
            let range = StandardRange<Sample>(color)
            return parallelMap(pixels) { range.pixel(of: $0) }
        }
        return ColorImage(
            width: width, height: height, pixels: pixels.map(converted, converted), colorProfile: colorProfile
        )
    }
}

extension RGBAImage {
    /// As ``ColorImage/inStandardRange(from:)``, with the same opacity.
    package func inStandardRange(from color: CodedColor) -> RGBAImage {
        func converted<Sample>(_ pixels: [RGBA<Sample>]) -> [RGBA<Sample>] {
            let range = StandardRange<Sample>(color)
            return parallelMap(pixels) { RGBA(range.pixel(of: $0.color), alpha: $0.alpha) }
        }
        return RGBAImage(
            width: width, height: height, pixels: pixels.map(converted, converted), colorProfile: colorProfile
        )
    }
}

/// The way from PQ or HLG (ITU-R BT.2100) to values of sRGB's curve.
private struct StandardRange<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    /// Light of each stored value, in units of reference white: of the display in PQ, of the scene in HLG.
    private let light: [Float]
    /// How much red, green and blue add to luminance; `nil` where channels are independent.
    private let luminance: SIMD4<Float>?
    private let curve = TransferFunctionTable<Sample>(.sRGB)

    init(_ color: CodedColor) {
        let top = Double(Sample.max)
        let isHLG = color.transfer == 18
        light = (0...Int(Sample.max)).map { Float(color.light(Double($0) / top)) }
        luminance = isHLG ? SIMD4(0.2627, 0.6780, 0.0593, 0) : nil
    }

    @inline(__always)
    func pixel(of pixel: RGB<Sample>) -> RGB<Sample> {
        var color = SIMD4(light[Int(pixel.red)], light[Int(pixel.green)], light[Int(pixel.blue)], 0)
        if let luminance {
            // The opto-optical transfer function of a display with a peak of 1,000 cd/m² (BT.2100, table 5).
            let scene = (color * luminance).sum()
            color *= 1000 / 203 * Math.power(scene, 0.2)
        }
        return curve.pixel(ofLight: color)
    }

}

extension CodedColor {
    /// The light of a value of PQ or HLG: of the display, in units of reference white, by the electro-optical transfer function
    /// of PQ (BT.2100, table 4); of the scene, from 0 to 1, by the inverse of HLG's opto-electronic one (table 5).
    package func light(_ value: Double) -> Double {
        if transfer == 18 {
            let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
            return value <= 0.5 ? value * value / 3 : (Math.exponential((value - c) / a) + b) / 12
        }
        let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
        let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
        let root = Math.power(value, 1 / m2)
        return 10000 / 203 * Math.power(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    }
}
