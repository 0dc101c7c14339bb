/// 8-bit samples, row by row without padding.
struct Raster {
    var width: Int
    var height: Int
    var channels: Int
    var samples: [UInt8]

    /// A raster whose pixel (x, y) is what `pixel` returns.
    init(width: Int, height: Int, channels: Int, pixel: (Int, Int) -> [UInt8]) {
        self.width = width
        self.height = height
        self.channels = channels
        self.samples = []
        samples.reserveCapacity(width * height * channels)
        for y in 0..<height {
            for x in 0..<width {
                samples += pixel(x, y)
            }
        }
    }

    subscript(_ x: Int, _ y: Int) -> ArraySlice<UInt8> {
        let start = (y * width + x) * channels
        return samples[start..<start + channels]
    }

    /// The same picture turned a quarter counterclockwise: what is stored when turning it clockwise (Exif 6, `irot` 3)
    /// brings it upright.
    var turnedCounterclockwise: Raster {
        Raster(width: height, height: width, channels: channels) { x, y in Array(self[width - 1 - y, x]) }
    }

    /// A part of the raster; beyond the right and lower rim its last pixels are repeated.
    func tile(x originX: Int, y originY: Int, side: Int) -> Raster {
        Raster(width: side, height: side, channels: channels) { x, y in
            Array(self[min(originX + x, width - 1), min(originY + y, height - 1)])
        }
    }
}
