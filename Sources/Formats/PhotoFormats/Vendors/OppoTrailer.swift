internal import Bytes
internal import Embedded

/// The directory that OPPO's and OnePlus's cameras put at the end of a photo: JSON, then the size of the JSON.
///
/// From `TestImages/oppo.jpg`; `offset` is measured backward from the first byte of the JSON, numbers are little-endian:
///
/// ```
/// 5b7b 2276 6572 7369 6f6e …   [{"version":1,"name":"rear.depth","offset":28428,"length":28428}]
/// 00 6a787273 4a000000         NUL, "jxrs", 74 bytes of directory
/// ```
///
/// Its depth map, `rear.depth`, is compressed with Zstandard, which is not supported and is reported. Other blocks are
/// listed.
enum OppoTrailer: VendorReader {
    private static let path = StructurePath("OPPO")

    static func discover(
        in file: inout JPEGFile, _ photo: DescribedPhoto
    ) throws(ContainerError) -> VendorDiscovery {
        var found = VendorDiscovery()
        let tail = try file.tail()
        let end = file.source.byteCount
        guard tail.count >= 16, tail.suffix(8).prefix(4).allSatisfy({ (0x21..<0x7F).contains($0) }) else {
            return found
        }
        let size = tail.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard size > 9, size < 1 << 24, size <= end - file.header.scan,
            try file.source.readPrefix(at: end - size, count: 2) == Array("[{".utf8)
        else { return found }
        try file.limits.check(.metadataBytes, size, at: end - size, in: path)
        var text = try file.source.read(end - size..<end - 8)
        while text.last == 0 { text.removeLast() }
        let entries = try JSONValue(parsing: text, limits: file.limits, base: end - size).elements
        try file.limits.check(.trailerEntries, entries.count, at: end - size, in: path)
        var start = end - size
        var depth: Range<Int>?
        for entry in entries {
            guard let name = entry["name"]?.text else { continue }
            guard let offset = entry["offset"]?.integer, let length = entry["length"]?.integer, length >= 0,
                length <= offset, offset <= end - size - file.header.scan
            else {
                found.diagnostics.append(
                    ContainerError(
                        .malformed(rule: "the block '\(name)' is not in the file"), at: end - size, in: path))
                continue
            }
            let range = end - size - offset..<end - size - offset + length
            start = min(start, range.lowerBound)
            found.trailers.append(FileTrailer(source: "oppo", type: name, range: range))
            if name == "rear.depth" || name == "front.depth" { depth = range }
        }
        found.trailerRange = start..<end
        if let depth {
            found.addUnreadable(
                ContainerError(
                    .unsupported(feature: "the Zstandard compression of OPPO's depth map"),
                    at: depth.lowerBound, in: path))
        }
        return found
    }
}
