package import Bytes
package import DepthTypes

/// A plain raster as its file describes it, before any sample is read.
package struct RasterDescription: Sendable {
    package var format: RasterFileFormat
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int
    /// Samples per pixel. Only rasters with one hold depth.
    package var channels: Int
    /// The type of a sample.
    package var sampleType: SampleType
    /// Significant bits of a sample.
    package var bitDepth: Int
    /// The compression of the samples: `none`, `deflate`, `lzw`, `packbits`, `zip`, …
    package var codec: String
    /// The name of the array or channel, if the format has names.
    package var name: String?
    /// How stored pixels are turned upright.
    package var orientation = Orientation.up
    /// Isobath's record of the meaning of values, as JSON; `nil` in files of other programs.
    package var record: String?
    /// Isobath's record of the camera, as JSON.
    package var camera: String?
    /// Assumptions, and other facts that are not obvious.
    package var diagnostics: [Diagnostic] = []
    /// Why the samples cannot be read, although the file can be described.
    package var readError: ContainerError?
    /// How alpha follows the colors of a pixel; `nil` without alpha.
    package var alpha: Alpha?
    /// Whether the maximum is black (TIFF's WhiteIsZero).
    package var isInverted = false
    /// Whether a PNG file has an ICC profile (`iCCP`).
    package var hasColorProfile = false
    /// What the colors of a PNG file mean (`cICP`), which takes precedence over a profile.
    package var codedColor: CodedColor?
    /// The bytes of a PNG file's Exif block (`eXIf`), which holds the orientation of the stored pixels.
    package var exif: Range<Int>?
    /// The value of full intensity, if it is not the maximum of the sample type (PGM, PPM, TIFF of fewer than 8 bits).
    package var maximumCode: Int?
    /// The value that means unknown (GDAL's TIFF tag 42113, an attribute of OpenEXR); `nil` if not declared.
    package var noData: Double?
    /// Whether the file has a position on the Earth (GeoTIFF); then its samples are heights, not distances.
    package var isGeoreferenced = false
    /// Where the samples are.
    package var location: Location

    /// How colors and alpha are related.
    package enum Alpha: Hashable, Sendable {
        /// Colors are as if the pixel were opaque.
        case straight
        /// Colors are multiplied by alpha.
        case premultiplied
    }

    /// Where the samples of a raster are.
    package enum Location: Sendable {
        /// Uncompressed at these bytes.
        case bytes(Range<Int>, SampleLayout)
        /// Decimal numbers in text from this offset to the end of the file (PGM and PPM).
        case text(start: Int)
        /// In a member of a ZIP archive, after a header of `headerBytes` bytes.
        case member(ZIPDirectory.Entry, headerBytes: Int, SampleLayout)
        /// Known only to the library for the format.
        case wholeFile
        /// A channel of a part of an OpenEXR file.
        case channel(part: Int, name: String)
    }

    /// The properties that every format has; set others afterwards. `bitDepth` defaults to all bits of the sample type.
    package init(
        format: RasterFileFormat, width: Int, height: Int, channels: Int = 1, sampleType: SampleType,
        bitDepth: Int? = nil, codec: String = "none", location: Location
    ) {
        (self.format, self.width, self.height) = (format, width, height)
        (self.channels, self.sampleType) = (channels, sampleType)
        self.bitDepth = bitDepth ?? sampleType.byteCount * 8
        self.codec = codec
        self.location = location
    }
}

extension RasterDescription {
    /// Whether each pixel is a vector of two floating point numbers, as in a disparity grid (row and column of the match).
    package var isVectorGrid: Bool { channels == 2 && sampleType.isFloat && alpha == nil }

    /// Describes uncompressed samples after a header. Throws if some of them are missing.
    init(
        format: RasterFileFormat, channels: Int = 1, bitDepth: Int? = nil, layout: SampleLayout, start: Int,
        byteCount: Int, limits: DecodingLimits, path: StructurePath
    ) throws(ContainerError) {
        let pixels = try limits.pixelCount(width: layout.width, height: layout.height, in: path)
        let (samples, overflow) = pixels.multipliedReportingOverflow(by: channels * layout.type.byteCount)
        guard !overflow else { throw ContainerError(.arithmeticOverflow, in: path) }
        guard samples <= byteCount - start else {
            throw ContainerError(
                .truncated(needed: samples, available: byteCount - start), at: start, in: path)
        }
        self.init(
            format: format, width: layout.width, height: layout.height, channels: channels,
            sampleType: layout.type, bitDepth: bitDepth, location: .bytes(start..<start + samples, layout))
    }
}
