package import Bytes
internal import CCodecShims

/// A form of deflate data.
package enum DeflateForm: Sendable {
    /// Without header and checksum (RFC 1951), as in ZIP archives.
    case raw
    /// A zlib stream (RFC 1950), whose header and checksum (Adler-32) are checked.
    case zlib
}

/// Decompresses deflate data so that it fills an array, whose memory is reused. Check its size against limits first.
///
/// - Parameters:
///   - isPrefix: Whether the data may have more bytes than the array, which are then neither decompressed nor checked.
///   - offset: The offset of the data in its file, for errors.
///   - path: The structure that holds the data, for errors.
/// - Throws: If the data are damaged or do not match their checksum, or if they have fewer or more bytes than the array.
package func inflate(
    _ packed: [UInt8], as form: DeflateForm, into bytes: inout [UInt8], isPrefix: Bool = false,
    at offset: Int = 0, in path: StructurePath = StructurePath("zlib")
) throws(ContainerError) {
    var message = [CChar](repeating: 0, count: Int(ISOBATH_MESSAGE_SIZE))
    var written = 0
    let code = unsafe bytes.withUnsafeMutableBufferPointer { output in
        // SAFETY: zlib gets the sizes of both arrays.
        unsafe isobath_inflate(
            packed, packed.count, form == .zlib ? 1 : 0, isPrefix ? 1 : 0, output.baseAddress, output.count,
            &written, &message)
    }
    guard Int(code) == ISOBATH_OK else {
        throw ContainerError(.damaged(detail: text(message)), at: offset, in: path)
    }
    guard written == bytes.count else {
        throw ContainerError(
            .truncated(needed: bytes.count, available: written), at: offset + packed.count, in: path)
    }
}
