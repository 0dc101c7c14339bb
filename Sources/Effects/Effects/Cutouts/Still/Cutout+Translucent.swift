package import DepthMaps

extension Cutout {
    /// The photo's foreground without a background: not premultiplied, with the photo's color profile.
    ///
    /// Fully transparent pixels are black, so that nothing of the removed background remains in the file.
    ///
    /// - Parameter in16Bits: Whether the result has 16 bits a sample; otherwise it has as many as the photo.
    package func translucent(in16Bits: Bool = false) -> RGBAImage {
        let pixels: RGBAImage.Pixels =
            switch photo.pixels {
            case .uint8(let pixels):
                in16Bits ? .uint16(withAlpha(pixels)) : .uint8(withAlpha(pixels))
            case .uint16(let pixels): .uint16(withAlpha(pixels))
            }
        return RGBAImage(
            width: photo.width, height: photo.height, pixels: pixels, colorProfile: photo.colorProfile)
    }

    private func withAlpha<Sample: FixedWidthInteger, Output: FixedWidthInteger>(
        _ pixels: [RGB<Sample>]
    ) -> [RGBA<Output>] {
        let (runs, width) = (runs, photo.width)
        return parallelMapRows(width: width, height: photo.height) { band, output in
            runs.forEach(in: band) { row, columns, coverage, alphas in
                let source = pixels.span.extracting(row * width..<(row + 1) * width)
                let start = (row - band.lowerBound) * width
                for column in columns {
                    let alpha: Output =
                        switch coverage {
                        case .behind: 0
                        case .front: .max
                        case .soft: Output(alphas[column - columns.lowerBound] * Float(Output.max) + 0.5)
                        }
                    output[start + column] = alpha == 0 ? .clear : source[column].opaque(alpha)
                }
            }
        }
    }
}

extension RGB {
    @inline(__always)
    fileprivate func opaque<Output: FixedWidthInteger>(_ alpha: Output) -> RGBA<Output> {
        let color = converted(to: Output.self)
        return RGBA(red: color.red, green: color.green, blue: color.blue, alpha: alpha)
    }
}

extension RGBA {
    fileprivate static var clear: RGBA { RGBA(red: 0, green: 0, blue: 0, alpha: 0) }
}
