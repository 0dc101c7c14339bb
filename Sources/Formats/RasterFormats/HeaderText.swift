internal import Bytes

/// Whether a byte separates the tokens of a text header: blank, tab, line end.
func isHeaderSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
}

/// The tokens of a short text header before binary samples (PFM, PGM).
///
/// Reads only the first 1,024 bytes of a file; a longer header is refused.
struct HeaderText {
    private let bytes: [UInt8]
    private let path: StructurePath
    /// The offset of the next byte in the file.
    private(set) var offset = 0

    static let maximumByteCount = 1024

    init(_ source: any ByteSource, path: StructurePath) throws(ContainerError) {
        bytes = try source.readPrefix(at: 0, count: Self.maximumByteCount)
        self.path = path
    }

    /// An error at the next byte.
    func malformed(_ rule: String) -> ContainerError {
        ContainerError(.malformed(rule: rule), at: offset, in: path)
    }

    /// Reads one token and the single white space after it. White space and comments before it are skipped.
    mutating func word() throws(ContainerError) -> String {
        skipSpaceAndComments()
        let start = offset
        while let byte = next, !isHeaderSpace(byte), byte != UInt8(ascii: "#") { offset += 1 }
        let word = String(decoding: bytes[start..<offset], as: UTF8.self)
        guard next != nil else {
            throw bytes.count < Self.maximumByteCount
                ? ContainerError(.truncated(needed: 1, available: 0), at: offset, in: path)
                : malformed("header is longer than \(Self.maximumByteCount) bytes")
        }
        offset += 1
        return word
    }

    /// Reads an integer, digits only.
    mutating func number() throws(ContainerError) -> Int {
        let start = offset
        let word = try word()
        guard !word.isEmpty, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw ContainerError(
                .malformed(rule: "'\(word.prefix(100))' in the header is not a whole number"), at: start,
                in: path)
        }
        guard let number = Int(word) else { throw ContainerError(.arithmeticOverflow, at: start, in: path) }
        return number
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpaceAndComments() {
        while let byte = next {
            if byte == UInt8(ascii: "#") {
                while let byte = next, byte != 0x0A { offset += 1 }
            } else if isHeaderSpace(byte) {
                offset += 1
            } else {
                return
            }
        }
    }
}
