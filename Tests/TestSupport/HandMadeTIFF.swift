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
        self.init(width: width, height: height, samples: values.flatMap { Self.bytes(Int($0.bitPattern), 4) })
        (bits, sampleFormat) = (32, 3)
    }

    /// The bytes of the file: header, samples, values of tags, directory.
    public var bytes: [UInt8] {
        var body = samples + (samples.count % 2 == 0 ? [] : [0])
        var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = [
            (256, 4, 1, Self.bytes(width, 4)), (257, 4, 1, Self.bytes(height, 4)),
            (258, 3, channels, (0..<channels).flatMap { _ in Self.bytes(bits, 2) }),
            (259, 3, 1, Self.bytes(compression, 2)),
            (262, 3, 1, Self.bytes(photometric, 2)), (273, 4, 1, Self.bytes(8, 4)),
            (277, 3, 1, Self.bytes(channels, 2)), (278, 4, 1, Self.bytes(height, 4)),
            (279, 4, 1, Self.bytes(samples.count, 4)),
            (339, 3, channels, (0..<channels).flatMap { _ in Self.bytes(sampleFormat, 2) }),
        ]
        if channels > 1 {
            entries.append((338, 3, channels - 1, (1..<channels).flatMap { _ in Self.bytes(0, 2) }))
        }
        if isGeoreferenced { entries.append((33550, 12, 3, [UInt8](repeating: 0, count: 24))) }
        for (tag, text) in texts { entries.append((tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])) }
        var directory = Self.bytes(entries.count, 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            directory += Self.bytes(entry.tag, 2) + Self.bytes(entry.type, 2) + Self.bytes(entry.count, 4)
            if entry.value.count <= 4 {
                directory += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            } else {
                directory += Self.bytes(8 + body.count, 4)
                body += entry.value + (entry.value.count % 2 == 0 ? [] : [0])
            }
        }
        let start = Array("II*\0".utf8) + Self.bytes(8 + body.count, 4)
        return start + body + directory + Self.bytes(0, 4)
    }

    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
