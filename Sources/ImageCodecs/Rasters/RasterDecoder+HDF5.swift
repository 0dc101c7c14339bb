internal import ByteParsing
internal import CCodecShims
internal import RasterContainers

extension RasterDecoder {
    private static let path = StructurePath("HDF5")

    /// The bytes of all samples, row-major, assembled from chunks.
    func samples(in chunks: HDF5Chunks) throws(ContainerError) -> [UInt8] {
        let (layout, size) = (chunks.layout, chunks.layout.type.byteCount)
        var samples = [UInt8](repeating: 0, count: layout.width * layout.height * size)
        for chunk in chunks.chunks {
            let bytes = try self.bytes(of: chunk, byteCount: chunks.byteCount, sampleSize: size)
            let columns = min(chunks.width, layout.width - chunk.x) * size
            for row in 0..<min(chunks.height, layout.height - chunk.y) {
                let target = ((chunk.y + row) * layout.width + chunk.x) * size
                let start = row * chunks.width * size
                samples.replaceSubrange(target..<target + columns, with: bytes[start..<start + columns])
            }
        }
        return samples
    }

    /// Undoes the filters of a chunk, the last one first.
    private func bytes(
        of chunk: HDF5Chunks.Chunk, byteCount: Int, sampleSize: Int
    ) throws(ContainerError) -> [UInt8] {
        var bytes = try source.read(chunk.range)
        for filter in chunk.filters.reversed() {
            switch filter {
            case .fletcher32:
                guard bytes.count >= 4, fletcher32(bytes.dropLast(4)) == number(bytes.suffix(4).reversed())
                else {
                    throw damaged(chunk, "the checksum of a chunk is wrong")
                }
                bytes.removeLast(4)
            case .deflate:
                let stream = bytes
                // Deflate compresses at most 1,032 to 1.
                guard byteCount / 2048 <= stream.count else {
                    throw damaged(chunk, "a chunk of \(byteCount) bytes has \(stream.count) packed bytes")
                }
                bytes = [UInt8](repeating: 0, count: byteCount)
                try inflate(stream, as: .zlib, into: &bytes, at: chunk.range.lowerBound)
                let checksum = unsafe bytes.withUnsafeBufferPointer {
                    unsafe isobath_zlib_checksum($0.baseAddress, $0.count)
                }
                guard number(stream.suffix(4)) == checksum else {
                    throw damaged(chunk, "the checksum of a zlib stream is wrong")
                }
            case .shuffle: bytes = unshuffled(bytes, sampleSize: sampleSize)
            }
        }
        guard bytes.count == byteCount else {
            throw damaged(chunk, "a chunk has \(bytes.count) bytes, not \(byteCount)")
        }
        return bytes
    }

    private func damaged(_ chunk: HDF5Chunks.Chunk, _ detail: String) -> ContainerError {
        ContainerError(.damaged(detail: detail), at: chunk.range.lowerBound, in: Self.path)
    }
}

/// A number whose most significant byte is the first.
private func number(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
}

/// Fletcher's checksum of 16-bit numbers, most significant byte first, as HDF5 computes it (H5checksum.c).
private func fletcher32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    // Sums modulo 65535, where 65535 stays as it is.
    func folded(_ sum: UInt32) -> UInt32 { (sum & 0xFFFF) + (sum >> 16) }
    var (first, second) = (UInt32(0), UInt32(0))
    var index = bytes.startIndex
    while index < bytes.endIndex {
        let low = index + 1 < bytes.endIndex ? bytes[index + 1] : 0
        first = folded(first + (UInt32(bytes[index]) << 8 | UInt32(low)))
        second = folded(second + first)
        index += 2
    }
    return second << 16 | first
}

/// The bytes of samples, of which the first bytes of all are stored before the second ones.
private func unshuffled(_ bytes: [UInt8], sampleSize: Int) -> [UInt8] {
    let count = bytes.count / sampleSize
    var output = bytes
    for byte in 0..<sampleSize {
        for index in 0..<count { output[index * sampleSize + byte] = bytes[byte * count + index] }
    }
    return output
}
