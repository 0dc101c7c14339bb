internal import Glibc

/// How the codes of a color space become light: linear light 0…1 over coded values 0…1, the same for all channels.
package struct TransferFunction: Hashable, Sendable {
    /// Linear light at equally spaced coded values from 0 to 1; rises, from 0 to 1, two samples at least.
    package let light: [Float]

    /// A curve from its samples.
    package init(light: [Float]) {
        precondition(light.count >= 2, "a curve has two ends")
        self.light = light
    }

    /// The curve of sRGB, and of Display P3 (IEC 61966-2-1).
    package static let sRGB = TransferFunction(
        light: (0...4095).map { step in
            let value = Double(step) / 4095
            return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
        })
}
