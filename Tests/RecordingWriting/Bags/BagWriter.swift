internal import Codecs
internal import Synchronization
internal import TestSupport

/// Writes messages as a bag of ROS 1, as MCAP, or as a database of rosbag2, without using the readers. Compression and SQLite
/// are those of the system's libraries.
package struct BagWriter: Sendable {
    /// The compression of chunks.
    package enum Packing: String, CaseIterable, Sendable {
        case none
        /// An LZ4 frame of uncompressed blocks, which the LZ4 format allows, and which are simple to write.
        case lz4
        case bz2
        case zstd

        package static let ofROS1: [Packing] = [.none, .lz4, .bz2]
        package static let ofMCAP: [Packing] = [.none, .lz4, .zstd]

        func packed(_ bytes: [UInt8]) throws -> [UInt8] {
            switch self {
            case .none: bytes
            // Independent blocks of up to 4 MB, no checksums: the third byte is the checksum of the descriptor.
            case .lz4:
                [0x04, 0x22, 0x4D, 0x18, 0x60, 0x70, 0x73] + littleEndian(bytes.count | 1 << 31) + bytes
                    + littleEndian(0)
            case .bz2: try SystemLibrary.bzip2(bytes)
            case .zstd: try SystemLibrary.zstandard(bytes)
            }
        }
    }

    /// The messages of each chunk.
    package var chunks: [[RecordedMessage]]

    /// A bag with all messages in one chunk.
    package init(_ messages: [RecordedMessage] = []) { chunks = [messages] }

    /// Adds a message to the last chunk.
    package mutating func add(_ message: RecordedMessage) { chunks[chunks.count - 1].append(message) }

    /// The topics with their types, in the order of their first messages.
    private var topics: [(name: String, type: String)] {
        var topics: [(name: String, type: String)] = []
        for message in chunks.joined() where !topics.contains(where: { $0.name == message.topic }) {
            topics.append((message.topic, message.type))
        }
        return topics
    }

    private static func text(_ text: String) -> [UInt8] { littleEndian(text.utf8.count) + Array(text.utf8) }

    private static func nanoseconds(_ time: Double) -> Int {
        let seconds = time.rounded(.down)
        return Int(seconds) * 1_000_000_000 + Int(((time - seconds) * 1e9).rounded())
    }

    // MARK: ROS 1

    private static func fields(_ fields: [(String, [UInt8])]) -> [UInt8] {
        fields.flatMap { name, value in
            littleEndian(name.utf8.count + 1 + value.count) + Array("\(name)=".utf8) + value
        }
    }

    private static func record(_ header: [(String, [UInt8])], _ data: [UInt8]) -> [UInt8] {
        let header = fields(header)
        return littleEndian(header.count) + header + littleEndian(data.count) + data
    }

    private func connection(_ number: Int) -> [UInt8] {
        let topic = topics[number]
        return Self.record(
            [("op", [7]), ("conn", littleEndian(number)), ("topic", Array(topic.name.utf8))],
            Self.fields([("topic", Array(topic.name.utf8)), ("type", Array(topic.type.utf8))]))
    }

    /// A bag of ROS 1. The first chunk with a topic holds its connection.
    package func rosBag(
        _ packing: Packing = .none, index: Bool = true, connectionCount: Int? = nil, indexOffset: Int? = nil
    ) throws -> [UInt8] {
        var file = Array("#ROSBAG V2.0\n".utf8)
        var header: [(String, [UInt8])] = [("op", [3]), ("chunk_count", littleEndian(chunks.count))]
        if let connectionCount { header.append(("conn_count", littleEndian(connectionCount))) }
        if let indexOffset { header.append(("index_pos", littleEndian(indexOffset, 8))) }
        file += Self.record(header, [UInt8](repeating: 0x20, count: 64))
        var known: Set<Int> = []
        for messages in chunks {
            var chunk: [UInt8] = []
            for message in messages {
                guard let number = topics.firstIndex(where: { $0.name == message.topic }) else { continue }
                if known.insert(number).inserted { chunk += connection(number) }
                let time = Self.nanoseconds(message.time)
                chunk += Self.record(
                    [
                        ("op", [2]), ("conn", littleEndian(number)),
                        ("time", littleEndian(time / 1_000_000_000) + littleEndian(time % 1_000_000_000)),
                    ], message.bytes(.ros1))
            }
            file += Self.record(
                [
                    ("op", [5]), ("compression", Array(packing.rawValue.utf8)),
                    ("size", littleEndian(chunk.count)),
                ], try packing.packed(chunk))
        }
        if index { for number in topics.indices { file += connection(number) } }
        return file
    }

    // MARK: MCAP

    private static func mcapRecord(_ code: UInt8, _ content: [UInt8]) -> [UInt8] {
        [code] + littleEndian(content.count, 8) + content
    }

    /// An MCAP file. Without `isChunked`, messages are in the file itself; with `hasDataChecksum`, they have a checksum in any
    /// case.
    package func mcap(
        _ packing: Packing = .none, isChunked: Bool = true, isBigEndian: Bool = false,
        encoding: String = "cdr", isComplete: Bool = true, hasChecksums: Bool = true,
        hasDataChecksum: Bool = false
    ) throws -> [UInt8] {
        let mark: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
        var file = mark + Self.mcapRecord(1, Self.text("ros2") + Self.text("test"))
        var known: Set<Int> = []
        for messages in chunks {
            var chunk: [UInt8] = []
            for message in messages {
                guard let number = topics.firstIndex(where: { $0.name == message.topic }) else { continue }
                if known.insert(number).inserted { chunk += channel(number, encoding) }
                let time = littleEndian(Self.nanoseconds(message.time), 8)
                let data = message.bytes(encoding == "ros1" ? .ros1 : .cdr(isBigEndian: isBigEndian))
                chunk += Self.mcapRecord(
                    5, littleEndian(number, 2) + littleEndian(0) + time + time + data)
            }
            guard isChunked else {
                file += chunk
                continue
            }
            let packed = try packing.packed(chunk)
            let head = [UInt8](repeating: 0, count: 16) + littleEndian(chunk.count, 8)
            let sum = hasChecksums ? Int(checksum(chunk)) : 0
            file += Self.mcapRecord(
                6,
                head + littleEndian(sum) + Self.text(packing == .none ? "" : packing.rawValue)
                    + littleEndian(packed.count, 8) + packed)
        }
        guard isComplete else { return file }
        file += Self.mcapRecord(15, littleEndian(hasDataChecksum ? Int(checksum(file)) : 0))
        let summary = littleEndian(file.count, 8)
        for number in topics.indices { file += channel(number, encoding) }
        // The numbers of messages, schemas, channels, attachments, metadata and chunks, two times, and a map.
        file += Self.mcapRecord(
            11,
            littleEndian(chunks.joined().count, 8) + littleEndian(topics.count, 2)
                + littleEndian(topics.count) + littleEndian(0) + littleEndian(0) + littleEndian(chunks.count)
                + [UInt8](repeating: 0, count: 20))
        return file + Self.mcapRecord(2, summary + [UInt8](repeating: 0, count: 12)) + mark
    }

    /// The schema and the channel of a topic.
    private func channel(_ number: Int, _ encoding: String) -> [UInt8] {
        let topic = topics[number]
        let schema = littleEndian(number + 1, 2)
        return Self.mcapRecord(
            3, schema + Self.text(Self.ros2Type(topic.type)) + Self.text("ros2msg") + littleEndian(0))
            + Self.mcapRecord(
                4,
                littleEndian(number, 2) + schema + Self.text(topic.name) + Self.text(encoding)
                    + littleEndian(0))
    }

    private static func ros2Type(_ type: String) -> String {
        type.split(separator: "/").joined(separator: "/msg/")
    }

    // MARK: rosbag2

    /// A database of rosbag2. With `isPacked`, each message is a Zstandard frame.
    package func database(isPacked: Bool = false) throws -> [UInt8] {
        let rows = try chunks.joined().map { message in
            let data = message.bytes(.cdr(isBigEndian: false))
            return SystemLibrary.Row(
                topic: topics.firstIndex { $0.name == message.topic } ?? 0,
                time: Self.nanoseconds(message.time),
                data: isPacked ? try Packing.zstd.packed(data) : data)
        }
        return try SystemLibrary.database(topics.map { ($0.name, Self.ros2Type($0.type)) }, rows)
    }
}
