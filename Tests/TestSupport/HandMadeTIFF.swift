/// A little-endian TIFF file of one strip (TIFF 6.0), made without the code under test.
public struct HandMadeTIFF {
    /// Pixels in a row.
    public var width: Int
    /// The number of rows.
    public var height: Int
    /// Bits of a sample.
    public var bits = 8
    /// Samples of a pixel.
    public var channels = 1
    /// 1 unsigned, 2 signed, 3 floating point.
    public var sampleFormat = 1
    /// 1 uncompressed, 50000 Zstandard, …
    public var compression = 1
    /// 0 the least sample is white, 1 black.
    public var photometric = 1
    /// All samples, as they are stored.
    public var samples: [UInt8]
    /// Text in tags of GDAL, such as 42113 (the value that means unknown).
    public var texts: [Int: String] = [:]
    /// Whether the file has a position on the Earth: `ModelPixelScaleTag` (GeoTIFF 1.1, 33550).
    public var isGeoreferenced = false

    /// A file with these samples of 8 bits; set the other facts afterwards.
    public init(width: Int, height: Int, samples: [UInt8]) {
        self.width = width
        self.height = height
        self.samples = samples
    }

    /// A file of these Float32 values.
    public init(width: Int, height: Int, values: [Float]) {
        self.init(width: width, height: height, samples: littleEndian(values))
        (bits, sampleFormat) = (32, 3)
    }

    /// The bytes of the file: header, samples, values of tags, directory.
    public var bytes: [UInt8] {
        var body = samples + (samples.count % 2 == 0 ? [] : [0])
        var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = [
            (256, 4, 1, littleEndian(width)), (257, 4, 1, littleEndian(height)),
            (258, 3, channels, (0..<channels).flatMap { _ in littleEndian(bits, 2) }),
            (259, 3, 1, littleEndian(compression, 2)),
            (262, 3, 1, littleEndian(photometric, 2)), (273, 4, 1, littleEndian(8)),
            (277, 3, 1, littleEndian(channels, 2)), (278, 4, 1, littleEndian(height)),
            (279, 4, 1, littleEndian(samples.count)),
            (339, 3, channels, (0..<channels).flatMap { _ in littleEndian(sampleFormat, 2) }),
        ]
        if channels > 1 {
            entries.append((338, 3, channels - 1, (1..<channels).flatMap { _ in littleEndian(0, 2) }))
        }
        if isGeoreferenced { entries.append((33550, 12, 3, [UInt8](repeating: 0, count: 24))) }
        for (tag, text) in texts { entries.append((tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])) }
        var directory = littleEndian(entries.count, 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            directory += littleEndian(entry.tag, 2) + littleEndian(entry.type, 2) + littleEndian(entry.count)
            if entry.value.count <= 4 {
                directory += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            } else {
                directory += littleEndian(8 + body.count)
                body += entry.value + (entry.value.count % 2 == 0 ? [] : [0])
            }
        }
        let start = Array("II*\0".utf8) + littleEndian(8 + body.count)
        return start + body + directory + littleEndian(0)
    }
}
