internal import Bytes
internal import DepthMaps
internal import PhotoFormats

extension ImageDecoder {
    /// Pictures laid over each other, in the color space of `colorProfile`. The result has 8 bits if all layers have 8 bits,
    /// otherwise 16.
    func color(of overlay: OverlayImage, colorProfile: [UInt8]) throws(ContainerError) -> ColorImage {
        let count = try limits.pixelCount(width: overlay.width, height: overlay.height)
        let largest = overlay.layers.reduce(count) { max($0, $1.width * $1.height) }
        // The canvas in 8 and in 16 bits, and two copies of a layer: as decoded and turned.
        try limits.checkMemory(pixels: largest, bytesPerPixel: 9 + 12)
        let fill = overlay.fill.map { UInt8($0 / 257) }
        var pixels = [RGB<UInt8>](
            repeating: RGB(red: fill[0], green: fill[1], blue: fill[2]), count: count)
        var (deep, profile): ([RGB<UInt16>]?, [UInt8]) = (nil, colorProfile)
        for layer in overlay.layers {
            let image = try color(of: layer.image, width: layer.width, height: layer.height, crop: layer.crop)
                .oriented(by: layer.orientation)
            if profile.isEmpty { profile = image.colorProfile }
            if case .uint8(let samples) = image.pixels, deep == nil {
                overlay.draw(samples, width: image.width, height: image.height, layer, on: &pixels)
                continue
            }
            var canvas = deep ?? pixels.map { $0.converted() }
            (deep, pixels) = (nil, [])
            overlay.draw(image.sixteenBitPixels, width: image.width, height: image.height, layer, on: &canvas)
            deep = canvas
        }
        return ColorImage(
            width: overlay.width, height: overlay.height,
            pixels: deep.map(ColorImage.Pixels.uint16) ?? .uint8(pixels), colorProfile: profile)
    }
}

extension OverlayImage {
    /// Copies the part of a layer that is on the canvas.
    fileprivate func draw<Pixel>(
        _ samples: [Pixel], width: Int, height: Int, _ layer: Layer, on pixels: inout [Pixel]
    ) {
        let columns = max(0, -layer.left)..<max(0, -layer.left, min(width, self.width - layer.left))
        let rows = max(0, -layer.top)..<max(0, -layer.top, min(height, self.height - layer.top))
        for row in rows where !columns.isEmpty {
            let start = (row + layer.top) * self.width + columns.lowerBound + layer.left
            let source = row * width + columns.lowerBound
            pixels.replaceSubrange(
                start..<start + columns.count, with: samples[source..<source + columns.count])
        }
    }
}
