package import Bytes
internal import CCodecShims
internal import DepthMaps
package import RasterFormats

/// Reads plain raster files: first their description, then their samples.
package struct RasterDecoder: Sendable {
    let source: any ByteSource
    let limits: DecodingLimits
    private let warnings = LibraryWarnings()

    /// Reads the raster file whose bytes are in `source`.
    package init(_ source: any ByteSource, limits: DecodingLimits) {
        self.source = source
        self.limits = limits
    }

    /// The warnings so far, from the libraries that read the file.
    package var diagnostics: [Diagnostic] { warnings.all }

    /// Adds diagnostics that depend on the samples to ``diagnostics``.
    package func note(_ diagnostic: Diagnostic) { warnings.add(diagnostic) }

    /// Describes the raster without reading a sample.
    ///
    /// `name` chooses an array or channel if the format has several.
    package func describe(
        _ format: RasterFileFormat, choosing name: String? = nil
    ) throws(ContainerError) -> RasterDescription {
        switch format {
        case .png: try describePNG()
        case .tiff: try describeTIFF()
        case .exr: try describeEXR(choosing: name)
        case .pfm: try RasterDescription(parsingPFM: source, limits: limits)
        case .pgm, .ppm: try RasterDescription(parsingPNM: source, limits: limits)
        case .npy: try RasterDescription(parsingNPY: source, limits: limits)
        case .npz: try describeArchive(choosing: name)
        case .colmap: try RasterDescription(parsingCOLMAP: source, limits: limits)
        }
    }

    /// The samples of a raster with one channel, row-major from the top.
    package func samples(of raster: RasterDescription) throws(ContainerError) -> RasterSamples {
        precondition(raster.channels == 1, "a raster of \(raster.channels) channels holds no plane")
        let samples = try interleavedSamples(of: raster, channels: 1)
        guard raster.isInverted, case .uint8(let codes) = samples else { return samples }
        // Depth of 8 bits is a gray picture, so near and far are what it shows. Wider samples are measurements.
        let white = UInt8(clamping: raster.maximumCode ?? 255)
        return .uint8(codes.map { white - min($0, white) })
    }

    func interleavedSamples(
        of raster: RasterDescription, channels: Int
    ) throws(ContainerError) -> RasterSamples {
        if let readError = raster.readError { throw readError }
        let pixels = try limits.pixelCount(width: raster.width, height: raster.height)
        guard channels > 0 else {
            throw ContainerError(.unsupported(feature: "a raster without channels"))
        }
        var layout = SampleLayout(
            width: raster.width * channels, height: raster.height, type: raster.sampleType, byteOrder: .host)
        let byteCount = pixels * channels * raster.sampleType.byteCount
        try checkPlausible(byteCount, of: raster)
        try checkMemory(of: raster, byteCount: byteCount)
        let bytes: [UInt8]
        switch raster.location {
        case .text(let start):
            let text = try source.read(start..<source.byteCount)
            return try RasterSamples(
                text: text, at: start, count: pixels * channels, maximum: raster.maximumCode ?? 0)
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
            throw ContainerError(.unsupported(feature: "a color image in Fortran order"))
        }
        return RasterSamples(bytes, layout: layout)
    }

    /// Refuses a size that no codec of these formats can compress into the file, before memory is allocated for it. Deflate
    /// compresses at most 1,032 to 1 (RFC 1951), TIFF's LZW about 1,400 to 1, LZMA about 7,000 to 1 (of zeros, by xz), and
    /// Zstandard 128 KiB into a block of 4 bytes (RFC 8878, 3.1.1.2).
    func checkPlausible(_ byteCount: Int, of raster: RasterDescription) throws(ContainerError) {
        let most = ["lzma": 1 << 14, "zstd": 1 << 15][raster.codec] ?? 2048
        let least = byteCount / most
        guard least <= source.byteCount else {
            throw ContainerError(.truncated(needed: least, available: source.byteCount))
        }
    }

    /// Samples as stored and as converted, and other data read at the same time.
    func checkMemory(of raster: RasterDescription, byteCount: Int) throws(ContainerError) {
        let coded =
            switch raster.location {
            case .member(let entry, _, _): entry.range.count
            case .text(let start): source.byteCount - start + byteCount
            case .wholeFile where raster.format == .png: source.byteCount
            default: 0
            }
        try limits.checkMemory(pixels: byteCount, bytesPerPixel: 2, other: coded)
    }

    /// Runs a shim that fills `byteCount` bytes of complete elements, and converts its result code to an error.
    func decode<Element: BitwiseCopyable>(
        _ byteCount: Int, path: StructurePath, reader: SourceReader? = nil, most: Int = .max,
        _ shim: (
            UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<isobath_budget>, UnsafeMutablePointer<CChar>
        ) -> Int32
    ) throws(ContainerError) -> [Element] {
        let taken = 2 * byteCount
        var budget = limits.budget(beside: taken, most: most)
        let elements = byteCount / MemoryLayout<Element>.size
        precondition(elements * MemoryLayout<Element>.stride == byteCount)
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        var code: Int32 = 0
        let decoded = unsafe [Element](unsafeUninitializedCapacity: elements) { output, count in
            unsafe adviseHugePages(UnsafeMutableRawBufferPointer(output))
            unsafe message.withUnsafeMutableBufferPointer { message in
                guard let message = message.baseAddress else { return }
                // SAFETY: the buffer holds `byteCount` bytes, which the shim compares with the size it would write.
                code = unsafe shim(
                    UnsafeMutableRawPointer(output.baseAddress), byteCount, &budget, message)
            }
            count = Int(code) == ISOBATH_OK ? elements : 0
        }
        if Int(code) == ISOBATH_MEMORY { throw limits.memoryError(budget, beside: taken, in: path) }
        try check(code, message, path: path, reader: reader)
        return decoded
    }

    /// The warning of a library. libpng skips chunks with a wrong checksum, and libtiff fields that are not in the file.
    private func remark(on warning: String, _ path: StructurePath) -> Diagnostic {
        let isDamage = ["CRC error", "IO error"].contains { warning.contains($0) }
        return isDamage
            ? Diagnostic(ContainerError(.damaged(detail: warning), in: path))
            : .note(.library, "\(path): \(warning)")
    }

    /// Turns the code of a shim into an error, and keeps its library's warnings.
    func check(
        _ code: Int32, _ message: [CChar], path: StructurePath, reader: SourceReader? = nil
    ) throws(ContainerError) {
        guard Int(code) != ISOBATH_OK else {
            if message[0] != 0 { warnings.add(remark(on: text(message), path)) }
            return
        }
        if let failure = reader?.failure { throw failure }
        switch Int(code) {
        case ISOBATH_UNSUPPORTED: throw ContainerError(.unsupported(feature: text(message)), in: path)
        case ISOBATH_ABSENT: throw ContainerError(.unrecognized(detail: text(message)), in: path)
        default: throw ContainerError(.damaged(detail: text(message)), in: path)
        }
    }
}
