internal import Bytes

/// A ROS bag of version 2.0 (wiki.ros.org/Bags/Format/2.0): a text line, then records of a header and data, each preceded by
/// its length in 4 bytes, little-endian. A header is a sequence of fields `name=value`, each preceded by its length in 4
/// bytes.
///
/// Messages are in chunks, which may be compressed, together with the connections that describe them. The file ends with an
/// index, which repeats the connections; the index is missing or incomplete if recording was interrupted or the file was cut
/// off. The first record states the number of connections and the offset of the index. The file is read from its first
/// byte to its last, over the content of large messages.
struct ROSBag {
    /// The first line of a bag.
    static let mark = Array("#ROSBAG V2.0\n".utf8)

    private let file: StoredBytes
    private let limits: DecodingLimits
    /// The index of each connection's topic, by the number of the connection.
    private var topics: [Int: Int] = [:]
    /// The connections outside of chunks.
    private var indexed: Set<Int> = []
    /// What the first record states. An index has at least one connection.
    private var (connectionCount, indexOffset) = (1, 0)

    /// A bag. Reads nothing yet.
    init(_ source: any ByteSource, _ limits: DecodingLimits) {
        file = StoredBytes(source, limits)
        self.limits = limits
    }

    /// Lists all topics and messages, in the order of recording.
    ///
    /// The connections of the index come first: one of them may be described in a damaged chunk, and be used in others.
    mutating func read(into contents: inout BagContents) throws(ContainerError) {
        let range = Self.mark.count..<max(Self.mark.count, file.source.byteCount)
        var index = WindowReader(file.source, range, size: 1 << 12)
        let isWhole = try readRecords(&index, of: .index, store: .file(file), &contents)
        if !isWhole || indexed.count < connectionCount || indexOffset > file.source.byteCount {
            contents.isCutOff = true
        }
        var reader = WindowReader(file.source, range)
        _ = try readRecords(&reader, of: .file, store: .file(file), &contents)
    }

    /// The records that are read in one pass.
    private enum Pass {
        /// The file's connections, outside of chunks.
        case index
        /// The file's chunks, and messages outside of them.
        case file
        case chunk
    }

    /// Reads all records. Returns whether the last one is complete.
    private mutating func readRecords(
        _ reader: inout WindowReader, of pass: Pass, store: BagMessage.Store,
        _ contents: inout BagContents
    ) throws(ContainerError) -> Bool {
        while reader.remaining > 0 {
            guard let (fields, count) = try record(&reader) else { return false }
            let data = reader.offset..<reader.offset + min(count, reader.remaining)
            let isWhole = count <= reader.remaining
            do throws(ContainerError) {
                switch fields.operation {
                case Operation.chunk where pass == .file:
                    try readChunk(fields, data, isWhole: isWhole, &contents)
                case _ where !isWhole: return false
                case Operation.message where pass != .index:
                    try readMessage(fields, data, reader, store, &contents)
                case Operation.connection where pass != .file:
                    if pass == .index, let number = fields.number("conn") { indexed.insert(number) }
                    try readConnection(fields, &reader, count, &contents)
                case Operation.chunk where pass == .index:
                    try countChunk(fields, at: data.lowerBound, contents.unpacked)
                case Operation.bagHeader where pass == .index:
                    connectionCount = max(fields.number("conn_count") ?? 1, 1)
                    indexOffset = fields.longNumber("index_pos") ?? 0
                case nil where pass == .chunk:
                    // Other records would follow in 8 bytes each.
                    return false
                default: break
                }
            } catch {
                // A damaged record is reported, and the others are read.
                try contents.report(error)
            }
            guard isWhole else { return false }
            reader.seek(to: data.upperBound)
        }
        return true
    }

    /// The fields of the next record, and the size of its data, where the reader is then; `nil` if it is incomplete.
    private func record(_ reader: inout WindowReader) throws(ContainerError) -> (Fields, Int)? {
        guard reader.remaining >= 4 else { return nil }
        let count = try reader.parse(4) { (cursor) throws(ContainerError) in try cursor.readUInt32() }
        guard reader.remaining >= count + 4 else { return nil }
        try limits.check(.metadataBytes, count, at: reader.offset)
        return try reader.parse(count + 4) { (cursor) throws(ContainerError) in
            (Fields(try cursor.readBytes(count)), try cursor.readUInt32())
        }
    }

    /// A connection has its type in its data.
    private mutating func readConnection(
        _ header: Fields, _ reader: inout WindowReader, _ count: Int,
        _ contents: inout BagContents
    ) throws(ContainerError) {
        guard let number = header.number("conn") else { return }
        guard topics[number] == nil else { return }
        try limits.check(.metadataBytes, count, at: reader.offset)
        let description = try reader.parse(count) { (cursor) throws(ContainerError) in
            Fields(try cursor.readRemainingBytes())
        }
        topics[number] = try contents.topic(
            named: header.text("topic") ?? "", type: description.text("type") ?? "", encoding: "ros1")
    }

    private func readMessage(
        _ header: Fields, _ data: Range<Int>, _ reader: WindowReader, _ store: BagMessage.Store,
        _ contents: inout BagContents
    ) throws(ContainerError) {
        guard let number = header.number("conn"), let topic = topics[number], let time = header.time("time")
        else { return }
        try contents.take(topic, at: time) {
            BagMessage(
                topic: topic, time: time, source: reader.source, range: data, store: store,
                head: reader.buffered(min(ImageMessage.headSize, data.count)))
        }
    }

    /// Counts what a chunk declares, before any chunk is decompressed.
    private func countChunk(
        _ header: Fields, at offset: Int, _ unpacked: UnpackedBytes
    ) throws(ContainerError) {
        guard header.text("compression") != "none", let count = header.number("size") else { return }
        try unpacked.count(count, at: offset)
    }

    private mutating func readChunk(
        _ header: Fields, _ data: Range<Int>, isWhole: Bool, _ contents: inout BagContents
    ) throws(ContainerError) {
        func malformed(_ rule: String) -> ContainerError {
            ContainerError(.malformed(rule: rule), at: data.lowerBound)
        }
        guard let count = header.number("size") else { throw malformed("chunk has no size field") }
        let packing: Packing
        switch header.text("compression") {
        case "none":
            guard count == data.count || !isWhole else {
                throw malformed("chunk declares \(count) bytes, \(data.count) follow")
            }
            // What precedes the end of a bag that is cut off is read.
            var records = WindowReader(file.source, data)
            guard try readRecords(&records, of: .chunk, store: .file(file), &contents) || !isWhole else {
                throw malformed("a record of a chunk has no operation, or is longer than the chunk")
            }
            return
        case "lz4": packing = .lz4
        case "bz2": packing = .bzip2
        case let other:
            throw malformed("chunk has compression '\((other ?? "").prefix(100))', not none, lz4 or bz2")
        }
        guard isWhole else { return }
        let chunk = BagChunk(file.source, data, packing, byteCount: count)
        var records = try contents.unpacked(chunk)
        guard try readRecords(&records, of: .chunk, store: .chunk(chunk), &contents) else {
            throw malformed("a record of a chunk has no operation, or is longer than the chunk")
        }
    }

    private enum Operation {
        static let message = 2
        static let bagHeader = 3
        static let chunk = 5
        static let connection = 7
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
