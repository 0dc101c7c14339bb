internal import Bytes
internal import CInflateShims
internal import Codecs
internal import Synchronization

/// A SQLite database of rosbag2 (`.db3`): a table `topics` with an id, a name, a type and a format, and a table `messages`
/// with an id, a topic's id, a time in nanoseconds, and the data.
///
/// SQLite reads it through a ``ByteSource`` and never opens a file, so there is no journal and no lock, and all limits apply.
/// A write-ahead log beside the file is ignored. Only plain tables are read: views, triggers, virtual tables and generated
/// columns are programs of the file, and a database that has any of them is refused. SQLite's work is bounded by the
/// size of the file.
@safe final class MessageDatabase: @unchecked Sendable {
    /// The first bytes of a database.
    static let mark = Array("SQLite format 3\0".utf8)

    private let database: OpaquePointer
    private let bytes: DatabaseBytes
    private let limits: DecodingLimits
    /// SQLite is used by one thread at a time.
    private let lock = Mutex(())

    /// Opens a database. Throws if it is damaged, or if SQLite cannot be loaded.
    init(_ source: any ByteSource, _ limits: DecodingLimits) throws(ContainerError) {
        self.limits = limits
        bytes = DatabaseBytes(source)
        var code: Int32 = 0
        let access = unsafe isobath_bytes(
            context: Unmanaged.passUnretained(bytes).toOpaque(), read: { unsafe readBytes($0, $1, $2, $3) },
            count: Int64(source.byteCount))
        // SAFETY: `bytes` lives as long as the database.
        let opened = unsafe isobath_database_open(
            access, Int32(clamping: limits[.codedBytes]), Self.steps(ofBytes: source.byteCount), &code)
        guard let opened = unsafe opened else {
            if code == ISOBATH_UNPACKER_MISSING { throw CodecLibrary.sqlite.error() }
            throw bytes.failure ?? Self.damaged
        }
        unsafe database = opened
    }

    deinit { unsafe isobath_database_close(database) }

    /// How many steps SQLite's virtual machine may take for a file. A row has at least 8 bytes, and takes about 12 steps.
    private static func steps(ofBytes count: Int) -> Int64 {
        1_000_000 + (count < .max / 16 ? 16 * Int64(count) : .max / 2)
    }

    /// Throws if the database has anything else than plain tables and indices.
    private func checkTables() throws(ContainerError) {
        try forEachRow("SELECT type, name, sql FROM sqlite_master") { (row) throws(ContainerError) in
            let (type, name, definition) = (row.text(0), row.text(1), row.text(2))
            switch type {
            case "index": break
            case "table" where definition.lowercased().hasPrefix("create table"): break
            case "table": throw Self.refused(name, "virtual table")
            default: throw Self.refused(name, type)
            }
        }
        for table in ["topics", "messages"] {
            try forEachRow("PRAGMA table_xinfo(\(table))") { (row) throws(ContainerError) in
                guard row.integer(6) == 0 else {
                    throw Self.refused("\(table).\(row.text(1))", "generated column")
                }
            }
        }
    }

    private static func refused(_ name: String, _ kind: String) -> ContainerError {
        ContainerError(
            .malformed(
                rule: "refused: '\(name.prefix(100))' is a \(kind.prefix(100)); "
                    + "only plain tables of a database are read"))
    }

    /// Lists all topics and messages, in the order of recording.
    func read(into contents: inout BagContents) throws(ContainerError) {
        try checkTables()
        var topics: [Int64: Int] = [:]
        try forEachRow("SELECT id, name, type, serialization_format FROM topics") {
            (row) throws(ContainerError) in
            topics[row.integer(0)] = try contents.topic(
                named: row.text(1), type: row.text(2), encoding: row.text(3))
        }
        // The rowid of this table is its id.
        let query = """
            SELECT rowid, topic_id, timestamp, CASE typeof(data) WHEN 'blob' THEN length(data) ELSE -1 END
            FROM messages ORDER BY rowid
            """
        var total = 0
        try forEachRow(query) { (row) throws(ContainerError) in
            let (id, size) = (row.integer(0), Int(row.integer(3)))
            // Rows do not share bytes, and a row takes some: damage must not repeat rows or their data endlessly.
            total += max(size, 0) + 1
            guard total <= bytes.source.byteCount else { throw Self.damaged }
            guard let topic = topics[row.integer(1)], size >= 0 else { return }
            try contents.take(topic, at: Double(row.integer(2)) / 1e9) {
                let source = RowSource(self, row: id, byteCount: size)
                return BagMessage(
                    topic: topic, time: Double(row.integer(2)) / 1e9, source: source, range: 0..<size,
                    store: .row(source))
            }
        }
    }

    /// Copies bytes of a message's data.
    fileprivate func read(
        _ range: Range<Int>, ofRow row: Int64, into output: inout [UInt8]
    ) throws(ContainerError) {
        guard let start = Int32(exactly: range.lowerBound), let count = Int32(exactly: range.count) else {
            throw ContainerError(.arithmeticOverflow)
        }
        if output.count != range.count { output = [UInt8](repeating: 0, count: range.count) }
        guard count > 0 else { return }
        let code = lock.withLock { _ in
            unsafe output.withUnsafeMutableBufferPointer { output in
                // SAFETY: the buffer has `count` bytes.
                unsafe output.baseAddress.map {
                    unsafe isobath_database_read(database, row, $0, count, start)
                } ?? -1
            }
        }
        guard code == 0 else { throw failure }
    }

    /// Why SQLite failed.
    private var failure: ContainerError {
        if let failure = bytes.failure { return failure }
        guard unsafe isobath_database_is_exhausted(database) != 0 else { return Self.damaged }
        return ContainerError(
            .malformed(
                rule:
                    "refused: SQLite needs more than \(Self.steps(ofBytes: bytes.source.byteCount)) steps for "
                    + "\(bytes.source.byteCount) bytes"))
    }

    /// A row of a query.
    @safe private struct Row {
        fileprivate let rows: OpaquePointer

        func integer(_ column: Int32) -> Int64 { unsafe isobath_rows_integer(rows, column) }

        /// A text; empty if there is none.
        func text(_ column: Int32) -> String {
            var count = 0
            guard let text = unsafe isobath_rows_text(rows, column, &count) else { return "" }
            return unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
        }
    }

    private func forEachRow(
        _ query: String, _ body: (Row) throws(ContainerError) -> Void
    ) throws(ContainerError) {
        guard let rows = unsafe isobath_rows_open(database, query) else {
            let failure = failure
            throw failure != Self.damaged
                ? failure
                : ContainerError(
                    .unrecognized(
                        detail: "this SQLite database is not a ROS 2 bag: it has no topics and messages"))
        }
        defer { unsafe isobath_rows_close(rows) }
        while true {
            switch unsafe isobath_rows_next(rows) {
            case 0: return
            case 1: try body(unsafe Row(rows: rows))
            default: throw failure
            }
        }
    }

    private static let damaged = ContainerError(.damaged(detail: "SQLite cannot read the database"))
}

/// The bytes of a message in a database.
final class RowSource: ByteSource {
    private let database: MessageDatabase
    private let row: Int64
    let byteCount: Int

    init(_ database: MessageDatabase, row: Int64, byteCount: Int) {
        (self.database, self.row, self.byteCount) = (database, row, byteCount)
    }

    func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        var bytes: [UInt8] = []
        try read(range, into: &bytes)
        return bytes
    }

    func read(_ range: Range<Int>, into bytes: inout [UInt8]) throws(ContainerError) {
        try check(range)
        try database.read(range, ofRow: row, into: &bytes)
    }
}

/// The source of a database, and the first error of reading it.
private final class DatabaseBytes: Sendable {
    let source: any ByteSource
    private let firstFailure = Mutex<ContainerError?>(nil)

    init(_ source: any ByteSource) { self.source = source }

    var failure: ContainerError? { firstFailure.withLock(\.self) }

    /// Copies bytes for SQLite; returns whether that succeeded.
    func read(_ range: Range<Int>, to output: UnsafeMutableRawPointer) -> Bool {
        do throws(ContainerError) {
            let bytes = try source.read(range)
            unsafe bytes.withUnsafeBytes {
                // SAFETY: SQLite's buffer has the size of the range.
                if let from = $0.baseAddress { unsafe output.copyMemory(from: from, byteCount: range.count) }
            }
            return true
        } catch {
            firstFailure.withLock { $0 = $0 ?? error }
            return false
        }
    }
}

/// SQLite's callback: the context is a ``DatabaseBytes``.
private func readBytes(
    _ context: UnsafeMutableRawPointer?, _ output: UnsafeMutablePointer<UInt8>?, _ count: Int32,
    _ offset: Int64
) -> Int32 {
    guard let context = unsafe context, let output = unsafe output, count >= 0, offset >= 0 else { return -1 }
    let bytes = unsafe Unmanaged<DatabaseBytes>.fromOpaque(context).takeUnretainedValue()
    let start = Int(offset)
    return unsafe bytes.read(start..<start + Int(count), to: UnsafeMutableRawPointer(output)) ? 0 : -1
}
