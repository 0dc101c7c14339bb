package import Bytes
internal import DepthTypes

/// Channels of a JPEG XL image.
package struct JPEGXLImage: Hashable, Sendable {
    package var file: Range<Int>
    /// The index of an extra channel; `nil` for the color.
    package var channel: Int?
    /// Bits of its samples.
    package var bitDepth: Int

    /// Why the color of an image of four inks is not read.
    package static let inksError = ContainerError(
        .unsupported(feature: "JPEG XL of four inks (CMYK); convert it to RGB first"),
        in: StructurePath("JXL"))
}

/// A JPEG XL image, whose planes are its extra channels (ISO/IEC 18181-1 §D.3.6).
struct JPEGXLContainer: ParsedContainer {
    static func recognizes(_ start: [UInt8], of source: any ByteSource) -> Bool {
        start.starts(with: [0xFF, 0x0A]) || start.starts(with: Self.signature)
    }

    private static let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

    let format = ContainerKind.jpegXL
    let photo: PhotoDescription
    private(set) var planes: [AuxiliaryPlane] = []
    let diagnostics: [Diagnostic] = []
    private let source: any ByteSource
    private let limits: DecodingLimits
    private let bitDepth: Int

    init(_ source: any ByteSource, start: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        self.source = source
        self.limits = limits
        try limits.check(.codedBytes, source.byteCount)
        let (bytes, offset) = try Self.codestream(source, start: start, limits: limits)
        let header = try JPEGXLHeader(parsing: bytes, at: offset, limits: limits)
        bitDepth = header.bitDepth
        let orientation = Orientation(rawValue: header.orientation) ?? .up
        var photo = PhotoDescription(
            width: header.width, height: header.height, codedWidth: header.width, codedHeight: header.height,
            orientation: orientation, location: .jpegXLChannel(nil))
        if header.isFloat {
            photo.readError = ContainerError(.unsupported(feature: "JPEG XL of floating point"), at: offset)
        }
        if header.extraChannels.contains(where: { $0.type == 4 }) { photo.readError = JPEGXLImage.inksError }
        self.photo = photo
        for (number, channel) in header.extraChannels.enumerated() {
            planes.append(Self.plane(channel, number, photo))
        }
        planes.number()
    }

    private static func plane(
        _ channel: JPEGXLHeader.ExtraChannel, _ number: Int, _ photo: PhotoDescription
    ) -> AuxiliaryPlane {
        let names = ["alpha", "depth", "spot-color", "selection-mask", "black", "color-filter", "thermal"]
        let name = names.indices.contains(channel.type) ? names[channel.type] : "type-\(channel.type)"
        var plane = AuxiliaryPlane(
            kind: channel.type == 0 ? .alpha : channel.type == 1 ? .depth : .unknown, width: photo.width,
            height: photo.height, codedWidth: photo.width, codedHeight: photo.height,
            bitDepth: channel.bitDepth, components: 1, codec: "jxl", carrier: .jxlExtraChannel,
            type: name + (channel.isPremultiplied ? " (premultiplied)" : ""),
            orientation: photo.orientation, location: .jpegXLChannel(number))
        plane.isPremultiplied = channel.isPremultiplied
        if channel.isFloat || !(1...16).contains(channel.bitDepth) {
            plane.readError = ContainerError(
                .unsupported(
                    feature: "a channel of \(channel.bitDepth)-bit \(channel.isFloat ? "floats" : "integers")"
                ),
                in: StructurePath("JXL"))
        }
        if plane.kind == .depth {
            plane.mapping = SampleMapping(undeclared: .depth, bitDepth: min(max(channel.bitDepth, 1), 16))
        }
        return plane
    }

    /// The beginning of the codestream: of the file itself, or of its first `jxlc` or `jxlp` box.
    private static func codestream(
        _ source: any ByteSource, start: [UInt8], limits: DecodingLimits
    ) throws(ContainerError) -> (bytes: [UInt8], offset: Int) {
        guard start.starts(with: signature) else { return (start, 0) }
        guard let (type, payload) = try box(["jxlc", "jxlp"], in: source, limits: limits) else {
            throw ContainerError(
                .malformed(rule: "the file has no codestream ('jxlc')"), in: StructurePath("JXL"))
        }
        // In a divided codestream, the first part starts with the part's number.
        let skipped = type == "jxlp" ? 4 : 0
        let count = type == "jxlp" ? min(payload.count + 8, 1 << 16) : 1 << 16
        let offset = payload.lowerBound + skipped
        return (try source.readPrefix(at: offset, count: count), offset)
    }

    /// The first box among these types: its type, and the range of its payload.
    private static func box(
        _ types: Set<FourCharacterCode>, in source: any ByteSource, limits: DecodingLimits
    ) throws(ContainerError) -> (type: FourCharacterCode, payload: Range<Int>)? {
        var (offset, boxes) = (0, 0)
        while offset < source.byteCount {
            boxes += 1
            try limits.check(.items, boxes, at: offset)
            let head = try source.readPrefix(at: offset, count: BoxHeader.mostBytes)
            var cursor = ByteCursor(head.span, base: offset, path: StructurePath("JXL"))
            let box = try cursor.readBoxHeader()
            let size = box.size ?? source.byteCount - offset
            let (end, overflow) = offset.addingReportingOverflow(size)
            guard size >= box.headerSize, !overflow else {
                throw ContainerError(.arithmeticOverflow, at: offset, in: StructurePath(box.type))
            }
            if types.contains(box.type) { return (box.type, offset + box.headerSize..<end) }
            offset = end
        }
        return nil
    }

    /// The payload of the first box of a type; empty if missing. Throws if it is compressed.
    private func metadata(
        _ type: FourCharacterCode, limit: DecodingLimits.Name
    ) throws(ContainerError) -> MetadataBlock {
        let start = try source.readPrefix(at: 0, count: Self.signature.count)
        guard start == Self.signature else { return MetadataBlock() }
        guard let (_, payload) = try Self.box([type], in: source, limits: limits) else {
            try checkNotCompressed(type)
            return MetadataBlock()
        }
        try limits.check(limit, payload.count, at: payload.lowerBound, in: StructurePath(type))
        return MetadataBlock(bytes: try source.read(payload), offset: payload.lowerBound)
    }

    /// Throws if the first box in Brotli holds a box of this type (ISO/IEC 18181-2 §9.4).
    private func checkNotCompressed(_ type: FourCharacterCode) throws(ContainerError) {
        guard let (_, payload) = try Self.box(["brob"], in: source, limits: limits),
            try source.readPrefix(at: payload.lowerBound, count: 4) == Array("\(type)".utf8)
        else { return }
        throw ContainerError(
            .unsupported(feature: "metadata compressed with Brotli"), at: payload.lowerBound,
            in: StructurePath("brob"))
    }

    func codedImage(at location: ImageLocation) throws(ContainerError) -> CodedImage {
        guard case .jpegXLChannel(let channel) = location else {
            throw ContainerError(.unsupported(feature: "such an image in a JPEG XL file"))
        }
        let bitDepth = channel.map { planes[$0].bitDepth ?? 8 } ?? bitDepth
        return .jpegXL(JPEGXLImage(file: 0..<source.byteCount, channel: channel, bitDepth: bitDepth))
    }

    func photoXMP() throws(ContainerError) -> XMPProperties {
        let packet = try photoXMPPacket()
        guard !packet.bytes.isEmpty else { return XMPProperties() }
        return try XMPProperties(
            parsing: packet.bytes, limits: limits, at: packet.offset, in: StructurePath("XMP"))
    }

    func photoExif() throws(ContainerError) -> MetadataBlock {
        let box = try metadata("Exif", limit: .metadataBytes)
        guard !box.bytes.isEmpty else { return box }
        var cursor = ByteCursor(box.bytes.span, base: box.offset, path: StructurePath("Exif"))
        // The offset of the TIFF header, relative to the end of this field (ISO/IEC 18181-2 §9.5).
        let skip = try cursor.readUInt32()
        try cursor.skip(skip)
        return MetadataBlock(bytes: Array(box.bytes[cursor.position...]), offset: cursor.offset)
    }

    func photoXMPPacket() throws(ContainerError) -> MetadataBlock {
        try metadata("xml ", limit: .xmpBytes)
    }
}
