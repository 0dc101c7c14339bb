/// Lossless conversion of file names and paths to text.
///
/// Linux allows every byte except 0 and `/` in a file name, but a Swift `String` holds only Unicode. A byte that is not part
/// of valid UTF-8 becomes the private-use character U+10FF00 + byte, as Python's `surrogateescape` does with lone surrogates.
/// The bytes of these characters themselves are treated the same way, so that names and texts correspond one to one.
/// every such text one name.
extension String {
    /// The text of a file name or path. Bytes that are not UTF-8 become U+10FF80…U+10FFFF.
    package init(fileNameBytes bytes: some Collection<UInt8>) {
        // Fast path: most names are ASCII.
        let ascii = bytes.withContiguousStorageIfAvailable { bytes in
            unsafe bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
        }
        if let ascii = ascii ?? nil {
            self = ascii
            return
        }
        if let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: \.isRawByte)
        {
            self = text
            return
        }
        self = ""
        var rest = Array(bytes)[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            if let text = String(validating: rest.prefix(length), as: UTF8.self),
                let scalar = text.unicodeScalars.first, !scalar.isRawByte, text.utf8.count == length
            {
                unicodeScalars.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                unicodeScalars.append(Unicode.Scalar(rawByte: first))
                rest = rest.dropFirst()
            }
        }
    }

    /// The bytes of the file name or path: the inverse of ``init(fileNameBytes:)``.
    package var fileNameBytes: [UInt8] {
        guard unicodeScalars.contains(where: \.isRawByte) else { return Array(utf8) }
        return unicodeScalars.flatMap { scalar in
            scalar.isRawByte ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }

    /// Calls `body` with the bytes of the path and a terminating zero, as system calls need them.
    package func withFileName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard unicodeScalars.contains(where: \.isRawByte) else { return unsafe withCString(body) }
        return unsafe body((fileNameBytes + [0]).map { CChar(bitPattern: $0) })
    }
}

extension Unicode.Scalar {
    /// Whether the character represents a byte of a file name that is not UTF-8.
    package var isRawByte: Bool { (0x10FF80...0x10FFFF).contains(value) }

    fileprivate init(rawByte byte: UInt8) {
        self = Unicode.Scalar(0x10FF00 + UInt32(byte)) ?? "\u{FFFD}"
    }
}
