/// A picture in BT.601, full range, with chroma at half the size.
struct YCbCrPlanes {
    private(set) var luma: [UInt8] = []
    private(set) var blue: [UInt8] = []
    private(set) var red: [UInt8] = []

    /// Converts an RGB raster of even size; chroma is the mean of 2 × 2 pixels.
    init(_ raster: Raster) {
        for y in 0..<raster.height {
            for x in 0..<raster.width {
                luma.append(Self.code(Self.components(raster, x, y).x))
            }
        }
        for y in stride(from: 0, to: raster.height, by: 2) {
            for x in stride(from: 0, to: raster.width, by: 2) {
                let corners = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
                let sum = corners.reduce(SIMD3<Double>()) { $0 + Self.components(raster, $1.0, $1.1) }
                blue.append(Self.code(sum.y / 4 + 128))
                red.append(Self.code(sum.z / 4 + 128))
            }
        }
    }

    private static func components(_ raster: Raster, _ x: Int, _ y: Int) -> SIMD3<Double> {
        let rgb = raster[x, y].map(Double.init)
        let luma = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]
        return SIMD3(luma, (rgb[2] - luma) / 1.772, (rgb[0] - luma) / 1.402)
    }

    private static func code(_ value: Double) -> UInt8 {
        UInt8(min(max(value.rounded(), 0), 255))
    }
}
