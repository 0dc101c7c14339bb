package import Bytes

/// The ICC profile in the segments of a JPEG stream other than the photo's own; empty if missing.
///
/// Throws if the stream's segments are broken.
package func colorProfileOfJPEG(
    _ stream: CodedBytes, source: any ByteSource, limits: DecodingLimits
) throws(ContainerError) -> [UInt8] {
    let (source, start): (any ByteSource, Int) =
        switch stream {
        case .extents(let extents): (source, extents.first?.lowerBound ?? 0)
        case .decoded(let bytes): (MemorySource(bytes), 0)
        }
    var bytes = WindowedBytes(source)
    let pieces = try JPEGHeader(&bytes, at: start, limits: limits).colorProfile.sorted {
        $0.number < $1.number
    }
    var profile: [UInt8] = []
    for piece in pieces {
        try limits.check(.metadataBytes, profile.count + piece.range.count, at: piece.range.lowerBound)
        profile += try source.read(piece.range)
    }
    return profile
}
