internal import CRasterReading
internal import Foundation

/// A PNG or TIFF file as libpng and libtiff read it, apart from all code under test.
public struct RasterFile {
    /// The file is no PNG or TIFF, or damaged.
    public struct Unreadable: Error {
        /// The file.
        public var path: String
    }

    /// Pixels in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// Samples of a pixel.
    public let channels: Int
    /// Bits of a sample.
    public let bitDepth: Int
    /// Whether samples are floating point.
    public let isFloat: Bool
    /// Bytes of the ICC profile, 0 for none.
    public let profileSize: Int
    /// All samples, row by row; empty when only the header was read.
    public let samples: [Double]
    /// The JSON of the `iTXt` chunk `Isobath`, or of the ImageDescription.
    public let record: [String: Any]?

    /// Reads a file.
    public init(_ path: String, headerOnly: Bool = false) throws {
        var file = unsafe raster_file()
        let status = unsafe raster_file_read(path, headerOnly ? 1 : 0, &file)
        defer { unsafe raster_file_free(&file) }
        guard status == 0 else { throw Unreadable(path: path) }
        width = unsafe Int(file.width)
        height = unsafe Int(file.height)
        channels = unsafe Int(file.channels)
        bitDepth = unsafe Int(file.bit_depth)
        isFloat = unsafe file.is_float != 0
        profileSize = unsafe Int(file.profile_size)
        if let start = unsafe file.samples {
            samples = unsafe Array(UnsafeBufferPointer(start: start, count: width * height * channels))
        } else {
            samples = []
        }
        let text = unsafe file.record.map { unsafe String(cString: $0) }
        record = try text.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) } as? [String: Any]
    }

    /// The samples of one pixel.
    public func pixel(_ x: Int, _ y: Int) -> [Double] {
        let start = (y * width + x) * channels
        return Array(samples[start..<start + channels])
    }

    /// The only sample of one pixel.
    public subscript(x: Int, y: Int) -> Double { samples[y * width + x] }
}
