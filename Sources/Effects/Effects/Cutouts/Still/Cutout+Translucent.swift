package import DepthMaps

extension Cutout {
    /// The photo's foreground without a background: not premultiplied, with the photo's color profile.
    ///
    /// Fully transparent pixels are black, so that nothing of the removed background remains in the file.
    ///
    /// - Parameter in16Bits: Whether the result has 16 bits a sample; otherwise it has as many as the photo.
    package func translucent(in16Bits: Bool = false) -> RGBAImage {
        let (runs, width, height) = (runs, photo.width, photo.height)
        func withAlpha<Sample>(_ pixels: [RGB<Sample>]) -> [RGBA<Sample>] {
            parallelMapRows(width: width, height: height) { band, output in
                runs.forEach(in: band) { row, columns, coverage, alphas in
                    let source = pixels.span.extracting(row * width..<(row + 1) * width)
                    let start = (row - band.lowerBound) * width
                    for column in columns {
                        let alpha: Sample =
                            switch coverage {
                            case .behind: 0
                            case .front: .max
                            case .soft: Sample(alphas[column - columns.lowerBound] * Float(Sample.max) + 0.5)
                            }
                        let color = alpha == 0 ? RGB.black : source[column]
                        output[start + column] = RGBA(
                            red: color.red, green: color.green, blue: color.blue, alpha: alpha)
                    }
                }
            }
        }
        return RGBAImage(
            width: width, height: height, pixels: photo.pixels(in16Bits: in16Bits).map(withAlpha, withAlpha),
            colorProfile: photo.colorProfile)
    }
}

extension ColorImage {
    /// The pixels, in 16 bits if requested.
    func pixels(in16Bits: Bool) -> Pixels { in16Bits ? .uint16(sixteenBitPixels) : pixels }
}
