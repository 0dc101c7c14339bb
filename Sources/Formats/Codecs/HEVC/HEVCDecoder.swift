internal import Bytes
internal import CCodecShims
internal import CDE265
internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats

/// Decodes one HEVC picture and passes it to `body`.
///
/// The parameter sets are read before the decoder sees them, and must agree with the container. The NAL units must cover the
/// data, and the picture must have the declared format. Any warning is treated as damage.
func withHEVCPicture(
    _ image: CodedPicture, _ configuration: HEVCConfiguration, data: [UInt8], threads: Int,
    skipsFilters: Bool, limits: DecodingLimits, _ body: (DecodedPicture) throws(ContainerError) -> Void
) throws(ContainerError) {
    let place = image.extents.first?.lowerBound ?? 0
    let path = StructurePath("HEVC")
    let ranges = try nalUnitRanges(
        in: data, lengthSize: configuration.lengthSize, limits: limits, at: place, in: path)
    // The decoder would hold all pictures until one is complete.
    guard ranges.count(where: { beginsPicture(data[$0]) }) <= 1 else {
        throw ContainerError(
            .malformed(rule: "item \(image.itemID) holds more than one picture"), at: place, in: path)
    }
    let set = try checkedParameterSet(image, configuration, data: data, ranges: ranges, limits: limits)
    // A range that is not declared is the limited one (H.265 §E.3.1).
    let own = (set.color ?? CodedColor(isFullRange: false)).ofBitstream
    let guardsBuffers = limits.changesProcess
    let decoder = try HEVCDecoder(
        threads: threads, skipsFilters: skipsFilters, guardsBuffers: guardsBuffers)
    for unit in configuration.units { try decoder.push(unit[...], at: place) }
    for range in ranges { try decoder.push(data[range], at: place + range.lowerBound) }
    try unsafe decoder.decode(
        maximumCalls: 16 + 2 * (ranges.count + configuration.units.count), at: place
    ) { (picture) throws(ContainerError) in
        guard
            unsafe !guardsBuffers
                || isobath_hevc_is_complete(
                    UnsafeRawPointer(picture), Int32(clamping: set.codedWidth),
                    Int32(clamping: set.window.left), Int32(clamping: set.window.top)) != 0
        else {
            throw ContainerError(.damaged(detail: "parts of the picture are not coded"), at: place, in: path)
        }
        guard
            let found = unsafe DecodedPicture(
                picture, color: image.color?.completed(by: own) ?? own),
            found.width == image.width, found.height == image.height,
            found.chromaFormat == set.chromaFormat, found.lumaBitDepth == set.lumaBitDepth,
            found.chromaFormat == 0 || found.chromaBitDepth == set.chromaBitDepth,
            found.chromaFormat == 0 || (found.blueDifference != nil && found.redDifference != nil)
        else {
            throw ContainerError(
                .damaged(detail: "the decoder's picture of item \(image.itemID) is not the announced one"),
                at: place, in: path)
        }
        try body(found)
    }
}

/// Starts a separate thread that loads libde265 and creates the tables for its first picture. This takes 2 ms, during
/// which the caller can do other work.
package func prepareHEVCDecoder() { inBackground { _ = HEVCDecoder.holdsTables } }

/// Whether a NAL unit is the first slice of a picture of the base layer (H.265 §7.3.1.2, §7.3.6.1).
private func beginsPicture(_ unit: ArraySlice<UInt8>) -> Bool {
    guard unit.count > 2, NALUnitType.of(unit) < 32 else { return false }
    let layer = unit[unit.startIndex] << 5 & 0x20 | unit[unit.startIndex + 1] >> 3
    return layer == 0 && unit[unit.startIndex + 2] & 0x80 != 0
}

/// Reads every sequence parameter set that the decoder would see, and compares it with the container.
private func checkedParameterSet(
    _ image: CodedPicture, _ configuration: HEVCConfiguration, data: [UInt8], ranges: [Range<Int>],
    limits: DecodingLimits
) throws(ContainerError) -> SequenceParameterSet {
    let place = image.extents.first?.lowerBound ?? 0
    let path = StructurePath("HEVC").appending("SPS")
    let units =
        configuration.units.map { (unit: $0, at: place) }
        + ranges.lazy.filter { NALUnitType.of(data[$0]) == NALUnitType.sequenceParameterSet }
        .map { (unit: Array(data[$0]), at: place + $0.lowerBound) }
    var found: SequenceParameterSet?
    for (unit, offset) in units where NALUnitType.of(unit) == NALUnitType.sequenceParameterSet {
        let set = try SequenceParameterSet(parsing: unit, at: offset, in: path)
        guard set.window.width == image.width, set.window.height == image.height else {
            throw ContainerError(
                .malformed(
                    rule:
                        "item \(image.itemID) is coded as \(set.window.width) × \(set.window.height) and declared "
                        + "as \(image.width) × \(image.height) ('ispe')"),
                at: offset, in: path)
        }
        guard set.chromaFormat == configuration.chromaFormat,
            set.lumaBitDepth == configuration.bitDepth
        else {
            throw ContainerError(
                .malformed(
                    rule: "item \(image.itemID) has \(set.lumaBitDepth) bits and chroma format "
                        + "\(set.chromaFormat); its 'hvcC' declares \(configuration.bitDepth) and "
                        + "\(configuration.chromaFormat)"),
                at: offset,
                in: path)
        }
        let pixels = try limits.pixelCount(
            width: set.codedWidth, height: set.codedHeight, at: offset, in: path)
        // Luma and chroma, and a second copy for the filters.
        try limits.checkMemory(
            pixels: pixels, bytesPerPixel: set.lumaBitDepth > 8 ? 12 : 6, at: offset, in: path)
        // If there are several, all must agree: which of them the picture uses is not examined.
        if let found, found != set {
            throw ContainerError(
                .malformed(rule: "the sequence parameter sets of item \(image.itemID) contradict each other"),
                at: offset, in: path)
        }
        found = set
    }
    guard let found else {
        throw ContainerError(
            .malformed(rule: "HEVC item \(image.itemID) has no sequence parameter set"), at: place, in: path)
    }
    return found
}

extension DecodedPicture {
    /// `nil` if the decoder has no luma.
    fileprivate init?(_ picture: OpaquePointer, color: CodedColor) {
        func channel(_ index: Int32) -> Channel? {
            var stride: Int32 = 0
            guard let samples = unsafe de265_get_image_plane(picture, index, &stride), stride > 0 else {
                return nil
            }
            return unsafe Channel(samples: UnsafeRawPointer(samples), stride: Int(stride))
        }
        width = Int(unsafe de265_get_image_width(picture, 0))
        height = Int(unsafe de265_get_image_height(picture, 0))
        chromaFormat = Int(unsafe de265_get_chroma_format(picture).rawValue)
        lumaBitDepth = Int(unsafe de265_get_bits_per_pixel(picture, 0))
        chromaBitDepth = chromaFormat == 0 ? 0 : Int(unsafe de265_get_bits_per_pixel(picture, 1))
        self.color = color
        guard let samples = channel(0) else { return nil }
        luma = samples
        blueDifference = chromaFormat == 0 ? nil : channel(1)
        redDifference = chromaFormat == 0 ? nil : channel(2)
    }
}

/// libde265, one picture at a time.
@safe
private struct HEVCDecoder: ~Copyable {
    private let context: UnsafeMutableRawPointer

    private static let isLoaded = Int(isobath_hevc_load()) == ISOBATH_OK

    /// libde265 builds its tables for the first decoder and frees them with the last; this additional user keeps them.
    fileprivate static let holdsTables = isLoaded && de265_init() == DE265_OK

    /// Runs once per process, before the first decoder whose buffers are checked.
    private static let hasGuardedAllocator: Void = isobath_hevc_install_guarded_allocator()

    /// Threads divide the work on a picture that was coded for it (wavefronts), as Apple's planes are.
    init(threads: Int, skipsFilters: Bool, guardsBuffers: Bool) throws(ContainerError) {
        guard Self.isLoaded else {
            throw ContainerError(
                .unsupported(
                    feature: "HEVC without its library (libde265.so.0 cannot be loaded; install libde265)"))
        }
        if guardsBuffers { Self.hasGuardedAllocator }
        guard Self.holdsTables, let context = unsafe de265_new_decoder() else {
            throw ContainerError(.unreadable(detail: "no memory for the HEVC decoder"))
        }
        unsafe self.context = unsafe context
        if skipsFilters {
            unsafe de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_DEBLOCKING, 1)
            unsafe de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_SAO, 1)
        }
        if threads > 1, canStartThread() {
            _ = unsafe de265_start_worker_threads(context, Int32(threads))
        }
    }

    deinit {
        _ = unsafe de265_free_decoder(context)
    }

    func push(_ unit: ArraySlice<UInt8>, at offset: Int) throws(ContainerError) {
        let status = unsafe unit.withUnsafeBytes { bytes in
            unsafe de265_push_NAL(context, bytes.baseAddress, Int32(clamping: bytes.count), 0, nil)
        }
        try check(status, at: offset)
    }

    /// Decodes all that was pushed, in at most `maximumCalls` steps, and passes on the first picture.
    func decode(
        maximumCalls: Int, at offset: Int, _ body: (OpaquePointer) throws(ContainerError) -> Void
    ) throws(ContainerError) {
        try check(unsafe de265_flush_data(context), at: offset)
        // Each call processes one unit. While a picture waits to be fetched, the decoder always requests another call.
        var more: Int32 = 1
        var calls = 0
        while more != 0, calls < maximumCalls, unsafe de265_peek_next_picture(context) == nil {
            more = 0
            calls += 1
            try check(unsafe de265_decode(context, &more), at: offset)
        }
        var warning = unsafe de265_get_warning(context)
        while warning == DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING {  // concerns speed, not samples
            warning = unsafe de265_get_warning(context)
        }
        try check(warning, at: offset)
        guard let picture = unsafe de265_peek_next_picture(context) else {
            throw ContainerError(
                .damaged(detail: "the coded data holds no picture"), at: offset, in: StructurePath("HEVC"))
        }
        try unsafe body(picture)
    }

    private func check(_ status: de265_error, at offset: Int) throws(ContainerError) {
        guard status != DE265_OK else { return }
        let words = unsafe de265_get_error_text(status).map { unsafe String(cString: $0) } ?? "unknown error"
        throw ContainerError(.damaged(detail: words), at: offset, in: StructurePath("HEVC"))
    }
}
