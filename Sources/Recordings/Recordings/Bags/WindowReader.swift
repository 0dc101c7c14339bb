internal import Bytes

/// Reads records from front to back, with few reads of the source: a window of it is kept in memory, and content that is not
/// parsed is skipped.
struct WindowReader {
    let source: any ByteSource
    /// The offset of the next byte in the source.
    private(set) var offset: Int
    private let end: Int
    private var window: [UInt8] = []
    /// The offset of the window in the source.
    private var start = 0

    private let size: Int

    /// Reads a range of a source, in windows of `size` bytes or more.
    init(_ source: any ByteSource, _ range: Range<Int>, size: Int = 1 << 16) {
        self.source = source
        self.size = size
        (offset, end) = (range.lowerBound, min(range.upperBound, source.byteCount))
    }

    /// The number of bytes not yet passed.
    var remaining: Int { max(0, end - offset) }

    /// The next bytes that are in memory already, up to `count`.
    func buffered(_ count: Int) -> [UInt8] {
        guard offset >= start, offset < start + window.count else { return [] }
        return Array(window[(offset - start)...].prefix(min(count, remaining)))
    }

    /// Continues at an offset of the source.
    mutating func seek(to offset: Int) { self.offset = offset }

    /// Parses the next bytes, and continues behind them. Throws if there are fewer than `count`. The cursor reads the least
    /// significant byte first.
    mutating func parse<Result>(
        _ count: Int, _ body: (inout ByteCursor) throws(ContainerError) -> Result
    ) throws(ContainerError) -> Result {
        guard count >= 0, count <= remaining else {
            throw ContainerError(.truncated(needed: count, available: remaining), at: offset)
        }
        if offset < start || offset + count > start + window.count {
            try source.read(offset..<offset + max(count, min(size, remaining)), into: &window)
            start = offset
        }
        let first = offset - start
        var cursor = ByteCursor(window.span.extracting(first..<first + count), base: offset)
        cursor.byteOrder = .littleEndian
        let result = try body(&cursor)
        offset += count
        return result
    }
}
