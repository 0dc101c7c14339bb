internal import ByteParsing
internal import CInflateShims

/// A ROS bag of version 2.0 (wiki.ros.org/Bags/Format/2.0): a text line, then records of a header and data, each preceded by
/// its length in 4 bytes, little-endian. A header is a sequence of fields `name=value`, each preceded by its length in 4
/// bytes.
///
/// Messages are in chunks, which may be compressed, together with the connections that describe them. The file ends with an
/// index, which repeats the connections; the index is missing or incomplete if recording was interrupted or the file was cut
/// off. The first record states the number of connections and the offset of the index.
struct ROSBag: Sendable {
    /// The first line of a bag.
    static let mark = Array("#ROSBAG V2.0\n".utf8)

    /// A block of messages.
    struct Chunk: Hashable, Sendable {
        /// The range of its data in the file.
        var range: Range<Int>
        /// Its uncompressed size in bytes.
        var byteCount: Int
        /// Whether it is an LZ4 frame.
        var isPacked: Bool
    }

    /// A recorded message.
    struct Message: Sendable {
        var topic: String
        /// The time of recording, in seconds.
        var time: Double
        /// The range of its data in the uncompressed chunk.
        var range: Range<Int>
    }

    private let source: any ByteSource
    private let limits: DecodingLimits

    /// A bag. Reads nothing yet.
    init(_ source: any ByteSource, limits: DecodingLimits) {
        self.source = source
        self.limits = limits
    }

    /// The content that is found without decompression.
    struct Contents: Sendable {
        var chunks: [Chunk] = []
        /// The topics of the connections at the end of the file, by their numbers.
        var topics: [Int: String] = [:]
        /// Whether the file ends in the middle of a record, or without a complete index.
        var isCutOff = false
    }

    /// Finds all chunks.
    func contents() throws(ContainerError) -> Contents {
        var contents = Contents()
        var place = Self.mark.count
        // An index has at least one connection.
        var (connectionCount, indexOffset) = (1, 0)
        while place < source.byteCount {
            guard let record = try record(at: place), record.data.upperBound <= source.byteCount else {
                contents.isCutOff = true
                break
            }
            switch record.fields.operation {
            case Operation.bagHeader:
                connectionCount = max(record.fields.number("conn_count") ?? 1, 1)
                indexOffset = record.fields.longNumber("index_pos") ?? 0
            case Operation.chunk:
                try limits.check(.frames, contents.chunks.count + 1, at: place)
                contents.chunks.append(try chunk(record, at: place))
            case Operation.connection:
                try addTopic(of: record.fields, to: &contents.topics, at: place)
            default: break
            }
            place = record.data.upperBound
        }
        if contents.topics.count < connectionCount || indexOffset > source.byteCount {
            contents.isCutOff = true
        }
        return contents
    }

    private func addTopic(
        of connection: Fields, to topics: inout [Int: String], at place: Int
    ) throws(ContainerError) {
        guard let number = connection.number("conn") else { return }
        if topics[number] == nil { try limits.check(.items, topics.count + 1, at: place) }
        topics[number] = connection.text("topic") ?? ""
    }

    /// Decompresses a chunk.
    func read(_ chunk: Chunk, into bytes: inout [UInt8]) throws(ContainerError) {
        let place = chunk.range.lowerBound
        try limits.check(.codedBytes, chunk.range.count, at: place)
        try limits.check(.codedBytes, chunk.byteCount, at: place)
        guard chunk.isPacked else { return try source.read(chunk.range, into: &bytes) }
        try limits.checkMemory(pixels: chunk.byteCount, bytesPerPixel: 1, other: chunk.range.count)
        let packed = try source.read(chunk.range)
        if bytes.count != chunk.byteCount { bytes = [UInt8](repeating: 0, count: chunk.byteCount) }
        let code = unsafe packed.withUnsafeBufferPointer { input in
            unsafe bytes.withUnsafeMutableBufferPointer { output in
                guard let from = input.baseAddress, let to = output.baseAddress else { return Int32(-1) }
                // SAFETY: both buffers have the given sizes.
                return unsafe isobath_lz4_decode(from, input.count, to, output.count)
            }
        }
        guard code == 0 else {
            throw ContainerError(.damaged(detail: "an LZ4 chunk cannot be decompressed"), at: place)
        }
    }

    /// The messages of a decompressed chunk. `topics` are the known topics, by the number of their connection; the
    /// chunk's connections are added.
    func messages(
        in chunk: Chunk, _ bytes: [UInt8], _ topics: inout [Int: String]
    ) throws(ContainerError) -> [Message] {
        var messages: [Message] = []
        var cursor = ByteCursor(bytes.span, base: chunk.range.lowerBound, path: StructurePath("chunk"))
        cursor.byteOrder = .littleEndian
        while !cursor.isAtEnd {
            let header = Fields(try cursor.readBytes(try cursor.readUInt32()))
            let count = try cursor.readUInt32()
            let start = cursor.position
            switch header.operation {
            case Operation.connection:
                try cursor.skip(count)
                try addTopic(of: header, to: &topics, at: cursor.offset)
            case Operation.message:
                try cursor.skip(count)
                guard let number = header.number("conn"), let topic = topics[number],
                    let time = header.time("time")
                else { continue }
                try limits.check(.items, messages.count + 1, at: cursor.offset)
                messages.append(
                    Message(topic: topic, time: time, range: start..<start + count))
            default: try cursor.skip(count)
            }
        }
        return messages
    }

    private enum Operation {
        static let message = 2
        static let bagHeader = 3
        static let chunk = 5
        static let connection = 7
    }

    private struct Record {
        var fields: Fields
        var data: Range<Int>
    }

    /// The record at an offset of the file; `nil` if its header is incomplete. Its data may be incomplete.
    private func record(at place: Int) throws(ContainerError) -> Record? {
        guard source.byteCount - place >= 4 else { return nil }
        let start = try source.readPrefix(at: place, count: 512)
        var cursor = ByteCursor(start.span, base: place)
        cursor.byteOrder = .littleEndian
        let count = try cursor.readUInt32()
        try limits.check(.metadataBytes, count, at: place)
        guard source.byteCount - place - 4 >= count + 4 else { return nil }
        let bytes = count + 8 <= start.count ? start : try source.read(place..<place + count + 8)
        var header = ByteCursor(bytes.span, base: place)
        header.byteOrder = .littleEndian
        try header.skip(4)
        let fields = Fields(try header.readBytes(count))
        let data = place + count + 8
        return Record(fields: fields, data: data..<data + (try header.readUInt32()))
    }

    private func chunk(_ record: Record, at place: Int) throws(ContainerError) -> Chunk {
        func malformed(_ rule: String) -> ContainerError { ContainerError(.malformed(rule: rule), at: place) }
        guard let count = record.fields.number("size") else { throw malformed("chunk has no size field") }
        switch record.fields.text("compression") {
        case "none":
            guard count == record.data.count else {
                throw malformed("chunk declares \(count) bytes, \(record.data.count) follow")
            }
            return Chunk(range: record.data, byteCount: count, isPacked: false)
        case "lz4":
            guard count / 255 <= record.data.count else {
                throw malformed(
                    "chunk declares \(count) bytes, more than 255 times its \(record.data.count) bytes of LZ4"
                )
            }
            return Chunk(range: record.data, byteCount: count, isPacked: true)
        case "bz2":
            throw ContainerError(
                .unsupported(feature: "a ROS bag packed by bzip2 (rosbag decompress makes one that is not)"),
                at: place)
        case let other:
            throw malformed("chunk has compression '\((other ?? "").prefix(100))', not none, lz4 or bz2")
        }
    }
}

/// The header of a record.
private struct Fields {
    private var values: [(name: [UInt8], value: [UInt8])] = []

    /// Reads fields up to the first incomplete one.
    init(_ bytes: [UInt8]) {
        var cursor = ByteCursor(bytes.span)
        cursor.byteOrder = .littleEndian
        while let count = try? cursor.readUInt32(), let field = try? cursor.readBytes(count) {
            guard let end = field.firstIndex(of: UInt8(ascii: "=")) else { continue }
            values.append((Array(field[..<end]), Array(field[(end + 1)...])))
        }
    }

    /// The kind of record; `nil` if missing.
    var operation: Int? { value("op").flatMap { $0.count == 1 ? Int($0[0]) : nil } }

    func text(_ name: String) -> String? { value(name).map { String(decoding: $0, as: UTF8.self) } }

    /// A number of four bytes.
    func number(_ name: String) -> Int? { numbers(name, count: 1)?[0] }

    /// A number of eight bytes; `nil` also if it exceeds any file size.
    func longNumber(_ name: String) -> Int? {
        numbers(name, count: 2).flatMap { $0[1] < 1 << 31 ? $0[1] << 32 | $0[0] : nil }
    }

    /// Seconds and nanoseconds, converted to seconds.
    func time(_ name: String) -> Double? {
        numbers(name, count: 2).map { Double($0[0]) + Double($0[1]) / 1e9 }
    }

    private func numbers(_ name: String, count: Int) -> [Int]? {
        guard let value = value(name), value.count == 4 * count else { return nil }
        return stride(from: 0, to: value.count, by: 4).map { start in
            value[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }

    private func value(_ name: String) -> [UInt8]? {
        values.first { $0.name.elementsEqual(name.utf8) }?.value
    }
}
