/// A document with placeholders for values, written `{{name}}`.
struct PageTemplate: Sendable {
    private enum Piece: Sendable {
        case text([UInt8])
        case value(String)
    }

    private let pieces: [Piece]

    /// Finds the placeholders. A name ends at the next `}}`.
    init(_ document: [UInt8]) {
        var pieces: [Piece] = []
        var (start, place) = (0, 0)
        func isPair(_ byte: Unicode.Scalar, at place: Int) -> Bool {
            place + 1 < document.count && document[place] == UInt8(ascii: byte)
                && document[place + 1] == UInt8(ascii: byte)
        }
        while place < document.count {
            guard isPair("{", at: place) else {
                place += 1
                continue
            }
            var end = place + 2
            while end < document.count, !isPair("}", at: end) { end += 1 }
            pieces.append(.text(Array(document[start..<place])))
            pieces.append(.value(String(decoding: document[place + 2..<end], as: UTF8.self)))
            place = min(end + 2, document.count)
            start = place
        }
        pieces.append(.text(Array(document[start...])))
        self.pieces = pieces
    }

    /// The names of all placeholders, in order.
    var names: [String] {
        pieces.compactMap { if case .value(let name) = $0 { name } else { nil } }
    }

    /// The document with values inserted; a placeholder without a value becomes empty.
    func filled(with values: [String: [UInt8]]) -> [UInt8] {
        var document: [UInt8] = []
        document.reserveCapacity(values.values.reduce(1 << 16) { $0 + $1.count })
        for piece in pieces {
            switch piece {
            case .text(let text): document += text
            case .value(let name): document += values[name] ?? []
            }
        }
        return document
    }
}
