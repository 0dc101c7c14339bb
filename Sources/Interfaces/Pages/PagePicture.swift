internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import Scenes

/// A picture in a page: sRGB, JPEG, without metadata such as the location.
struct PagePicture: Sendable {
    let jpeg: [UInt8]
    let size: PixelSize

    /// Qualities that are tried, best first.
    private static let qualities = [85, 80, 74, 66, 58]

    /// The picture with a side of at most `longestSide` and this quality; `nil` for the best one that takes at most
    /// `maximumBytes`, at a smaller size if no quality is low enough.
    init(_ image: ColorImage, longestSide: Int, quality: Int?, maximumBytes: Int) throws(WriteError) {
        var size = PixelSize(width: image.width, height: image.height).within(longestSide)
        while true {
            let raster = Raster(
                width: size.width, height: size.height,
                samples: .color(image.resized(toWidth: size.width, height: size.height).inSRGB.in8Bits.pixels)
            )
            for candidate in quality.map({ [$0] }) ?? Self.qualities {
                let jpeg = try bytesWritten { (descriptor) throws(WriteError) in
                    try raster.writeJPEG(to: descriptor, quality: candidate)
                }
                guard jpeg.count <= maximumBytes || quality != nil || max(size.width, size.height) <= 256
                else { continue }
                (self.jpeg, self.size) = (jpeg, size)
                return
            }
            size = size.within(max(size.width, size.height) * 4 / 5)
        }
    }

    /// Its size in pixels and bytes, for scripts.
    var record: JSONValue {
        .object([
            ("width", .integer(size.width)), ("height", .integer(size.height)),
            ("bytes", .integer(jpeg.count)),
        ])
    }
}
