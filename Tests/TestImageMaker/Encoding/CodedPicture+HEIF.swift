extension CodedPicture {
    /// Takes the one coded item out of a file that libheif wrote: its configuration in `meta/iprp/ipco`, and what
    /// `meta/iloc` points to.
    init(heif file: [UInt8], configuration: String) throws {
        let meta = try file[...].box("meta").dropFirst(4)
        self.configuration = Array(try meta.box("iprp").box("ipco").box(configuration))
        var location = ByteReader(rest: try meta.box("iloc"))
        let version = location.number(1)
        _ = location.number(3)
        let sizes = location.number(2)
        guard version < 2, location.number(2) == 1 else {
            throw MakerError("libheif wrote more than one item")
        }
        // item_ID, construction_method, data_reference_index, base_offset, extent_count, extent
        _ = location.number(version == 1 ? 6 : 4)
        let base = location.number(sizes >> 4 & 15)
        _ = location.number(2 + (version == 1 ? sizes & 15 : 0))
        let start = base + location.number(sizes >> 12)
        let end = start + location.number(sizes >> 8 & 15)
        guard end <= file.count else { throw MakerError("libheif wrote an item past the end") }
        self.data = Array(file[start..<end])
    }
}

extension ArraySlice<UInt8> {
    /// The contents of the first box of a type among the boxes that this slice consists of.
    fileprivate func box(_ type: String) throws -> ArraySlice<UInt8> {
        var reader = ByteReader(rest: self)
        while !reader.rest.isEmpty {
            let size = reader.number(4)
            let name = reader.rest.prefix(4)
            let contents = reader.rest.dropFirst(4).prefix(Swift.max(size, 8) - 8)
            if name.elementsEqual(type.utf8) { return contents }
            reader.rest = reader.rest.dropFirst(4 + contents.count)
        }
        throw MakerError("libheif wrote no \(type) box")
    }
}

private struct ByteReader {
    var rest: ArraySlice<UInt8>

    /// The next big-endian number; bytes that are not there count as nothing.
    mutating func number(_ byteCount: Int) -> Int {
        defer { rest = rest.dropFirst(byteCount) }
        return rest.prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
    }
}
