import Bytes

/// A file that mutants are made from, and the offsets of its structure.
struct SeedFile {
    let name: String
    let source: any ByteSource
    /// The ranges that a parser read, merged; the complete file if it read nothing.
    private(set) var readRanges: [Range<Int>] = []
    /// Offsets where structures seem to begin: names of boxes, chunks and attributes, JPEG markers, TIFF headers, and
    /// every short read.
    private(set) var landmarks: [Int] = []
    /// Numbers written as text.
    private(set) var numbers: [Range<Int>] = []

    /// Records the reads of `parse`.
    init(_ name: String, _ source: any ByteSource, parse: (any ByteSource) -> Void) throws(ContainerError) {
        self.name = name
        self.source = source
        let recording = RecordingSource(source)
        parse(recording)
        var seen: [Range<Int>] = []
        for range in recording.readRanges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if range.count <= 64 { landmarks.append(range.lowerBound) }
            if let last = seen.last, range.lowerBound <= last.upperBound {
                seen[seen.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                seen.append(range)
            }
        }
        readRanges = seen.isEmpty ? [0..<source.byteCount] : seen
        for range in readRanges { survey(try source.read(range), from: range.lowerBound) }
        if landmarks.isEmpty { landmarks = [0] }
    }

    private mutating func survey(_ bytes: [UInt8], from start: Int) {
        var (lettersSince, textSince, numberSince) = (0, 0, 0)
        var isQuoted = false
        for (index, byte) in bytes.enumerated() {
            let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            let isNumeric = (0x30...0x39).contains(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E
            if !isLetter { lettersSince = index + 1 }
            if !(0x20..<0x7F).contains(byte), byte != 0x0A { textSince = index + 1 }
            if !isNumeric {
                if numberSince < index, isQuoted, !isLetter {
                    numbers.append(start + numberSince..<start + index)
                }
                (numberSince, isQuoted) = (index + 1, "\"'>:=, [(\n".utf8.contains(byte))
            }
            // A name is the first four letters of a run; in text, only the first word can be a name.
            if isLetter, index - lettersSince == 3, index - textSince < 16 {
                landmarks.append(start + index - 3)
            }
            guard index > 0, bytes[index - 1] == 0xFF || bytes[index - 1] == byte else { continue }
            let isMarker =
                bytes[index - 1] == 0xFF && byte >= 0xC0 && byte < 0xFF && !(0xD0...0xD7).contains(byte)
            let isTIFF = byte == 0x49 || byte == 0x4D
            if isMarker || isTIFF { landmarks.append(start + index - 1) }
        }
    }
}
