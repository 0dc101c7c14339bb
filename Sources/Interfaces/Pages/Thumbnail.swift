internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes

extension ColorImage {
    /// A small picture of 4 : 3 for an album. What does not fit is cut off: `place` is the fraction of it, 0…1, that is cut off
    /// at the left and at the top.
    func thumbnail(_ longestSide: Int, at place: SIMD2<Double>) throws(WriteError) -> PagePicture {
        let size = PixelSize(width: width, height: height), part = size.thumbnailPart
        let left = Int(place.x * Double(width - part.width)),
            top = Int(place.y * Double(height - part.height))
        let image = ColorImage(
            width: part.width, height: part.height,
            pixels: pixels.cropped(width: width, to: left..<left + part.width, top..<top + part.height),
            colorProfile: colorProfile)
        return try PagePicture(image, longestSide: longestSide, quality: 78, maximumBytes: 0)
    }
}

extension PixelSize {
    /// The largest part of 4 : 3.
    var thumbnailPart: PixelSize {
        PixelSize(
            width: max(1, min(width, height * 4 / 3)), height: max(1, min(height, (width * 3 + 3) / 4)))
    }
}

extension Matte {
    /// Where a thumbnail is cut out so that it has the subject, as `ColorImage.thumbnail` takes it. Of a subject that is too large, it
    /// has the middle from side to side and the top; without a subject, the middle of the picture.
    var thumbnailPlace: SIMD2<Double> {
        var (columns, rows) = ([Int](repeating: 0, count: width), [Int](repeating: 0, count: height))
        for row in 0..<height {
            for column in 0..<width {
                let value = Int(coverage[row * width + column])
                columns[column] += value
                rows[row] += value
            }
        }
        let part = PixelSize(width: width, height: height).thumbnailPart
        return SIMD2(
            Self.place(of: part.width, in: columns), Self.place(of: part.height, in: rows, keepsStart: true))
    }

    /// Where a window of `length` begins, as a fraction of what is outside, so that what the sums count is in it.
    private static func place(of length: Int, in sums: [Int], keepsStart: Bool = false) -> Double {
        let (total, free) = (sums.reduce(0, +), sums.count - length)
        guard total > 0, free > 0 else { return 0.5 }
        // Specks do not count.
        func end(_ sums: some Sequence<Int>) -> Int {
            var sum = 0
            return sums.prefix {
                sum += $0
                return sum * 200 < total
            }.count
        }
        let (first, last) = (end(sums), sums.count - end(sums.reversed()))
        let isTooLong = keepsStart && last - first > length
        let start = isTooLong ? first - sums.count / 32 : (first + last - length) / 2
        return Double(min(max(start, 0), free)) / Double(free)
    }
}
