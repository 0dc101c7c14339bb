package import Bytes

/// The lines of a text file, read in blocks, so that memory does not grow with the file.
package struct TextLines {
    /// A line that is neither blank nor a comment (`#`), without its end.
    package struct Line {
        /// Its number in the file, from 1.
        package var number: Int
        /// Its offset in the file.
        package var offset: Int
        package var bytes: ArraySlice<UInt8>
    }

    private let source: any ByteSource
    private let limits: DecodingLimits
    private let path: StructurePath
    private var part: [UInt8] = []
    /// The index of the next byte in ``part``.
    private var place = 0
    /// The offset of ``part`` in the file.
    private var base = 0
    private var number = 0
    private var count = 0

    /// Lists do not have longer lines.
    private static let longestLine = 1 << 16

    /// The lines of `source`, at most `limits[.frames]` of them.
    package init(_ source: any ByteSource, limits: DecodingLimits, path: StructurePath = StructurePath()) {
        self.source = source
        self.limits = limits
        self.path = path
    }

    /// The next line; `nil` at the end. Throws for a line of more than 65,536 bytes.
    package mutating func next() throws(ContainerError) -> Line? {
        while true {
            guard let end = try endOfLine() else { return nil }
            let line = part[place..<end]
            let offset = base + place
            place = min(end + 1, part.count)
            number += 1
            let first = line.first { !Self.isSpace($0) }
            guard let first, first != UInt8(ascii: "#") else { continue }
            count += 1
            try limits.check(.frames, count, at: offset, in: path)
            return Line(number: number, offset: offset, bytes: line)
        }
    }

    /// The index behind the current line; `nil` at the end of the file.
    private mutating func endOfLine() throws(ContainerError) -> Int? {
        var searched = place
        while true {
            if let end = part[searched...].firstIndex(of: 0x0A) { return end }
            searched = part.count
            let left = source.byteCount - base - part.count
            guard left > 0 else { return place < part.count ? part.count : nil }
            guard part.count - place <= Self.longestLine else {
                throw ContainerError(
                    .malformed(rule: "line of a list is longer than \(Self.longestLine) bytes"),
                    at: base + place, in: path)
            }
            base += place
            searched -= place
            part.removeFirst(place)
            place = 0
            part += try source.readPrefix(at: base + part.count, count: 1 << 16)
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

extension TextLines.Line {
    /// The words between spaces and commas.
    package var words: [ArraySlice<UInt8>] {
        bytes.split { TextLines.isSpace($0) || $0 == UInt8(ascii: ",") }
    }

    /// The fields between commas, without surrounding spaces; a field may be empty.
    package var fields: [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { field in
            var field = field
            while let byte = field.first, TextLines.isSpace(byte) { field.removeFirst() }
            while let byte = field.last, TextLines.isSpace(byte) { field.removeLast() }
            return field
        }
    }

    /// The numbers between spaces and commas; `nil` if a word is not a finite number.
    package var numbers: [Double]? {
        var numbers: [Double] = []
        for word in words {
            guard let number = Double(word: word) else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}

extension ArraySlice<UInt8> {
    /// Whether a word is a number that is not finite, as C and Python write it.
    var isNotFinite: Bool {
        let letters = String(decoding: self, as: UTF8.self).lowercased().drop { "+-".contains($0) }
        return ["nan", "inf", "infinity"].contains(letters)
    }
}

extension Double {
    /// The finite number of a word.
    init?(word: ArraySlice<UInt8>) {
        // Excludes hexadecimal numbers, which Swift would read.
        guard !word.isEmpty, word.count <= 64, word.allSatisfy({ "+-.0123456789Ee".utf8.contains($0) }),
            let value = Double(String(decoding: word, as: UTF8.self)), value.isFinite
        else { return nil }
        self = value
    }
}
