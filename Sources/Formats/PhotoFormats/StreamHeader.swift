internal import Bytes
internal import Embedded

/// The size and sample format of a JPEG or PNG stream, from its first bytes.
struct StreamHeader {
    /// The format of a stream.
    enum Format: String {
        case jpeg, png
    }

    var format: Format
    var width: Int
    var height: Int
    /// Bits of a decoded sample.
    var bitDepth: Int
    var components: Int

    /// Whether a JPEG or PNG stream may start with these bytes.
    static func isKnown(_ start: [UInt8]) -> Bool {
        start.starts(with: [0xFF, 0xD8, 0xFF]) || start.starts(with: PNGHeader.signature)
    }

    /// Reads the header of the stream that starts at an offset of `source`.
    init(_ source: any ByteSource, at offset: Int, limits: DecodingLimits) throws(ContainerError) {
        guard try source.readPrefix(at: offset, count: 8) == PNGHeader.signature else {
            var bytes = WindowedBytes(source)
            let header = try JPEGHeader(&bytes, at: offset, limits: limits)
            self.init(
                format: .jpeg, width: header.width, height: header.height, bitDepth: header.bitDepth,
                components: header.components)
            return
        }
        let chunk = try source.read(offset + 8..<offset + 26)
        var cursor = ByteCursor(chunk.span, base: offset + 8, path: StructurePath("PNG"))
        let header = try PNGHeader(parsing: &cursor)
        _ = try limits.pixelCount(width: header.width, height: header.height, at: offset, in: cursor.path)
        // Samples of fewer bits are expanded to eight, and palettes resolved.
        self.init(
            format: .png, width: header.width, height: header.height, bitDepth: max(8, header.bitDepth),
            components: header.channels ?? 1)
    }

    private init(format: Format, width: Int, height: Int, bitDepth: Int, components: Int) {
        (self.format, self.width, self.height) = (format, width, height)
        (self.bitDepth, self.components) = (bitDepth, components)
    }

    /// Reads the header of a stream in base64, and decodes only as much as that needs: a few hundred digits, unless metadata
    /// comes first.
    init(base64 text: String, at offset: Int, limits: DecodingLimits) throws(ContainerError) {
        try limits.check(.base64Bytes, text.utf8.count, at: offset, in: StructurePath("XMP"))
        var count = 1 << 10
        while true {
            guard let bytes = decodeBase64(firstOf: text, count: count) else { throw notBase64(at: offset) }
            guard Self.isKnown(bytes) else {
                throw ContainerError(
                    .malformed(rule: "an image in XMP is neither a JPEG nor a PNG stream"), at: offset,
                    in: StructurePath("XMP"))
            }
            do throws(ContainerError) {
                self = try StreamHeader(MemorySource(bytes), at: 0, limits: limits)
                return
            } catch {
                guard case .truncated = error.reason, count < text.utf8.count else {
                    throw ContainerError(error.reason, at: offset, in: StructurePath("XMP"))
                }
                count *= 8
            }
        }
    }
}

/// The error for a payload that is not base64.
private func notBase64(at offset: Int) -> ContainerError {
    ContainerError(.malformed(rule: "an image in XMP is not base64"), at: offset, in: StructurePath("XMP"))
}

extension JPEGFile {
    /// The stream in base64 at a path of the photo's XMP.
    mutating func embeddedImage(at path: XMPPath) throws(ContainerError) -> CodedImage {
        let offset = header.xmp?.lowerBound ?? 0
        let (xmp, unread) = try readableXMP()
        guard let text = xmp[path]?.text else {
            throw unread ?? malformedXMP("an image is missing from the XMP")
        }
        try limits.check(.base64Bytes, text.utf8.count, at: offset, in: StructurePath("XMP"))
        try limits.check(.codedBytes, text.utf8.count / 4 * 3, at: offset)
        guard let bytes = decodeBase64(text) else { throw notBase64(at: offset) }
        return bytes.starts(with: [0xFF, 0xD8]) ? .jpeg(.decoded(bytes)) : .png(.decoded(bytes))
    }
}
