internal import Bytes

/// Single bytes of a source, read through a window, so that scanning needs a few reads instead of one for each byte.
struct WindowedBytes {
    let source: any ByteSource
    private var window: [UInt8]
    private var start: Int
    private let size: Int

    /// Starts with bytes that have been read already.
    init(_ source: any ByteSource, window: [UInt8] = [], at start: Int = 0, size: Int = 1 << 14) {
        (self.source, self.window, self.start, self.size) = (source, window, start, size)
    }

    /// The byte at an offset of the file.
    mutating func byte(at place: Int) throws(ContainerError) -> UInt8 {
        if place < start || place >= start + window.count { try move(to: place) }
        return window[place - start]
    }

    /// The big-endian number of two bytes at an offset.
    mutating func uint16(at place: Int) throws(ContainerError) -> Int {
        Int(try byte(at: place)) << 8 | Int(try byte(at: place + 1))
    }

    /// Whether a segment starts with these bytes.
    mutating func matches(_ wanted: [UInt8], in range: Range<Int>) throws(ContainerError) -> Bool {
        guard range.count >= wanted.count else { return false }
        for (index, code) in wanted.enumerated() where try byte(at: range.lowerBound + index) != code {
            return false
        }
        return true
    }

    /// A copy of the bytes of a range, from the window if it contains them.
    func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        if range.lowerBound >= start, range.upperBound <= start + window.count {
            return Array(window[range.lowerBound - start..<range.upperBound - start])
        }
        return try source.read(range)
    }

    /// The offset of the first FF in the window at or after `place`. If there is no FF, the offset after the window, or
    /// `place` if that is outside the window.
    func indexOfMark(from place: Int) -> Int {
        guard place >= start, place < start + window.count else { return place }
        return start + (window.span.firstIndex(of: 0xFF, from: place - start) ?? window.count)
    }

    /// Moves the window so that it starts at an offset.
    mutating func move(to place: Int) throws(ContainerError) {
        let bytes = try source.readPrefix(at: place, count: size)
        guard !bytes.isEmpty, place >= 0 else {
            throw ContainerError(
                .truncated(needed: 1, available: 0), at: source.byteCount, in: StructurePath("JPEG"))
        }
        (window, start) = (bytes, place)
    }
}
