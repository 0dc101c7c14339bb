package import Bytes
internal import DepthTypes
internal import Embedded

extension RasterDescription {
    /// Reads the header of a PNG file, and the record that Isobath keeps in an `iTXt` chunk (W3C PNG, third edition, §11.2.1
    /// and §11.3.3.4). Image data is skipped.
    package init(parsingPNG source: any ByteSource, limits: DecodingLimits) throws(ContainerError) {
        let path = StructurePath("PNG")
        let start = try source.readPrefix(at: 0, count: 33)
        var cursor = ByteCursor(start.span, path: path.appending("IHDR"))
        try cursor.skip(8)
        let header = try PNGHeader(parsing: &cursor)
        let (width, height, bits) = (header.width, header.height, header.bitDepth)
        _ = try limits.pixelCount(width: width, height: height, at: 16, in: cursor.path)
        guard [1, 2, 4, 8, 16].contains(bits) else {
            throw cursor.malformed("PNG samples have \(bits) bits, not 1, 2, 4, 8 or 16")
        }
        guard let channels = header.channels else {
            throw cursor.malformed("PNG color type is \(header.colorType), not 0, 2, 3, 4 or 6")
        }
        self.init(
            format: .png, width: width, height: height, channels: channels,
            sampleType: bits == 16 ? .uint16 : .uint8, bitDepth: bits, codec: "deflate", location: .wholeFile)
        if channels == 2 || channels == 4 { alpha = .straight }
        try readChunks(source, from: 33, limits: limits, path: path)
    }

    /// Walks the chunks until the end, or until record and samples are found; transparent colors (`tRNS`) come before
    /// samples. If a file is truncated, the walk ends without an error, because decoding its samples reports it.
    private mutating func readChunks(
        _ source: any ByteSource, from start: Int, limits: DecodingLimits, path: StructurePath
    ) throws(ContainerError) {
        var offset = start
        var count = 0
        var hasSamples = false
        while record == nil || !hasSamples, offset + 12 <= source.byteCount {
            count += 1
            try limits.check(.segments, count, at: offset, in: path)
            let bytes = try source.read(offset..<offset + 8)
            var chunk = ByteCursor(bytes.span, base: offset, path: path)
            let (length, code) = (try chunk.readUInt32(), try chunk.readCode())
            guard length <= source.byteCount - offset - 12, code != "IEND" else { return }
            hasSamples = hasSamples || code == "IDAT"
            if code == "tRNS", !hasSamples { alpha = .straight }
            if code == "iCCP", !hasSamples { hasColorProfile = true }
            if code == "cICP", !hasSamples, length == 4 {
                let points = try source.read(offset + 8..<offset + 12)
                codedColor = CodedColor(
                    primaries: Int(points[0]), transfer: Int(points[1]), isFullRange: points[3] != 0)
                if let loss = codedColor?.lossInStandardRange {
                    diagnostics.append(.note(.lostHDR, loss, in: path.appending("cICP")))
                }
            }
            if code == "eXIf" { exif = offset + 8..<offset + 8 + length }
            if code == "iTXt", record == nil, length <= Self.maximumRecordBytes {
                record = Self.record(inText: try source.read(offset + 8..<offset + 8 + length))
            }
            offset += 12 + length
        }
    }

    private static let maximumRecordBytes = 1 << 16

    /// The text of an uncompressed `iTXt` chunk whose keyword is `Isobath`: keyword, 0, compression flag and method,
    /// language, 0, translated keyword, 0, text.
    private static func record(inText chunk: [UInt8]) -> String? {
        let keyword = Array("Isobath".utf8) + [0, 0]
        guard chunk.starts(with: keyword) else { return nil }
        let parts = chunk.dropFirst(keyword.count + 1).split(
            separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? String(decoding: parts[2], as: UTF8.self) : nil
    }
}
