extension RGBAImage {
    /// An opaque image with full alpha everywhere.
    package init(_ image: ColorImage) {
        let pixels: Pixels =
            switch image.pixels {
            case .uint8(let colors):
                .uint8(
                    parallelMapRows(width: image.width, height: image.height) { rows, output in
                        fill(&output, colors, from: rows.lowerBound * image.width) { _ in .max }
                    })
            case .uint16(let colors):
                .uint16(
                    parallelMapRows(width: image.width, height: image.height) { rows, output in
                        fill(&output, colors, from: rows.lowerBound * image.width) { _ in .max }
                    })
            }
        self.init(width: image.width, height: image.height, pixels: pixels, colorProfile: image.colorProfile)
    }

    /// An image whose coverage is that of a matte, brought to the image's size.
    package init(_ image: ColorImage, alpha: Matte) {
        let coverage = alpha.resampled(toWidth: image.width, height: image.height, by: .bilinear).coverage
        let pixels: Pixels =
            switch image.pixels {
            case .uint8(let colors):
                .uint8(
                    parallelMapRows(width: image.width, height: image.height) { rows, output in
                        fill(&output, colors, from: rows.lowerBound * image.width) { coverage[$0] }
                    })
            case .uint16(let colors):
                .uint16(
                    parallelMapRows(width: image.width, height: image.height) { rows, output in
                        fill(&output, colors, from: rows.lowerBound * image.width) {
                            UInt16(coverage[$0]) * 257
                        }
                    })
            }
        self.init(width: image.width, height: image.height, pixels: pixels, colorProfile: image.colorProfile)
    }

    /// The colors alone, whatever their opacity.
    package var color: ColorImage {
        let colors: ColorImage.Pixels =
            switch pixels {
            case .uint8(let pixels):
                .uint8(
                    parallelMapRows(width: width, height: height) { rows, output in
                        dropAlpha(&output, pixels, from: rows.lowerBound * width)
                    })
            case .uint16(let pixels):
                .uint16(
                    parallelMapRows(width: width, height: height) { rows, output in
                        dropAlpha(&output, pixels, from: rows.lowerBound * width)
                    })
            }
        return ColorImage(width: width, height: height, pixels: colors, colorProfile: colorProfile)
    }

    /// The image over white, blended in linear light; `curve` is that of the image's profile.
    package func overWhite(curve: TransferFunction) -> ColorImage {
        let blended: ColorImage.Pixels
        switch pixels {
        case .uint8(let pixels):
            let blend = WhiteBlend<UInt8>(curve)
            blended = .uint8(
                parallelMapRows(width: width, height: height) { rows, output in
                    blend(pixels, from: rows.lowerBound * width, into: &output)
                })
        case .uint16(let pixels):
            let blend = WhiteBlend<UInt16>(curve)
            blended = .uint16(
                parallelMapRows(width: width, height: height) { rows, output in
                    blend(pixels, from: rows.lowerBound * width, into: &output)
                })
        }
        return ColorImage(width: width, height: height, pixels: blended, colorProfile: colorProfile)
    }
}

private func fill<Code>(
    _ output: inout MutableSpan<RGBA<Code>>, _ colors: [RGB<Code>], from start: Int, _ alpha: (Int) -> Code
) {
    for index in output.indices {
        let color = colors[start + index]
        output[index] = RGBA(
            red: color.red, green: color.green, blue: color.blue, alpha: alpha(start + index))
    }
}

private func dropAlpha<Code>(
    _ output: inout MutableSpan<RGB<Code>>, _ pixels: [RGBA<Code>], from start: Int
) {
    for index in output.indices {
        let pixel = pixels[start + index]
        output[index] = RGB(red: pixel.red, green: pixel.green, blue: pixel.blue)
    }
}

/// Colors over white by tables: the light of every code, and the code of 65,536 steps of light.
private struct WhiteBlend<Code: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    private let light: [Float]
    private let codes: [Code]

    init(_ curve: TransferFunction) {
        let top = Int(Code.max)
        let last = curve.light.count - 1
        light = (0...top).map { code in
            let place = Float(code) / Float(top) * Float(last)
            let below = min(Int(place), last - 1)
            let share = place - Float(below)
            return curve.light[below] * (1 - share) + curve.light[below + 1] * share
        }
        var codes: [Code] = []
        codes.reserveCapacity(65536)
        var code = 0
        for step in 0...65535 {
            let wanted = Float(step) / 65535
            while code < top, light[code + 1] <= wanted { code += 1 }
            // The nearer of the two codes around.
            let isUpper = code < top && light[code + 1] - wanted < wanted - light[code]
            codes.append(Code(truncatingIfNeeded: isUpper ? code + 1 : code))
        }
        self.codes = codes
    }

    func callAsFunction(
        _ pixels: [RGBA<Code>], from start: Int, into output: inout MutableSpan<RGB<Code>>
    ) {
        for index in output.indices {
            let pixel = pixels[start + index]
            guard pixel.alpha != .max else {
                output[index] = RGB(red: pixel.red, green: pixel.green, blue: pixel.blue)
                continue
            }
            let alpha = Float(pixel.alpha) / Float(Code.max)
            output[index] = RGB(
                red: blended(pixel.red, alpha), green: blended(pixel.green, alpha),
                blue: blended(pixel.blue, alpha))
        }
    }

    private func blended(_ code: Code, _ alpha: Float) -> Code {
        codes[Int((alpha * light[Int(code)] + (1 - alpha)) * 65535 + 0.5)]
    }
}
