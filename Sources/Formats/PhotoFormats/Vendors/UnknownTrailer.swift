internal import Bytes

/// Bytes at the end of a JPEG file that no reader recognizes: listed by their first bytes, never dropped.
///
/// Only the file's last 4 KiB are read. A longer trailer is not listed: finding its start would mean
/// reading the complete photo.
enum UnknownTrailer {
    /// The bytes after the known trailer, or otherwise after the last image.
    static func discover(
        in file: inout JPEGFile, behind known: Range<Int>?
    ) throws(ContainerError) -> VendorDiscovery {
        var found = VendorDiscovery()
        let tail = try file.tail()
        let start = file.source.byteCount - tail.count
        var offset: Int
        if let known {
            offset = max(0, known.upperBound - start)
        } else {
            guard try file.hasUnknownEnd(),
                let end = tail.lastIndex(of: [0xFF, 0xD9], before: tail.count)
            else { return found }
            offset = end + 2
        }
        // Zeros and FF are padding.
        while offset < tail.count, tail[offset] == 0 { offset += 1 }
        guard tail[offset...].contains(where: { $0 != 0 && $0 != 0xFF }) else { return found }
        found.trailers.append(
            FileTrailer(
                source: source(tail), type: type(tail[offset...]), range: start + offset..<start + tail.count)
        )
        return found
    }

    /// The last bytes of vivo's trailers.
    private static func source(_ tail: [UInt8]) -> String {
        let mark: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x1B, 0x2A, 0x39, 0x48, 0x57, 0x66, 0x75, 0x84, 0x93, 0xA2, 0xB1,
        ]
        return tail.suffix(mark.count).elementsEqual(mark) ? "vivo" : "unknown"
    }

    /// The first four bytes, as text if they are printable.
    private static func type(_ bytes: ArraySlice<UInt8>) -> String {
        FourCharacterCode(rawValue: bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }).description
    }
}
