import Bytes
import DepthTypes
import RecordingWriting
import Scenes
import TestSupport
import Testing

@testable import Recordings

@Suite("Bags that are built to need much memory or time")
struct HostileBagTests {
    private static let packed: [@Sendable () throws -> [UInt8]] = [
        { try KnownBag.bag.rosBag(.lz4) }, { try KnownBag.bag.rosBag(.bz2) },
        { try KnownBag.bag.mcap(.lz4) }, { try KnownBag.bag.mcap(.zstd) },
        { try KnownBag.bag.database(isPacked: true) },
        { try SystemLibrary.zstandard(KnownBag.bag.mcap()) },
        { try SystemLibrary.zstandard(KnownBag.bag.mcap(.lz4)) },
    ]

    /// Opens a bag with the smallest limit of unpacked bytes that suffices; `nil` if there is none.
    private static func openedWithLeast(_ bytes: [UInt8]) throws -> (recording: Recording, limit: Int)? {
        var limits = DecodingLimits()
        limits[.unpackedBytes] = 100
        for _ in 0..<100 {
            do {
                return (try openedBag(bytes, limits), limits[.unpackedBytes])
            } catch let error as ContainerError {
                guard
                    case .limitExceeded(.unpackedBytes, limits[.unpackedBytes], let requested) = error.reason
                else { throw error }
                limits[.unpackedBytes] = requested
            }
        }
        return nil
    }

    @Test(
        "Unpacked bytes have a limit in every container, and count once however often they are read",
        .needsSystemLibraries,
        arguments: packed.indices)
    func unpackedBytes(index: Int) throws {
        let (recording, limit) = try #require(try Self.openedWithLeast(Self.packed[index]()))
        // Four frames of 48 bytes of depth and 72 of color at least, and headers; twice in the packed file of packed chunks.
        #expect((480...6000).contains(limit))
        for _ in 0..<3 { try expectKnown(recording) }
    }

    /// A chunk that declares more than a file may unpack to, and is not decompressed: its data are not even LZ4.
    @Test("All chunks are counted by what they declare, before any is decompressed")
    func declared() throws {
        let bytes = try KnownBag.bag.rosBag(.lz4, index: false)
        let size = Array("size=".utf8)
        let places = (0..<bytes.count - 9).filter { Array(bytes[$0..<$0 + 5]) == size }
        #expect(places.count == 2)
        var large = bytes
        large.replaceSubrange(places[1] + 5..<places[1] + 9, with: littleEndian(0x7FFF_FFFF))
        let error = #expect(throws: ContainerError.self) { try openedBag(large) }
        guard case .limitExceeded(.unpackedBytes, 1 << 30, _) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A chunk of records without operation ends at the first of them")
    func emptyRecords() throws {
        // 8 bytes of zeros are a record: a header of 0 bytes and data of 0 bytes.
        var bag = try KnownBag.bag.rosBag(.none, index: false)
        let zeros = [UInt8](repeating: 0, count: 80)
        let fields: [[UInt8]] = [
            Array("op=".utf8) + [5], Array("compression=none".utf8),
            Array("size=".utf8) + littleEndian(80),
        ]
        let header = fields.flatMap { littleEndian($0.count) + $0 }
        bag += littleEndian(header.count) + header + littleEndian(80) + zeros
        let recording = try openedBag(bag)
        #expect(recording.diagnostics.contains { $0.message.contains("no operation") })
        try expectKnown(recording)
    }

    @Test("The names of topics have a limit together", arguments: [BagWriter.Packing.none, .lz4])
    func topicNames(packing: BagWriter.Packing) throws {
        var bag = KnownBag.bag
        for index in 0..<20 {
            let name = "/" + String(repeating: "a", count: 1000) + "\(index)"
            bag.chunks[0].append(RecordedMessage(name, "std_msgs/String", at: 200) { $0.add("hello") })
        }
        let files = [try bag.rosBag(packing), try bag.mcap(packing), try bag.database()]
        var limits = DecodingLimits()
        for bytes in files {
            limits[.nameBytes] = 30_000
            try expectKnown(openedBag(bytes, limits))
            limits[.nameBytes] = 10_000
            let error = #expect(throws: ContainerError.self) { try openedBag(bytes, limits) }
            #expect(error?.message.contains("bytes of names exceed the limit of 10000") == true)
        }
    }

    @Test("The names of frames of coordinates have a limit together")
    func frameNames() throws {
        var bag = KnownBag.bag
        for index in 0..<20 {
            let name = String(repeating: "a", count: 1000) + "\(index)"
            bag.chunks[0].append(.transform("/tf", .identity, of: name, in: "map", time: 100))
        }
        var limits = DecodingLimits()
        limits[.nameBytes] = 30_000
        try expectKnown(openedBag(bag.mcap(), limits))
        limits[.nameBytes] = 10_000
        let error = #expect(throws: ContainerError.self) { try openedBag(bag.mcap(), limits) }
        #expect(error?.message.contains("bytes of names exceed the limit of 10000") == true)
    }

    // MARK: Databases

    private static let topics =
        "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT)"
    private static let messages =
        "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB)"
    private static let schemas: [(String, [String])] = [
        (
            "'messages.data' is a generated column",
            [
                topics,
                "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB AS (zeroblob(100)))",
            ]
        ),
        (
            "'messages.topic_id' is a generated column",
            [
                topics,
                "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER AS (1) STORED, timestamp INTEGER, data BLOB)",
            ]
        ),
        (
            "'topics.name' is a generated column",
            [
                "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT AS (hex(id)), type TEXT, serialization_format TEXT)",
                messages,
            ]
        ),
        (
            "'messages.more' is a generated column",
            [topics, messages, "ALTER TABLE messages ADD COLUMN more AS (length(data))"]
        ),
        (
            "'topics' is a virtual table",
            [messages, "CREATE VIRTUAL TABLE topics USING fts5(id, name, type, serialization_format)"]
        ),
        (
            "'other' is a virtual table",
            [topics, messages, "CREATE VIRTUAL TABLE other USING rtree(id, a, b)"]
        ),
        (
            "'messages' is a view",
            [
                topics, "CREATE TABLE a(id INTEGER PRIMARY KEY)",
                "CREATE VIEW messages AS SELECT id, 1 AS topic_id, 1 AS timestamp, zeroblob(9) AS data FROM a",
            ]
        ),
        (
            "'t' is a trigger",
            [topics, messages, "CREATE TRIGGER t AFTER INSERT ON messages BEGIN DELETE FROM topics; END"]
        ),
    ]

    @Test(
        "Whatever is not a plain table of a database is refused by its name",
        .needsSystemLibraries,
        arguments: schemas.indices)
    func schema(index: Int) throws {
        let (rule, statements) = Self.schemas[index]
        let bytes = try SystemLibrary.database(statements)
        let error = #expect(throws: ContainerError.self) { try openedBag(bytes) }
        #expect(error?.message == "refused: \(rule); only plain tables of a database are read")
    }

    /// Numbers of SQLite have 7 bits in each byte, the most significant first. A row of 20,000 bytes of data has 20,008 in all,
    /// and its data the type 12 + 2 · 20,000. With 100 pages of 4,092 bytes more, it would be 429,200 bytes.
    @Test(
        "Rows that declare more bytes than the file has are damage",
        .needsSystemLibraries)
    func sharedData() throws {
        let topic = "INSERT INTO topics VALUES (1, '/a', 'b', 'cdr')"
        let row = "INSERT INTO messages VALUES (1, 1, 50, zeroblob(20000))"
        var bytes = try SystemLibrary.database([Self.topics, Self.messages, topic, row])
        let intact = #expect(throws: ContainerError.self) { try openedBag(bytes) }
        #expect(intact?.code == "unrecognized")
        let cell: [UInt8] = [0x81, 0x9C, 0x28, 1, 7, 0, 9, 1, 0x82, 0xB8, 0x4C]
        let place = try #require(
            bytes.indices.dropLast(cell.count).first { Array(bytes[$0..<$0 + cell.count]) == cell })
        bytes.replaceSubrange(
            place..<place + cell.count, with: [0x9A, 0x99, 0x18, 1, 7, 0, 9, 1, 0xB4, 0xB2, 0x2C])
        let error = #expect(throws: ContainerError.self) { try openedBag(bytes) }
        #expect(error?.code == "damaged")
    }
}
