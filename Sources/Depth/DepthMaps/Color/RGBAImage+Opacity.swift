extension RGBAImage {
    /// An opaque image, with full alpha everywhere.
    package init(_ image: ColorImage) {
        func opaque<Code>(_ colors: [RGB<Code>]) -> [RGBA<Code>] {
            parallelMap(colors) { RGBA($0, alpha: .max) }
        }
        self.init(
            width: image.width, height: image.height, pixels: image.pixels.map(opaque, opaque),
            colorProfile: image.colorProfile)
    }

    /// An image with the coverage of a matte, which is scaled to the image's size.
    package init(_ image: ColorImage, alpha: Matte) {
        let (width, height) = (image.width, image.height)
        let coverage = alpha.resampled(toWidth: width, height: height, by: .bilinear).coverage
        func covered<Code>(_ colors: [RGB<Code>]) -> [RGBA<Code>] {
            parallelMapRows(width: width, height: height) { rows, output in
                let start = rows.lowerBound * width
                for index in output.indices {
                    output[index] = RGBA(
                        colors[start + index], alpha: depthConverted(coverage[start + index]))
                }
            }
        }
        self.init(
            width: width, height: height, pixels: image.pixels.map(covered, covered),
            colorProfile: image.colorProfile)
    }

    /// The colors without the opacity.
    package var color: ColorImage {
        func colors<Code>(_ pixels: [RGBA<Code>]) -> [RGB<Code>] { parallelMap(pixels) { $0.color } }
        return ColorImage(
            width: width, height: height, pixels: pixels.map(colors, colors), colorProfile: colorProfile)
    }

    /// The image over white, blended in linear light; `curve` belongs to the image's profile.
    package func overWhite(curve: TransferFunction) -> ColorImage {
        func blended<Code>(_ pixels: [RGBA<Code>]) -> [RGB<Code>] {
            let table = TransferFunctionTable<Code>(curve)
            return parallelMap(pixels) { pixel in
                guard pixel.alpha != .max else { return pixel.color }
                let alpha = Float(pixel.alpha) / Float(Code.max)
                return table.pixel(ofLight: table.light(of: pixel.color) * alpha + (1 - alpha))
            }
        }
        return ColorImage(
            width: width, height: height, pixels: pixels.map(blended, blended), colorProfile: colorProfile)
    }

    /// The image with its premultiplied colors divided by alpha.
    package var straight: RGBAImage {
        func divided<Code>(_ pixels: [RGBA<Code>]) -> [RGBA<Code>] { parallelMap(pixels) { $0.straight } }
        return RGBAImage(
            width: width, height: height, pixels: pixels.map(divided, divided), colorProfile: colorProfile)
    }
}
