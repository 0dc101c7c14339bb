internal import CRasterReading
internal import Foundation

/// A PNG, TIFF or JPEG file as libpng, libtiff and libjpeg read it, independent of the code under test.
public struct RasterFile {
    /// The file is damaged, or not a PNG, TIFF or JPEG.
    public struct Unreadable: Error {
        /// The file.
        public var path: String
    }

    /// Pixels in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// Samples per pixel.
    public let channels: Int
    /// Bits per sample.
    public let bitDepth: Int
    /// Whether samples are floating point.
    public let isFloat: Bool
    /// Whether the last of four channels is straight alpha.
    public let hasAlpha: Bool
    /// Width and height of luma over chroma in a JPEG file, as in 22 for 4:2:0.
    public let subsampling: Int
    /// The ICC profile; empty if missing.
    public let profile: [UInt8]
    /// The Exif block of a PNG or JPEG file from its TIFF header on; empty if missing.
    public let exif: [UInt8]
    /// The XMP packet; empty if missing.
    public let xmp: [UInt8]
    /// The make of the camera, in the tags of a TIFF file; empty if missing.
    public let make: String
    /// The exposure time in seconds, in the Exif directory of a TIFF file; 0 if missing.
    public let exposureTime: Double
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
        hasAlpha = unsafe file.has_alpha != 0
        subsampling = unsafe Int(file.subsampling)
        profile = unsafe Self.bytes(file.profile)
        exif = unsafe Self.bytes(file.exif)
        xmp = unsafe Self.bytes(file.xmp)
        make = unsafe withUnsafeBytes(of: file.make) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        exposureTime = unsafe file.exposure_time
        if let start = unsafe file.samples {
            samples = unsafe Array(UnsafeBufferPointer(start: start, count: width * height * channels))
        } else {
            samples = []
        }
        let text = unsafe file.record.map { unsafe String(cString: $0) }
        record = try text.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) } as? [String: Any]
    }

    private static func bytes(_ block: raster_block) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: block.bytes, count: Int(block.size)))
    }

    /// Bytes of the ICC profile; 0 if missing.
    public var profileSize: Int { profile.count }

    /// The samples of one pixel.
    public func pixel(_ x: Int, _ y: Int) -> [Double] {
        let start = (y * width + x) * channels
        return Array(samples[start..<start + channels])
    }

    /// The only sample of one pixel.
    public subscript(x: Int, y: Int) -> Double { samples[y * width + x] }
}
