public import ByteParsing
internal import CCodecShims
public import DepthCore
public import RasterContainers

/// Reads plain raster files: first what they say of themselves, then their samples.
public struct RasterDecoder: Sendable {
    let source: any ByteSource
    let limits: DecodingLimits

    /// Reads the raster file whose bytes are in `source`.
    public init(_ source: any ByteSource, limits: DecodingLimits) {
        self.source = source
        self.limits = limits
    }

    /// Describes the raster without reading a sample.
    ///
    /// `name` chooses an array or channel where the format has several; `byteOrder` is that of 16-bit PGM files.
    public func describe(
        _ format: RasterFileFormat, choosing name: String? = nil, byteOrder: ByteOrder = .bigEndian
    ) throws(ContainerError) -> RasterDescription {
        switch format {
        case .png: try RasterDescription(parsingPNG: source, limits: limits)
        case .tiff: try describeTIFF()
        case .exr: try describeEXR(choosing: name)
        case .pfm: try RasterDescription(parsingPFM: source, limits: limits)
        case .pgm, .ppm: try RasterDescription(parsingPNM: source, byteOrder: byteOrder, limits: limits)
        case .npy: try RasterDescription(parsingNPY: source, limits: limits)
        case .npz: try describeArchive(choosing: name)
        }
    }

    /// The samples of a raster with one channel, row-major from the top.
    public func samples(of raster: RasterDescription) throws(ContainerError) -> RasterSamples {
        precondition(raster.channels == 1, "a raster of \(raster.channels) channels holds no plane")
        return try interleavedSamples(of: raster, channels: 1)
    }

    /// The pixels of a color raster; one of a single channel becomes gray.
    public func color(of raster: RasterDescription) throws(ContainerError) -> ColorImage {
        let isPNG = raster.format == .png
        let samples = try interleavedSamples(of: raster, channels: isPNG ? 3 : raster.channels)
        let stored = isPNG ? 3 : raster.channels
        let pixels: ColorImage.Pixels
        switch samples {
        case .uint8(let samples): pixels = .uint8(Self.pixels(samples, stored))
        case .uint16(let samples): pixels = .uint16(Self.pixels(samples, stored))
        case .float:
            throw ContainerError(
                .unsupported(feature: "a color image of \(raster.sampleType.rawValue)"), at: 0)
        }
        return ColorImage(
            width: raster.width, height: raster.height, pixels: pixels,
            colorProfile: try colorProfile(of: raster))
    }

    private static func pixels<Sample>(_ samples: [Sample], _ stored: Int) -> [RGB<Sample>] {
        let (green, blue) = stored >= 3 ? (1, 2) : (0, 0)
        return stride(from: 0, to: samples.count, by: stored).map {
            RGB(red: samples[$0], green: samples[$0 + green], blue: samples[$0 + blue])
        }
    }

    private func interleavedSamples(
        of raster: RasterDescription, channels: Int
    ) throws(ContainerError) -> RasterSamples {
        if let defect = raster.defect { throw defect }
        let pixels = try limits.pixelCount(width: raster.width, height: raster.height, at: 0)
        guard channels > 0 else {
            throw ContainerError(.unsupported(feature: "a raster without channels"), at: 0)
        }
        var layout = SampleLayout(
            width: raster.width * channels, height: raster.height, type: raster.sampleType, byteOrder: .host)
        let byteCount = pixels * channels * raster.sampleType.byteCount
        try checkPlausible(byteCount, of: raster)
        let bytes: [UInt8]
        switch raster.location {
        case .bytes(let range, let stored):
            bytes = try source.read(range)
            layout = stored
            if channels > 1 { layout.width *= channels }
        case .member(let entry, let headerBytes, let stored):
            bytes = try samples(in: entry, behind: headerBytes, count: byteCount)
            layout = stored
            if channels > 1 { layout.width *= channels }
        case .channel: bytes = try samplesOfEXR(raster, byteCount: byteCount)
        case .wholeFile where raster.format == .png:
            bytes = try samplesOfPNG(raster, channels: channels, byteCount: byteCount)
        case .wholeFile: bytes = try samplesOfTIFF(raster, byteCount: byteCount)
        }
        guard channels == 1 || layout.arrangement != .columns else {
            throw ContainerError(.unsupported(feature: "a color image in Fortran order"), at: 0)
        }
        return RasterSamples(bytes, layout: layout)
    }

    /// Refuses a size that no coder of these formats can squeeze into the file, before memory is taken for it.
    /// Deflate packs 1,032 to 1 at most (RFC 1951), LZW as TIFF has it about 1,400.
    private func checkPlausible(_ byteCount: Int, of raster: RasterDescription) throws(ContainerError) {
        let least = byteCount / 2048
        guard least <= source.byteCount else {
            throw ContainerError(.truncated(needed: least, available: source.byteCount), at: 0)
        }
    }

    /// Runs a shim that fills `byteCount` bytes, and turns its code into an error.
    func decode(
        _ byteCount: Int, path: StructurePath, reader: SourceReader? = nil,
        _ shim: (UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<CChar>) -> Int32
    ) throws(ContainerError) -> [UInt8] {
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            unsafe message.withUnsafeMutableBufferPointer { message in
                guard let message = message.baseAddress else { return }
                // SAFETY: the buffer holds `byteCount` bytes, which the shim compares with what it would write.
                code = unsafe shim(UnsafeMutableRawPointer(output.baseAddress), byteCount, message)
            }
            count = Int(code) == ISOBATH_OK ? byteCount : 0
        }
        try check(code, message, path: path, reader: reader)
        return bytes
    }

    /// Turns the code of a shim into an error.
    func check(
        _ code: Int32, _ message: [CChar], path: StructurePath, reader: SourceReader? = nil
    ) throws(ContainerError) {
        guard Int(code) != ISOBATH_OK else { return }
        if let failure = reader?.failure { throw failure }
        switch Int(code) {
        case ISOBATH_UNSUPPORTED: throw ContainerError(.unsupported(feature: text(message)), at: 0, in: path)
        case ISOBATH_ABSENT: throw ContainerError(.unrecognized(detail: text(message)), at: 0, in: path)
        default: throw ContainerError(.damaged(detail: text(message)), at: 0, in: path)
        }
    }
}

extension ByteOrder {
    /// The byte order of this machine, in which libraries hand over samples.
    static var host: ByteOrder { UInt16(1).littleEndian == 1 ? .littleEndian : .bigEndian }
}
