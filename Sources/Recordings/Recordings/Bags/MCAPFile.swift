internal import Bytes
internal import Codecs

/// An MCAP file (mcap.dev/spec): records of a code, a length in 8 bytes and content, little-endian. Messages are in the
/// file or in chunks, which may be compressed, and refer to channels, which refer to schemas.
///
/// The file is read from its first byte to its last: the index at its end repeats what the records say, and a file that
/// is cut off has none. Only schemas, channels and the number of messages are read there. A chunk that does not match its
/// checksum is skipped. Content of large messages is not read where there is no checksum.
struct MCAPFile {
    /// The first and last bytes of a file.
    static let mark: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]

    private enum Code {
        static let footer: UInt8 = 2
        static let schema: UInt8 = 3
        static let channel: UInt8 = 4
        static let message: UInt8 = 5
        static let chunk: UInt8 = 6
        static let statistics: UInt8 = 11
        static let dataEnd: UInt8 = 15
    }

    private let file: StoredBytes
    private let limits: DecodingLimits
    private var schemas: [Int: String] = [:]
    /// The index of each channel's topic.
    private var channels: [Int: Int] = [:]
    /// How many messages the file has according to its end; `nil` if it does not say.
    private var declaredCount: Int?
    /// Whether a chunk has a checksum.
    private var hasChecksums = false
    /// Whether the bytes that chunks are decompressed to were counted.
    private var hasCountedChunks = false

    /// A file. Reads nothing yet.
    init(_ source: any ByteSource, _ limits: DecodingLimits) {
        file = StoredBytes(source, limits)
        self.limits = limits
    }

    /// Lists all topics and messages, in the order of recording.
    mutating func read(into contents: inout BagContents) throws(ContainerError) {
        let end = file.source.byteCount
        try readSummary(&contents)
        let before = contents.messageCount
        var reader = WindowReader(file.source, Self.mark.count..<max(Self.mark.count, end))
        guard try readRecords(&reader, store: .file(file), &contents) else {
            contents.isCutOff = true
            return
        }
        if let declaredCount {
            contents.reportLost(declaredCount - (contents.messageCount - before), of: declaredCount)
        }
    }

    /// Reads the schemas and channels that the end of the file repeats: one of them may be described in a damaged chunk, and be
    /// used in others. Reads the number of messages.
    private mutating func readSummary(_ contents: inout BagContents) throws(ContainerError) {
        // The footer has the offset of the summary, 0 if missing, that of its index, and a checksum.
        let footerSize = 9 + 20
        let footer = file.source.byteCount - Self.mark.count - footerSize
        guard footer > Self.mark.count else { return }
        var reader = WindowReader(file.source, footer..<footer + footerSize)
        guard try Self.head(&reader)?.code == Code.footer else { return }
        let start = try reader.parse(8) { (cursor) throws(ContainerError) in try cursor.read(UInt64.self) }
        guard let start = Int(exactly: start), start >= Self.mark.count, start < footer else { return }
        var records = WindowReader(file.source, start..<footer)
        while let (code, count) = try Self.head(&records), count <= records.remaining {
            let end = records.offset + count
            do throws(ContainerError) {
                if code == Code.schema { try readSchema(&records, count, &contents) }
                if code == Code.channel { try readChannel(&records, count, &contents) }
                if code == Code.statistics {
                    declaredCount = try records.parse(8) { (cursor) throws(ContainerError) in
                        Int(exactly: try cursor.read(UInt64.self))
                    }
                }
            } catch {
                try contents.report(error)
            }
            records.seek(to: end)
        }
    }

    /// The code of the next record, and the size of its content, where the reader is then; `nil` if it is incomplete. A size
    /// beyond any file's becomes the largest number.
    private static func head(
        _ reader: inout WindowReader
    ) throws(ContainerError) -> (code: UInt8, count: Int)? {
        guard reader.remaining >= 9 else { return nil }
        return try reader.parse(9) { (cursor) throws(ContainerError) in
            (try cursor.readByte(), Int(clamping: try cursor.read(UInt64.self)))
        }
    }

    /// Reads records up to the end of the data. Returns whether that was reached.
    private mutating func readRecords(
        _ reader: inout WindowReader, store: BagMessage.Store, isChunk: Bool = false,
        _ contents: inout BagContents
    ) throws(ContainerError) -> Bool {
        while reader.remaining > 0 {
            guard let (code, count) = try Self.head(&reader) else { return false }
            let content = reader.offset..<reader.offset + min(count, reader.remaining)
            let isWhole = count <= reader.remaining
            if code == Code.dataEnd {
                if !isChunk { try checkData(&reader, count, &contents) }
                return true
            }
            do throws(ContainerError) {
                switch code {
                case Code.chunk where !isChunk: try readChunk(content, isWhole: isWhole, &contents)
                case _ where !isWhole: return false
                case Code.message: try readMessage(&reader, content, store, &contents)
                case Code.schema: try readSchema(&reader, count, &contents)
                case Code.channel: try readChannel(&reader, count, &contents)
                default: break
                }
            } catch {
                // A damaged record is reported, and the others are read.
                try contents.report(error)
            }
            guard isWhole else { return false }
            reader.seek(to: content.upperBound)
        }
        return isChunk
    }

    /// Reports data that do not match the checksum before their end, unless chunks have their own.
    private func checkData(
        _ reader: inout WindowReader, _ count: Int, _ contents: inout BagContents
    ) throws(ContainerError) {
        // The record with the checksum is not part of the data.
        let end = reader.offset - 9
        guard count >= 4, reader.remaining >= 4, !hasChecksums else { return }
        let checksum = try reader.parse(4) { (cursor) throws(ContainerError) in try cursor.read(UInt32.self) }
        guard try !matches(checksum, 0..<end) else { return }
        try contents.report(
            ContainerError(.damaged(detail: "the file's data do not match their checksum"), at: end))
    }

    /// Whether bytes of the file have a CRC-32; 0 stands for none.
    private func matches(_ checksum: UInt32, _ range: Range<Int>) throws(ContainerError) -> Bool {
        guard checksum != 0 else { return true }
        var found: UInt32 = 0
        var bytes: [UInt8] = []
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
            try file.source.read(start..<min(start + 1 << 20, range.upperBound), into: &bytes)
            found = Codecs.checksum(bytes, after: found)
        }
        return found == checksum
    }

    private mutating func readSchema(
        _ reader: inout WindowReader, _ count: Int, _ contents: inout BagContents
    ) throws(ContainerError) {
        try limits.check(.metadataBytes, count, at: reader.offset)
        let (id, name) = try reader.parse(count) { (cursor) throws(ContainerError) in
            (try cursor.readUInt16(), try cursor.readText())
        }
        guard schemas[id] == nil else { return }
        try limits.check(.items, schemas.count + 1, at: reader.offset)
        try contents.names.count(name, at: reader.offset)
        schemas[id] = name
    }

    private mutating func readChannel(
        _ reader: inout WindowReader, _ count: Int, _ contents: inout BagContents
    ) throws(ContainerError) {
        try limits.check(.metadataBytes, count, at: reader.offset)
        let (id, schema, topic, encoding) = try reader.parse(count) { (cursor) throws(ContainerError) in
            (
                try cursor.readUInt16(), try cursor.readUInt16(), try cursor.readText(),
                try cursor.readText()
            )
        }
        guard channels[id] == nil else { return }
        channels[id] = try contents.topic(named: topic, type: schemas[schema] ?? "", encoding: encoding)
    }

    private func readMessage(
        _ reader: inout WindowReader, _ content: Range<Int>, _ store: BagMessage.Store,
        _ contents: inout BagContents
    ) throws(ContainerError) {
        let head = 22
        guard content.count >= head else {
            throw ContainerError(
                .malformed(rule: "message has \(content.count) bytes, fewer than \(head)"),
                at: content.lowerBound)
        }
        let (id, nanoseconds) = try reader.parse(head) { (cursor) throws(ContainerError) in
            let id = try cursor.readUInt16()
            try cursor.skip(4)
            return (id, try cursor.read(UInt64.self))
        }
        guard let topic = channels[id] else { return }
        let time = Double(nanoseconds) / 1e9
        try contents.take(topic, at: time) {
            BagMessage(
                topic: topic, time: time, source: reader.source,
                range: content.lowerBound + head..<content.upperBound, store: store,
                head: reader.buffered(min(ImageMessage.headSize, content.count - head)))
        }
    }

    private mutating func readChunk(
        _ content: Range<Int>, isWhole: Bool, _ contents: inout BagContents
    ) throws(ContainerError) {
        var reader = WindowReader(file.source, content)
        guard let header = try Self.chunkHeader(&reader, limits) else {
            guard isWhole else { return }
            throw ContainerError(
                .malformed(rule: "chunk of \(content.count) bytes is shorter than its header"),
                at: content.lowerBound)
        }
        guard header.count <= reader.remaining || !isWhole else {
            throw ContainerError(
                .malformed(rule: "chunk declares \(header.count) bytes, \(reader.remaining) follow"),
                at: reader.offset)
        }
        let data = reader.offset..<reader.offset + min(header.count, reader.remaining)
        if header.checksum != 0 { hasChecksums = true }
        guard let packing = try Self.packing(header.compression, at: data.lowerBound) else {
            if isWhole, try !matches(header.checksum, data) {
                throw BagChunk.wrongChecksum(at: data.lowerBound)
            }
            // What precedes the end of a file that is cut off is read.
            var records = WindowReader(file.source, data)
            guard try readRecords(&records, store: .file(file), isChunk: true, &contents) || !isWhole else {
                throw Self.overrun(at: data.lowerBound)
            }
            return
        }
        guard isWhole else { return }
        try countChunks(from: content.lowerBound - 9, contents.unpacked)
        let chunk = BagChunk(
            file.source, data, packing, byteCount: header.size,
            checksum: header.checksum == 0 ? nil : header.checksum)
        var records = try contents.unpacked(chunk)
        guard try readRecords(&records, store: .chunk(chunk), isChunk: true, &contents) else {
            throw Self.overrun(at: data.lowerBound)
        }
    }

    /// Counts what all chunks from an offset on declare, before the first of them is decompressed.
    private mutating func countChunks(
        from start: Int, _ unpacked: UnpackedBytes
    ) throws(ContainerError) {
        guard !hasCountedChunks else { return }
        hasCountedChunks = true
        var records = WindowReader(file.source, start..<file.source.byteCount, size: 1 << 12)
        while let (code, count) = try Self.head(&records), count <= records.remaining, code != Code.dataEnd {
            let content = records.offset..<records.offset + count
            records.seek(to: content.upperBound)
            guard code == Code.chunk else { continue }
            var reader = WindowReader(file.source, content, size: 1 << 8)
            // A header that is damaged is reported when its chunk is read.
            guard let header = try? Self.chunkHeader(&reader, limits), !header.compression.isEmpty else {
                continue
            }
            try unpacked.count(header.size, at: content.lowerBound)
        }
    }

    private static func overrun(at place: Int) -> ContainerError {
        ContainerError(
            .malformed(rule: "the last record of a chunk is longer than the chunk"), at: place)
    }

    private struct ChunkHeader {
        /// The decompressed size.
        var size: Int
        /// The CRC-32 of the decompressed bytes; 0 if missing.
        var checksum: UInt32
        var compression: String
        /// The stored size.
        var count: Int
    }

    /// The fields before the records of a chunk; `nil` if they are incomplete.
    private static func chunkHeader(
        _ reader: inout WindowReader, _ limits: DecodingLimits
    ) throws(ContainerError) -> ChunkHeader? {
        guard reader.remaining >= 32 else { return nil }
        let (size, checksum, nameSize) = try reader.parse(32) { (cursor) throws(ContainerError) in
            // The times of the first and the last message.
            try cursor.skip(16)
            return (
                try cursor.readUnsigned(byteCount: 8), try cursor.read(UInt32.self), try cursor.readUInt32()
            )
        }
        try limits.check(.metadataBytes, nameSize, at: reader.offset)
        guard reader.remaining >= nameSize + 8 else { return nil }
        return try reader.parse(nameSize + 8) { (cursor) throws(ContainerError) in
            ChunkHeader(
                size: size, checksum: checksum,
                compression: String(decoding: try cursor.readBytes(nameSize), as: UTF8.self),
                count: try cursor.readUnsigned(byteCount: 8))
        }
    }

    /// The compression of a chunk; `nil` for none.
    private static func packing(_ name: String, at place: Int) throws(ContainerError) -> Packing? {
        switch name {
        case "": return nil
        case "lz4": return .lz4
        case "zstd": return .zstandard
        default:
            throw ContainerError(
                .unsupported(feature: "an MCAP chunk with compression '\(name.prefix(40))'"), at: place)
        }
    }
}
