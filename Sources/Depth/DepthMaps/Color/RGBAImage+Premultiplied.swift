extension RGBA {
    /// The pixel with its color divided by its alpha; black if alpha is 0.
    package var straight: RGBA {
        guard alpha != .max else { return self }
        func divided(_ code: Sample) -> Sample {
            guard alpha > 0 else { return 0 }
            let (top, alpha) = (Int(Sample.max), Int(alpha))
            return Sample(min(top, (Int(code) * top + alpha / 2) / alpha))
        }
        return RGBA(red: divided(red), green: divided(green), blue: divided(blue), alpha: alpha)
    }
}

extension RGBAImage {
    /// The image with its premultiplied colors divided by alpha.
    package var straight: RGBAImage {
        let divided: Pixels =
            switch pixels {
            case .uint8(let pixels): .uint8(Self.straight(pixels, width, height))
            case .uint16(let pixels): .uint16(Self.straight(pixels, width, height))
            }
        return RGBAImage(width: width, height: height, pixels: divided, colorProfile: colorProfile)
    }

    private static func straight<Sample>(_ pixels: [RGBA<Sample>], _ width: Int, _ height: Int)
        -> [RGBA<Sample>]
    {
        parallelMapRows(width: width, height: height) { rows, output in
            for index in output.indices { output[index] = pixels[rows.lowerBound * width + index].straight }
        }
    }
}
