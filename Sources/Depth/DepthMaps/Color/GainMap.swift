package import DepthTypes

/// How much brighter than the photo its HDR rendition is. Upright, row-major, of any size; it covers the complete photo.
///
/// `HDR = (SDR + baseOffset) · factor − alternateOffset` in linear light, where 1 is the photo's white; Apple's maps have no
/// offsets. A factor of 1 leaves the photo as it is.
package struct GainMap: Sendable {
    /// Samples in a row.
    package let width: Int
    /// The number of rows.
    package let height: Int
    /// The factors of all colors, or of red, green and blue in three planes. Positive.
    package let factors: [[Float]]
    /// How factors are stored.
    package let parameters: GainMapParameters

    /// A map of factors, in one plane or three.
    package init(width: Int, height: Int, factors: [[Float]], parameters: GainMapParameters) {
        precondition(factors.count == 1 || factors.count == 3, "one plane, or one for each color")
        precondition(factors.allSatisfy { $0.count == width * height }, "planes have the map's size")
        (self.width, self.height, self.factors, self.parameters) = (width, height, factors, parameters)
    }

    /// The factors of stored values.
    package init(_ codes: SamplePlane, parameters: GainMapParameters) {
        let planes = (0..<parameters.colorCount).map { channel in
            let table = parameters.curve(of: channel).factors(ofCodesTo: codes.maximumCode)
            return codes.mapped(through: table)
        }
        self.init(width: codes.width, height: codes.height, factors: planes, parameters: parameters)
    }

    /// The factors of stored values in three colors.
    package init(_ image: ColorImage, parameters: GainMapParameters) {
        let pixels = image.eightBitPixels
        let planes = (0..<3).map { channel in
            let table = parameters.curve(of: channel).factors(ofCodesTo: 255)
            return pixels.map { pixel in
                table[Int(channel == 0 ? pixel.red : channel == 1 ? pixel.green : pixel.blue)]
            }
        }
        self.init(width: image.width, height: image.height, factors: planes, parameters: parameters)
    }

    /// The offsets of each color: added to the photo's light, and subtracted from that of the HDR rendition.
    package var offsets: (base: SIMD4<Float>, alternate: SIMD4<Float>) {
        guard case .standard(let standard) = parameters else { return (.zero, .zero) }
        let channels = (0..<3).map { standard.channels[$0 % standard.channels.count] }
        return (
            SIMD4(channels.map { Float($0.baseOffset) } + [0]),
            SIMD4(channels.map { Float($0.alternateOffset) } + [0])
        )
    }

    /// The brightest light that a stored value can give to white; at least 1.
    package var peak: Float {
        (0..<3).map { channel in
            let (base, alternate) = (offsets.base[channel], offsets.alternate[channel])
            return (1 + base) * Float(parameters.curve(of: channel).factor(ofValue: 1)) - alternate
        }.reduce(1, max)
    }

    /// The least factor that a stored value can give to all colors.
    package var least: Float {
        (0..<3).map { channel in
            let curve = parameters.curve(of: channel)
            return Float(min(curve.factor(ofValue: 0), curve.factor(ofValue: 1)))
        }.reduce(0, max)
    }

    /// The factors as stored values of 8 bits, in as many planes. Factors beyond what values can store get the nearest value.
    package func stored() -> [[UInt8]] {
        factors.enumerated().map { channel, plane in
            let curve = parameters.curve(of: channel)
            let table = curve.factors(ofCodesTo: 255)
            // Halfway between factors, for a binary search: a logarithm for each sample takes longer.
            let ends = (1..<256).map { Float(curve.factor(ofValue: (Double($0) - 0.5) / 255)) }
            guard (table.max() ?? 0) > (table.min() ?? 0) else {
                return [UInt8](repeating: 0, count: plane.count)
            }
            return plane.map { factor in
                var (low, high) = (0, 255)
                while low < high {
                    let middle = (low + high) / 2
                    if ends[middle] <= factor { low = middle + 1 } else { high = middle }
                }
                return UInt8(low)
            }
        }
    }
}

extension GainMapParameters {
    /// How many planes of factors one plane of values has.
    fileprivate var colorCount: Int {
        if case .standard(let standard) = self { standard.channels.count } else { 1 }
    }

    /// The curve of a color: 0, 1 or 2.
    fileprivate func curve(of channel: Int) -> GainMapCurve {
        switch self {
        case .apple(let headroom): .apple(headroom.asLight)
        case .standard(let map): .standard(map.channels[channel % map.channels.count])
        }
    }
}

extension AppleHeadroom {
    /// The brightest light, 1 or more.
    package var asLight: Double {
        switch self {
        case .light(let light): light
        case .stops(let stops): Math.power(2, stops)
        }
    }
}

/// The curve between the stored values of a gain map, 0…1, and factors.
private enum GainMapCurve {
    /// With the brightest light.
    case apple(Double)
    case standard(StandardGainMap.Channel)

    func factor(ofValue value: Double) -> Double {
        switch self {
        case .apple(let headroom): return 1 + (headroom - 1) * Self.light(ofValue: value)
        case .standard(let map):
            let gain = map.minimum + (map.maximum - map.minimum) * Math.power(value, 1 / map.gamma)
            return Math.power(2, gain)
        }
    }

    /// The factors of all integers up to `top`.
    func factors(ofCodesTo top: Int) -> [Float] {
        (0...top).map { Float(factor(ofValue: Double($0) / Double(top))) }
    }

    /// The inverse of the curve of ITU-R BT.709, item 1.2.
    private static func light(ofValue value: Double) -> Double {
        value < 0.081 ? value / 4.5 : Math.power((value + 0.099) / 1.099, 1 / 0.45)
    }
}
