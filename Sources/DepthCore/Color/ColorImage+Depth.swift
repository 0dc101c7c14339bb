extension ColorImage {
    /// Whether samples have 16 bits.
    public var is16Bit: Bool { if case .uint16 = pixels { true } else { false } }

    /// The image with samples of 8 bits, rounded.
    public var in8Bits: ColorImage {
        guard case .uint16(let pixels) = pixels else { return self }
        let rounded: [RGB<UInt8>] = parallelMapRows(width: width, height: height) { rows, output in
            let start = rows.lowerBound * width
            for index in 0..<output.count {
                let pixel = pixels[start + index]
                output[index] = RGB(
                    red: Self.rounded(pixel.red), green: Self.rounded(pixel.green),
                    blue: Self.rounded(pixel.blue))
            }
        }
        return ColorImage(width: width, height: height, pixels: .uint8(rounded), colorProfile: colorProfile)
    }

    private static func rounded(_ code: UInt16) -> UInt8 { UInt8((UInt32(code) * 255 + 32767) / 65535) }
}
