internal import Bytes
internal import CCodecShims
internal import DepthTypes
internal import PhotoFormats

/// Decodes one AV1 picture and passes it to `body`.
///
/// The sequence header is read before the decoder sees the data, and must agree with the container; the picture must have the
/// declared format.
func withAV1Picture(
    _ image: CodedPicture, data: [UInt8], threads: Int, limits: DecodingLimits,
    _ body: (DecodedPicture) throws(ContainerError) -> Void
) throws(ContainerError) {
    let place = image.extents.first?.lowerBound ?? 0
    let path = StructurePath("AV1")
    let pixels = try limits.pixelCount(width: image.width, height: image.height, at: place, in: path)
    try checkSequenceHeader(image, data: data, at: place, limits: limits)
    // The decoder would decode any number of hidden frames before the first shown one. An image in layers has up to four.
    guard frameCount(of: data) <= 8 else {
        throw ContainerError(
            .malformed(rule: "item \(image.itemID) holds more than one picture"), at: place, in: path)
    }
    // For a small plane, starting a thread costs more time than it saves.
    let decoding = AV1Decoding(
        data, pixelLimit: UInt32(clamping: pixels), threads: pixels < 1 << 18 ? 1 : threads)
    if let failure = decoding.failure {
        throw ContainerError(.damaged(detail: failure), at: place, in: path)
    }
    guard let found = decoding.picture(color: image.color) else {
        throw ContainerError(
            .damaged(detail: "the decoder's picture of item \(image.itemID) has no luma"), at: place, in: path
        )
    }
    guard (found.width, found.height) == (image.width, image.height),
        found.chromaFormat == image.configuration.chromaFormat,
        found.lumaBitDepth == image.configuration.bitDepth,
        found.chromaFormat == 0 || (found.blueDifference != nil && found.redDifference != nil)
    else {
        throw ContainerError(
            .damaged(
                detail: "item \(image.itemID) holds a picture of \(found.width) × \(found.height), "
                    + "\(found.lumaBitDepth) bits and chroma format \(found.chromaFormat), not the announced one"
            ),
            at: place, in: path)
    }
    try body(found)
}

/// How many frames are coded in the well-formed open bitstream units at the start (AV1 §5.3, §5.9).
private func frameCount(of data: [UInt8]) -> Int {
    var (count, place) = (0, 0)
    while place < data.count {
        let header = data[place]
        let type = header >> 3 & 15
        place += header & 4 == 0 ? 1 : 2
        // A frame, or the header of one.
        if type == 6 || type == 3 { count += 1 }
        guard header & 2 != 0 else { break }
        var (size, shift, hasMore) = (0, 0, true)
        while hasMore, shift < 56, place < data.count {
            size |= Int(data[place] & 0x7F) << shift
            hasMore = data[place] & 0x80 != 0
            shift += 7
            place += 1
        }
        guard !hasMore, size <= data.count - place else { break }
        place += size
    }
    return count
}

/// Compares the sequence header with the container's declarations.
private func checkSequenceHeader(
    _ image: CodedPicture, data: [UInt8], at place: Int, limits: DecodingLimits
) throws(ContainerError) {
    let path = StructurePath("AV1").appending("SEQ")
    var format = isobath_av1_format()
    var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
    switch Int(unsafe isobath_av1_describe(data, data.count, &format, &message)) {
    case ISOBATH_OK: break
    case ISOBATH_UNSUPPORTED: throw ContainerError(.unsupported(feature: text(message)), in: path)
    default: throw ContainerError(.damaged(detail: text(message)), at: place, in: path)
    }
    _ = try limits.pixelCount(width: Int(format.width), height: Int(format.height), at: place, in: path)
    guard Int(format.chroma_format) == image.configuration.chromaFormat,
        Int(format.bit_depth) == image.configuration.bitDepth
    else {
        throw ContainerError(
            .malformed(
                rule: "item \(image.itemID) has \(format.bit_depth) bits and chroma format "
                    + "\(format.chroma_format); its 'av1C' declares \(image.configuration.bitDepth) and "
                    + "\(image.configuration.chromaFormat)"), at: place,
            in: path)
    }
}

/// dav1d with the one picture that it has decoded.
@safe
private struct AV1Decoding: ~Copyable {
    /// The error; `nil` if there is a picture.
    let failure: String?
    private var decoded = unsafe isobath_av1_picture()
    /// dav1d reads these bytes as long as it exists.
    private let data: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8], pixelLimit: UInt32, threads: Int) {
        unsafe data = .allocate(capacity: bytes.count)
        _ = unsafe data.initialize(from: bytes)
        var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
        let code = unsafe isobath_av1_decode(
            data.baseAddress, data.count, pixelLimit, Int32(threads), &decoded, &message)
        failure = Int(code) == ISOBATH_OK ? nil : text(message)
    }

    deinit {
        var decoded = unsafe decoded
        unsafe isobath_av1_release(&decoded)
        unsafe data.deallocate()
    }

    /// The picture, valid while this value lives. The container's color description takes precedence over the
    /// description in the picture (AV1 Image File Format §2.1). `nil` if the decoder has no luma.
    func picture(color: CodedColor?) -> DecodedPicture? {
        func channel(_ samples: UnsafeRawPointer?, _ stride: Int) -> DecodedPicture.Channel? {
            unsafe samples.map { unsafe DecodedPicture.Channel(samples: $0, stride: stride) }
        }
        let format = unsafe decoded.format
        let own = CodedColor(
            primaries: Int(format.primaries), transfer: Int(format.transfer),
            matrixCoefficients: Int(format.matrix_coefficients), isFullRange: format.is_full_range != 0
        ).ofBitstream
        let isMono = format.chroma_format == 0
        guard let luma = unsafe channel(decoded.samples.0, decoded.strides.0) else { return nil }
        return unsafe DecodedPicture(
            width: Int(format.width), height: Int(format.height), chromaFormat: Int(format.chroma_format),
            lumaBitDepth: Int(format.bit_depth), chromaBitDepth: isMono ? 0 : Int(format.bit_depth),
            color: color?.completed(by: own) ?? own, luma: luma,
            blueDifference: isMono ? nil : channel(decoded.samples.1, decoded.strides.1),
            redDifference: isMono ? nil : channel(decoded.samples.2, decoded.strides.1))
    }
}
