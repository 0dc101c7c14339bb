package import Bytes

extension RasterDescription {
    /// Reads the header of a NumPy array file.
    package init(parsingNPY source: any ByteSource, limits: DecodingLimits) throws(ContainerError) {
        let path = StructurePath("NPY")
        let start = try source.readPrefix(at: 0, count: NPYHeader.usualByteCount + 12)
        let header = try NPYHeader(parsing: start, limits: limits)
        try self.init(
            format: .npy, channels: header.channels, layout: header.layout(in: path), start: header.byteCount,
            byteCount: source.byteCount, limits: limits, path: path)
    }

    /// Describes an array in a ZIP archive, whose first unpacked bytes are `start`.
    package init(
        _ entry: ZIPDirectory.Entry, startingWith start: [UInt8], limits: DecodingLimits
    ) throws(ContainerError) {
        let path = StructurePath("NPZ").appending("NPY")
        let header = try NPYHeader(parsing: start, limits: limits)
        let layout = try header.layout(in: path)
        try self.init(
            format: .npz, channels: header.channels, layout: layout, start: header.byteCount,
            byteCount: entry.byteCount, limits: limits, path: path)
        codec = entry.isDeflated ? "deflate" : "none"
        name = entry.arrayName
        location = .member(entry, headerBytes: header.byteCount, layout)
    }
}
