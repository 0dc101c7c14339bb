/// The curve from stored values of a color space, 0…1, to linear light, 0…1; the same for all channels.
package struct TransferFunction: Hashable, Sendable {
    /// Linear light at equally spaced stored values from 0 to 1; rising from 0 to 1, at least two samples.
    package let light: [Float]

    /// A curve from its samples.
    package init(light: [Float]) {
        precondition(light.count >= 2, "a curve has two ends")
        self.light = light
    }

    /// The curve of sRGB, and of Display P3.
    package static let sRGB = TransferFunction(light: (0...4095).map { sRGBLight(of: Double($0) / 4095) })

    /// The light of a stored value 0…1 in sRGB (IEC 61966-2-1), by its formula.
    package static func sRGBLight(of value: Double) -> Float {
        Float(value <= 0.04045 ? value / 12.92 : Math.power((value + 0.055) / 1.055, 2.4))
    }

    /// The light of a stored value 0…1, linear between the samples of the curve.
    func light(of value: Double) -> Float {
        let place = value * Double(light.count - 1)
        let below = min(Int(place), light.count - 2)
        let (low, high) = (Double(light[below]), Double(light[below + 1]))
        return Float(low + (high - low) * (place - Double(below)))
    }
}
