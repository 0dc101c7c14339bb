internal import CSystemShims
internal import Glibc

/// The bytes of a file that `body` writes to a seekable descriptor. Errors have no file name.
package func encodedFile(by body: (Int32) throws(WriteError) -> Void) throws(OutputError) -> [UInt8] {
    do throws(WriteError) {
        return try bytesWritten(by: body)
    } catch {
        throw OutputError("", writing: error)
    }
}

/// The bytes that `body` writes to a seekable descriptor.
package func bytesWritten(by body: (Int32) throws(WriteError) -> Void) throws(WriteError) -> [UInt8] {
    let descriptor = isobath_open_in_memory()
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    try body(descriptor)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system(errno) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var offset = 0
    while offset < bytes.count {
        let count = unsafe bytes.withUnsafeMutableBytes {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: $0[offset...])
            return unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset))
        }
        guard count > 0 else { throw .system(count < 0 ? errno : EIO) }
        offset += count
    }
    return bytes
}
