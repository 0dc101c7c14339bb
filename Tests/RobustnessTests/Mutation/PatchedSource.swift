import Bytes

/// A file with changes, made of pieces of files and new bytes. Files are not copied until they are read.
struct PatchedSource: ByteSource {
    private enum Piece {
        case kept(any ByteSource, Range<Int>)
        case new([UInt8])

        var count: Int {
            switch self {
            case .kept(_, let range): range.count
            case .new(let bytes): bytes.count
            }
        }

        /// A part, relative to the piece's first byte.
        func part(_ range: Range<Int>) -> Piece {
            switch self {
            case .kept(let source, let kept):
                .kept(source, kept.lowerBound + range.lowerBound..<kept.lowerBound + range.upperBound)
            case .new(let bytes): .new(Array(bytes[range]))
            }
        }
    }

    private var pieces: [Piece]
    private(set) var byteCount: Int

    /// A file without changes.
    init(_ source: any ByteSource) {
        self.init([.kept(source, 0..<source.byteCount)])
    }

    /// New bytes.
    init(_ bytes: [UInt8]) {
        self.init([.new(bytes)])
    }

    private init(_ pieces: [Piece]) {
        self.pieces = pieces.filter { $0.count > 0 }
        byteCount = pieces.reduce(0) { $0 + $1.count }
    }

    /// A part as a separate file.
    func part(_ range: Range<Int>) -> PatchedSource {
        var parts: [Piece] = []
        var start = 0
        for piece in pieces {
            let wanted = range.clamped(to: start..<start + piece.count)
            if !wanted.isEmpty {
                parts.append(piece.part(wanted.lowerBound - start..<wanted.upperBound - start))
            }
            start += piece.count
        }
        return PatchedSource(parts)
    }

    /// Replaces a range by other bytes of any count.
    mutating func replace(_ range: Range<Int>, with other: PatchedSource) {
        self = PatchedSource(
            part(0..<range.lowerBound).pieces + other.pieces + part(range.upperBound..<byteCount).pieces)
    }

    func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        try check(range)
        var bytes: [UInt8] = []
        for piece in part(range).pieces {
            switch piece {
            case .kept(let source, let kept): bytes += try source.read(kept)
            case .new(let new): bytes += new
            }
        }
        return bytes
    }

    /// All bytes.
    func contents() throws(ContainerError) -> [UInt8] { try read(0..<byteCount) }
}
