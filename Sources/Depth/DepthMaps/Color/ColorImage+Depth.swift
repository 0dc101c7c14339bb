extension ColorImage {
    /// Whether samples have 16 bits.
    public var is16Bit: Bool { if case .uint16 = pixels { true } else { false } }

    /// The image with samples of 8 bits, rounded.
    public var in8Bits: ColorImage {
        guard is16Bit else { return self }
        return ColorImage(
            width: width, height: height, pixels: .uint8(eightBitPixels), colorProfile: colorProfile)
    }

    /// The pixels with samples of 8 bits, rounded.
    package var eightBitPixels: [RGB<UInt8>] {
        switch pixels {
        case .uint8(let pixels): return pixels
        case .uint16(let pixels):
            return parallelMapRows(width: width, height: height) { rows, output in
                let start = rows.lowerBound * width
                for index in 0..<output.count {
                    let pixel = pixels[start + index]
                    output[index] = RGB(
                        red: Self.rounded(pixel.red), green: Self.rounded(pixel.green),
                        blue: Self.rounded(pixel.blue))
                }
            }
        }
    }

    private static func rounded(_ code: UInt16) -> UInt8 { UInt8((UInt32(code) * 255 + 32767) / 65535) }
}
