internal import Glibc

/// Why bytes were not written to a descriptor.
package enum WriteError: Error, Hashable, Sendable {
    /// The system reported an error, by its `errno`.
    case system(Int32)
    /// The contents cannot be stored in this format.
    case unsuitable(String)
}

extension WriteError: CustomStringConvertible {
    /// The system's message, or what is wrong with the samples.
    package var description: String {
        switch self {
        case .system(let code): "cannot be written: \(systemMessage(code))"
        case .unsuitable(let message): message
        }
    }
}

/// Writes all elements to a descriptor, in the byte order of this machine.
package func writeAll<Element: BitwiseCopyable>(
    _ elements: [Element], to descriptor: Int32
) throws(WriteError) {
    try writeAll(elements[...], to: descriptor)
}

/// Writes all elements to a descriptor, in the byte order of this machine.
package func writeAll<Element: BitwiseCopyable>(
    _ elements: ArraySlice<Element>, to descriptor: Int32
) throws(WriteError) {
    var code: Int32 = 0
    unsafe elements.withUnsafeBytes { bytes in
        var written = 0
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = unsafe write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                code = errno == 0 ? EIO : errno
                return
            }
            written += count
        }
    }
    guard code == 0 else { throw .system(code) }
}
