public import DepthMaps

extension NormalizedMap {
    /// The map in colors: fraction s has color ⌊256 · s⌋, 1 the last color, as in matplotlib.
    public func colored(
        by colorMap: ColorMap, unknown: RGB<UInt8> = RGB(red: 0, green: 0, blue: 0)
    ) -> ColorImage {
        let colors = colorMap.colors
        let pixels = parallelMap(shares) { $0 >= 0 ? colors[Int(min($0 * 256, 255))] : unknown }
        return ColorImage(width: width, height: height, pixels: .uint8(pixels), colorProfile: [])
    }
}
