internal import AtomicFiles
internal import DepthCore
internal import DepthIO
internal import DepthModel
internal import ImageCodecs

/// A picture as a page holds it: sRGB, JPEG, without metadata, such as where it was taken.
struct PagePicture: Sendable {
    /// The JPEG file.
    let jpeg: [UInt8]
    /// Its size.
    let size: PixelSize

    /// Qualities that are tried, best first.
    private static let qualities = [85, 80, 74, 66, 58]

    /// The picture no longer than `longestSide`, with a quality; `nil` for the best that takes `maximumBytes` at most, at a smaller size
    /// where none does.
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
}

extension PixelSize {
    /// The size, made smaller where it is longer than `longestSide`; the shape stays.
    func within(_ longestSide: Int) -> PixelSize {
        let longest = max(width, height)
        guard longest > longestSide, longest > 0 else { return self }
        func scaled(_ side: Int) -> Int { max(1, (side * longestSide + longest / 2) / longest) }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}
