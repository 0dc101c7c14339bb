public import ByteParsing
public import DepthModel

/// A plain raster as its file describes it, before a sample is read.
public struct RasterDescription: Sendable {
    /// The file format.
    public var format: RasterFileFormat
    /// Pixels in a row.
    public var width: Int
    /// The number of rows.
    public var height: Int
    /// Samples of a pixel. Only rasters of one hold depth.
    public var channels: Int
    /// The type of a sample.
    public var sampleType: SampleType
    /// Significant bits of a sample.
    public var bitDepth: Int
    /// How samples are compressed: `none`, `deflate`, `lzw`, `packbits`, `zip`, …
    public var codec: String
    /// The name of the array or channel, where the format has names.
    public var name: String?
    /// How stored pixels are turned upright.
    public var orientation = Orientation.up
    /// What Isobath wrote of the values' meaning, as JSON; `nil` in files of others.
    public var record: String?
    /// What Isobath wrote of the camera, as JSON.
    public var camera: String?
    /// What was assumed, and what else is not obvious.
    public var diagnostics: [Diagnostic] = []
    /// Why the samples cannot be read, although the file can be described.
    public var readError: ContainerError?
    /// What alpha the pixels have behind their colors; `nil` for none.
    public var alpha: Alpha?
    /// Whether the largest code is black (TIFF's WhiteIsZero).
    public var isInverted = false
    /// The code that stands for all, where it is not the largest of the sample type (PGM and PPM).
    public var maximumCode: Int?
    /// Where the samples are.
    public var location: Location

    /// How colors and alpha belong together.
    public enum Alpha: Hashable, Sendable {
        /// Colors are as if the pixel were opaque.
        case straight
        /// Colors are multiplied by alpha.
        case premultiplied
    }

    /// Where the samples of a raster are.
    public enum Location: Sendable {
        /// Uncompressed at these bytes.
        case bytes(Range<Int>, SampleLayout)
        /// In a member of a ZIP archive, behind a header of so many bytes.
        case member(ZIPDirectory.Entry, headerBytes: Int, SampleLayout)
        /// Left to the library that knows the format.
        case wholeFile
        /// A channel of a part of an OpenEXR file.
        case channel(part: Int, name: String)
    }

    /// What every format says; other facts are set afterwards.
    public init(
        format: RasterFileFormat, width: Int, height: Int, channels: Int = 1, sampleType: SampleType,
        bitDepth: Int? = nil, codec: String = "none", location: Location
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.channels = channels
        self.sampleType = sampleType
        self.bitDepth = bitDepth ?? sampleType.byteCount * 8
        self.codec = codec
        self.location = location
    }
}

extension RasterDescription {
    /// Describes uncompressed samples behind a header, and checks that they are all there.
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
