extension RGBAImage {
    /// An opaque image, with full alpha everywhere.
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

    /// An image with the coverage of a matte, which is scaled to the image's size.
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

    /// The colors without the opacity.
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

    /// The image over white, blended in linear light; `curve` belongs to the image's profile.
    package func overWhite(curve: TransferFunction) -> ColorImage {
        let blended: ColorImage.Pixels
        switch pixels {
        case .uint8(let pixels):
            let table = TransferFunctionTable<UInt8>(curve)
            blended = .uint8(
                parallelMapRows(width: width, height: height) { rows, output in
                    blend(pixels, from: rows.lowerBound * width, into: &output, table)
                })
        case .uint16(let pixels):
            let table = TransferFunctionTable<UInt16>(curve)
            blended = .uint16(
                parallelMapRows(width: width, height: height) { rows, output in
                    blend(pixels, from: rows.lowerBound * width, into: &output, table)
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

/// Writes colors over white, mixed in linear light.
private func blend<Code: FixedWidthInteger>(
    _ pixels: [RGBA<Code>], from start: Int, into output: inout MutableSpan<RGB<Code>>,
    _ table: TransferFunctionTable<Code>
) {
    for index in output.indices {
        let pixel = pixels[start + index]
        let color = RGB(red: pixel.red, green: pixel.green, blue: pixel.blue)
        guard pixel.alpha != .max else {
            output[index] = color
            continue
        }
        let alpha = Float(pixel.alpha) / Float(Code.max)
        output[index] = table.pixel(ofLight: table.light(of: color) * alpha + (1 - alpha))
    }
}
