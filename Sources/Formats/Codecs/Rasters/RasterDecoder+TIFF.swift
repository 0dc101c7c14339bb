internal import Bytes
internal import CCodecShims
internal import DepthTypes
internal import RasterFormats

extension RasterDecoder {
    private static let path = StructurePath("TIFF")

    /// Reads the tags of the first directory of a TIFF or BigTIFF file.
    func describeTIFF() throws(ContainerError) -> RasterDescription {
        var tags = isobath_tiff_description()
        let reader = SourceReader(source)
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        var text = [CChar](repeating: 0, count: Int(ISOBATH_TEXT_SIZE))
        var noData = [CChar](repeating: 0, count: Int(ISOBATH_NUMBER_SIZE))
        var budget = isobath_budget(limit: limits[.metadataBytes], asked: 0)
        let code = unsafe reader {
            unsafe isobath_tiff_describe($0, &tags, &text, &noData, &budget, &message)
        }
        if Int(code) == ISOBATH_MEMORY {
            try limits.check(.metadataBytes, Int(clamping: budget.asked), in: Self.path)
        }
        try check(code, message, path: Self.path, reader: reader)
        _ = try limits.pixelCount(width: Int(tags.width), height: Int(tags.height), in: Self.path)
        // The indices into a palette are colors.
        let channels = tags.photometric == 3 ? 0 : Int(tags.channels)
        let (type, codec) = (Self.sampleType(tags), Self.codecs[Int(tags.compression)])
        var raster = RasterDescription(
            format: .tiff, width: Int(tags.width), height: Int(tags.height), channels: channels,
            sampleType: type ?? .uint8, codec: codec ?? "\(tags.compression)", location: .wholeFile)
        if tags.bit_depth < 8 {
            raster.bitDepth = Int(tags.bit_depth)
            raster.maximumCode = (1 << raster.bitDepth) - 1
        }
        if type == nil {
            raster.readError = unsupported(
                "TIFF with samples of \(tags.bit_depth) bits and format \(tags.sample_format)")
        } else if codec == nil {
            raster.readError = unsupported("TIFF compression \(tags.compression)")
        } else if tags.is_planar != 0 {
            raster.readError = unsupported("TIFF with channels in separate planes")
        } else if channels != 1, let colors = Self.otherColors(tags) {
            raster.readError = unsupported("TIFF of \(colors)")
        }
        // The samples of other planes than depth need not be readable.
        if channels == 1, let readError = raster.readError { throw readError }
        raster.isInverted = tags.photometric == 0
        raster.alpha = tags.extra == 1 ? .premultiplied : tags.extra == 2 ? .straight : nil
        raster.orientation = Orientation(rawValue: Int(tags.orientation)) ?? .up
        let description = Self.string(in: text)
        if description.hasPrefix("{\"quantity\"") { raster.record = description }
        raster.noData = Double(Self.string(in: noData).filter { !$0.isWhitespace })
        if raster.isInverted, raster.sampleType == .uint8 {
            raster.noData = raster.noData.map { Double(raster.maximumCode ?? 255) - $0 }
        }
        raster.isGeoreferenced = tags.is_georeferenced != 0
        return raster
    }

    /// Decodes the first directory.
    func samplesOfTIFF<Element: BitwiseCopyable>(
        _ raster: RasterDescription, byteCount: Int
    ) throws(ContainerError) -> [Element] {
        var tags = isobath_tiff_description()
        tags.width = UInt32(raster.width)
        tags.height = UInt32(raster.height)
        tags.channels = Int32(raster.channels)
        tags.bit_depth = Int32(raster.bitDepth)
        let reader = SourceReader(source)
        // A strip or tile may extend beyond the image, but not by more than a tile of usual size.
        return try unsafe decode(byteCount, path: Self.path, reader: reader, most: byteCount + (1 << 26)) {
            pixels, size, budget, message in
            unsafe reader { unsafe isobath_tiff_read($0, &tags, pixels, size, budget, message) }
        }
    }

    /// The meaning of the channels, if neither gray nor RGB (TIFF 6.0, PhotometricInterpretation).
    private static func otherColors(_ tags: isobath_tiff_description) -> String? {
        switch tags.photometric {
        case 0, 1: tags.channels <= 2 || tags.extra == 0 ? nil : "gray with \(tags.channels) channels"
        case 2: tags.channels >= 3 ? nil : "RGB with \(tags.channels) channels"
        case 3: "palette colors"
        case 5: "inks (CMYK)"
        case 6: "YCbCr colors"
        case 8, 9, 10: "Lab colors"
        default: "photometric interpretation \(tags.photometric)"
        }
    }

    private static func sampleType(_ tags: isobath_tiff_description) -> SampleType? {
        switch tags.sample_format {
        case 1:
            [1, 2, 4].contains(tags.bit_depth)
                ? .uint8 : SampleType(integerOf: Int(tags.bit_depth), isSigned: false)
        case 2: SampleType(integerOf: Int(tags.bit_depth), isSigned: true)
        case 3: SampleType(floatOf: Int(tags.bit_depth))
        default: nil
        }
    }

    /// libtiff's lossless codecs for samples of one channel.
    private static let codecs = [
        1: "none", 5: "lzw", 8: "deflate", 32946: "deflate", 32773: "packbits", 34925: "lzma", 50000: "zstd",
    ]

    private func unsupported(_ feature: String) -> ContainerError {
        ContainerError(.unsupported(feature: feature), in: Self.path)
    }

    /// The text up to the NUL.
    static func string(in characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
