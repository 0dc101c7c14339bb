internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Scenes

/// How much brighter than stored the lamps of a picture are, for refocusing: a gray PNG file at a smaller size.
///
/// A code is the factor of a pixel's light as a power of 2, in steps of 1/32; 0 where it is 1.
struct PageLamps: Sendable {
    /// The codes, row-major.
    let codes: [UInt8]
    /// Their size.
    let size: PixelSize

    private static let longestSide = 1024
    private static let steps = 32.0

    /// The lamps of a picture by its gain map, otherwise estimated, as `isobath blur` has them; `nil` if nothing is brighter.
    init?(of image: ColorImage, _ map: GainMap?) {
        let curve = TransferFunction(profile: image.colorProfile) ?? .sRGB
        let lamps =
            map.map { Highlights($0, of: image) } ?? Highlights(estimatedIn: image, curve: curve)
        guard !lamps.isEmpty else { return nil }
        size = PixelSize(width: image.width, height: image.height).within(Self.longestSide)
        var sums = [Float](repeating: 0, count: size.width * size.height)
        var counts = sums
        for row in 0..<image.height {
            let start = row * size.height / image.height * size.width
            for column in 0..<image.width {
                let cell = start + column * size.width / image.width
                sums[cell] += lamps[row * image.width + column]
                counts[cell] += 1
            }
        }
        codes = zip(sums, counts).map { sum, count in
            let stops = Math.logarithm10(Double(max(sum / max(count, 1), 1))) / Math.logarithm10(2)
            return UInt8(clamping: Int((stops * Self.steps).rounded()))
        }
    }

    func png() throws(WriteError) -> [UInt8] {
        let raster = Raster(width: size.width, height: size.height, samples: .gray8(codes))
        return try bytesWritten { (descriptor) throws(WriteError) in try raster.writePNG(to: descriptor) }
    }
}
