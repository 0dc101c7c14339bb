package import Bytes

/// The length that a movie's file structure declares. FFmpeg reads what exists, without comparing.
package struct MovieExtent: Sendable {
    /// The declared and the existing bytes; `nil` if the file is complete, or declares nothing.
    package private(set) var cut: String?
    /// The number of frames that an animated PNG declares.
    package private(set) var frames: Int?

    /// Reads the headers of a file's parts. Parts that cannot be read declare nothing.
    package init(of file: any ByteSource) {
        let start = (try? file.readPrefix(at: 0, count: 12)) ?? []
        guard start.count == 12 else { return }
        if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            cut = Self.matroska(file)
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            (cut, frames) = Self.png(file)
        } else if start.starts(with: "GIF8".utf8) {
            cut = Self.gif(file)
        } else if start.starts(with: "RIFF".utf8), start[8...].elementsEqual("AVI ".utf8) {
            cut = Self.avi(file)
        } else {
            cut = Self.boxes(file)
        }
    }

    /// The maximum number of parts that are read. A movie with more is assumed to be complete.
    private static let mostParts = 1_000_000

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(exactly: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }) ?? .max
    }

    private static func missing(_ part: String, _ offset: Int, _ declared: Int, _ left: Int) -> String {
        "\(part) at byte \(offset) declares \(declared) bytes, \(left) follow"
    }

    /// Boxes of MP4 and QuickTime (ISO/IEC 14496-12 §4.2). Stops at a box of an unknown type, because recorders append
    /// proprietary data.
    private static func boxes(_ file: any ByteSource) -> String? {
        let known = [
            "ftyp", "moov", "mdat", "moof", "mfra", "free", "skip", "wide", "sidx", "styp", "uuid", "meta",
            "udta",
            "emsg", "prft", "pdin",
        ]
        var offset = 0
        for _ in 0..<mostParts {
            let left = file.byteCount - offset
            guard left >= 8, let header = try? file.readPrefix(at: offset, count: 16) else { return nil }
            let name = String(decoding: header[4..<8], as: UTF8.self)
            guard known.contains(name) else { return nil }
            var size = number(header[0..<4])
            if size == 1 { size = header.count == 16 ? number(header[8..<16]) : 0 }
            // 0: to the end of the file.
            guard size >= 8 else { return nil }
            guard size <= left else { return missing("box '\(name)'", offset, size, left) }
            offset += size
        }
        return nil
    }

    /// The Segment after Matroska's header (RFC 8794 §5, §6; RFC 9559 §5.1).
    private static func matroska(_ file: any ByteSource) -> String? {
        guard let header = size(at: 4, file), let segment = size(at: header.end + header.size + 4, file),
            (try? file.readPrefix(at: header.end + header.size, count: 4)) == [0x18, 0x53, 0x80, 0x67],
            !segment.isUnknown
        else { return nil }
        let left = file.byteCount - segment.end
        return segment.size > left
            ? missing("the Segment", header.end + header.size, segment.size, left) : nil
    }

    /// A size in EBML: the number of bytes is one more than the leading zeros of the first; all ones if unknown.
    private static func size(at offset: Int, _ file: any ByteSource) -> (
        size: Int, end: Int, isUnknown: Bool
    )? {
        guard offset <= file.byteCount, let bytes = try? file.readPrefix(at: offset, count: 8),
            let first = bytes.first, first != 0, bytes.count > first.leadingZeroBitCount
        else { return nil }
        let count = first.leadingZeroBitCount + 1
        let all = UInt64(1) << (7 * count) - 1
        let value = bytes[..<count].reduce(0 as UInt64) { $0 << 8 | UInt64($1) } & all
        guard let size = Int(exactly: value), size <= file.byteCount || count > 1 else { return nil }
        return (size, offset + count, value == all)
    }

    /// Chunks up to IEND (W3C PNG §5.3), and the number of frames (acTL, §11.3.6.1).
    private static func png(_ file: any ByteSource) -> (String?, Int?) {
        var (offset, frames) = (8, nil as Int?)
        for _ in 0..<mostParts {
            let left = file.byteCount - offset
            guard left >= 12, let header = try? file.readPrefix(at: offset, count: 12) else {
                return ("there is no IEND chunk", frames)
            }
            let name = String(decoding: header[4..<8], as: UTF8.self)
            let size = number(header[0..<4])
            if name == "acTL" { frames = number(header[8..<12]) }
            guard size <= left - 12 else {
                return (missing("chunk '\(name)'", offset, size + 12, left), frames)
            }
            if name == "IEND" { return (nil, frames) }
            offset += size + 12
        }
        return (nil, frames)
    }

    /// RIFF chunks of AVI. An interrupted recording has a size of 0.
    private static func avi(_ file: any ByteSource) -> String? {
        var offset = 0
        for _ in 0..<mostParts {
            guard let header = try? file.readPrefix(at: offset, count: 8), header.count == 8,
                header.starts(with: "RIFF".utf8)
            else { return nil }
            let (size, left) = (number(ArraySlice(header[4..<8].reversed())), file.byteCount - offset - 8)
            guard size > 0, size != 0xFFFF_FFFF else { return nil }
            guard size <= left else { return missing("RIFF chunk", offset, size, left) }
            offset += 8 + size + size % 2
        }
        return nil
    }

    /// Blocks up to the trailer (GIF89a §27).
    private static func gif(_ file: any ByteSource) -> String? {
        var bytes = Bytes(file: file)
        guard let flags = bytes[10] else { return "there is no trailer" }
        bytes.offset = 13 + colors(flags)
        while let kind = bytes.next() {
            switch kind {
            case 0x3B: return nil
            case 0x21: bytes.offset += 1
            case 0x2C:
                guard let flags = bytes[bytes.offset + 8] else { return "there is no trailer" }
                // Plus the byte with the code size.
                bytes.offset += 9 + colors(flags) + 1
            default: return "there is no trailer (0x3B), but \(kind) at byte \(bytes.offset - 1)"
            }
            while let count = bytes.next(), count > 0 { bytes.offset += Int(count) }
        }
        return "there is no trailer (0x3B) at the end"
    }

    /// Bytes of a color table.
    private static func colors(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// Single bytes of a file, read through a buffer.
    private struct Bytes {
        let file: any ByteSource
        var offset = 0
        private var piece: [UInt8] = []
        private var first = 0

        init(file: any ByteSource) { self.file = file }

        subscript(index: Int) -> UInt8? {
            mutating get {
                if !(first..<first + piece.count).contains(index) {
                    guard index < file.byteCount else { return nil }
                    (first, piece) = (index, (try? file.readPrefix(at: index, count: 1 << 16)) ?? [])
                }
                return piece.isEmpty ? nil : piece[index - first]
            }
        }

        mutating func next() -> UInt8? {
            offset += 1
            return self[offset - 1]
        }
    }
}
