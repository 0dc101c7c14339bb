internal import Foundation
internal import Glibc
internal import TestSupport
package import Testing

extension Trait where Self == ConditionTrait {
    /// The libraries that bags are written with.
    package static var needsSystemLibraries: Self {
        .enabled(if: SystemLibrary.areAvailable, "libzstd, libbz2 or SQLite is missing")
    }
}

/// Functions of libraries that the system may have, for writing what the readers load the same libraries for.
package enum SystemLibrary {
    /// The error for a function that is missing or fails.
    struct Failure: Error {
        var name: String
    }

    /// Whether all of them are there.
    package static var areAvailable: Bool {
        let files: [String] = ["libzstd.so.1", "libbz2.so.1.0", "libsqlite3.so.0"]
        return files.allSatisfy { unsafe dlopen($0, RTLD_NOW) != nil }
    }

    private static func function<Function>(
        _ name: String, of library: String, as type: Function.Type
    ) throws -> Function {
        guard let handle = unsafe dlopen(library, RTLD_NOW), let symbol = unsafe dlsym(handle, name) else {
            throw Failure(name: name)
        }
        // SAFETY: the type is the one in the library's header.
        return unsafe unsafeBitCast(symbol, to: type)
    }

    private typealias Bytes = UnsafePointer<UInt8>
    private typealias MutableBytes = UnsafeMutablePointer<UInt8>

    /// Bytes as a Zstandard frame.
    package static func zstandard(_ bytes: [UInt8]) throws -> [UInt8] {
        let compress = try unsafe function(
            "ZSTD_compress", of: "libzstd.so.1",
            as: (@convention(c) (MutableBytes, Int, Bytes, Int, Int32) -> Int).self)
        var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 8 + 1024)
        let count = unsafe compress(&output, output.count, bytes, bytes.count, 3)
        guard count > 0, count <= output.count else { throw Failure(name: "ZSTD_compress") }
        return Array(output[..<count])
    }

    static func bzip2(_ bytes: [UInt8]) throws -> [UInt8] {
        let compress = try unsafe function(
            "BZ2_bzBuffToBuffCompress", of: "libbz2.so.1.0",
            as: (@convention(c) (
                MutableBytes, UnsafeMutablePointer<UInt32>, Bytes, UInt32, Int32, Int32, Int32
            )
                -> Int32).self)
        var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 64 + 1024)
        var count = UInt32(output.count)
        guard unsafe compress(&output, &count, bytes, UInt32(bytes.count), 9, 0, 0) == 0 else {
            throw Failure(name: "BZ2_bzBuffToBuffCompress")
        }
        return Array(output[..<Int(count)])
    }

    /// A row of the table of messages.
    struct Row {
        var topic: Int
        var time: Int
        var data: [UInt8]
    }

    /// A database as rosbag2 creates it.
    static func database(_ topics: [(name: String, type: String)], _ rows: [Row]) throws -> [UInt8] {
        var statements = [
            "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL)",
            "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL)",
            "CREATE INDEX timestamp_idx ON messages (timestamp ASC)",
        ]
        for (index, topic) in topics.enumerated() {
            statements.append(
                "INSERT INTO topics VALUES (\(index + 1), '\(topic.name)', '\(topic.type)', 'cdr', '')")
        }
        for row in rows {
            let data = row.data.map { String(format: "%02x", $0) }.joined()
            statements.append(
                "INSERT INTO messages(topic_id, timestamp, data) VALUES (\(row.topic + 1), \(row.time), x'\(data)')"
            )
        }
        return try database(statements)
    }

    /// The database that statements of SQL create.
    package static func database(_ statements: [String]) throws -> [UInt8] {
        let folder = TemporaryFolder()
        let path = folder.file("a.db3")
        try execute(statements.joined(separator: ";\n"), path)
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func execute(_ statements: String, _ path: String) throws {
        let library = "libsqlite3.so.0"
        typealias Text = UnsafePointer<CChar>
        let open = try unsafe function(
            "sqlite3_open", of: library,
            as: (@convention(c) (Text, UnsafeMutablePointer<OpaquePointer?>) -> Int32).self)
        let execute = try unsafe function(
            "sqlite3_exec", of: library,
            as: (@convention(c) (OpaquePointer?, Text, OpaquePointer?, OpaquePointer?, OpaquePointer?) ->
                Int32)
                .self)
        let close = try unsafe function(
            "sqlite3_close", of: library, as: (@convention(c) (OpaquePointer?) -> Int32).self)
        var database: OpaquePointer?
        let opened = unsafe open(path, &database)
        let code =
            opened == 0
            ? unsafe execute(database, "BEGIN;\n" + statements + ";\nCOMMIT", nil, nil, nil) : opened
        guard unsafe close(database) == 0, code == 0 else { throw Failure(name: "sqlite3_exec") }
    }
}
