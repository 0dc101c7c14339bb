internal import DepthMaps
internal import PhotoFormats

extension SamplePlane {
    /// The part of the plane inside a rectangle, which must be within the plane.
    func cropped(to crop: PixelCrop) -> SamplePlane {
        let part: Codes =
            switch codes {
            case .uint8(let samples): .uint8(cropRows(samples, width: width, to: crop))
            case .uint16(let samples): .uint16(cropRows(samples, width: width, to: crop))
            }
        return SamplePlane(width: crop.width, height: crop.height, bitDepth: bitDepth, codes: part)
    }
}

extension ColorImage {
    /// The part of the image inside a rectangle, which must be within the image.
    func cropped(to crop: PixelCrop) -> ColorImage {
        let part: Pixels =
            switch pixels {
            case .uint8(let pixels): .uint8(cropRows(pixels, width: width, to: crop))
            case .uint16(let pixels): .uint16(cropRows(pixels, width: width, to: crop))
            }
        return ColorImage(width: crop.width, height: crop.height, pixels: part, colorProfile: colorProfile)
    }
}

private func cropRows<Pixel>(_ pixels: [Pixel], width: Int, to crop: PixelCrop) -> [Pixel] {
    var part: [Pixel] = []
    part.reserveCapacity(crop.width * crop.height)
    for row in crop.top..<crop.top + crop.height {
        let start = row * width + crop.left
        part += pixels[start..<start + crop.width]
    }
    return part
}
