internal import Glibc

/// Standard output, unbuffered.
package enum StandardOutput {
    /// Writes all bytes. Throws ``OutputError`` for the path `-`; see ``isClosed(_:)``.
    package static func write(_ bytes: ArraySlice<UInt8>) throws(OutputError) {
        do throws(WriteError) {
            try writeAll(bytes, to: 1)
        } catch {
            throw OutputError("-", writing: error)
        }
    }

    /// Whether a failure to write means that the reader is gone.
    package static func isClosed(_ error: OutputError) -> Bool {
        error == OutputError("-", .system(EPIPE))
    }

    /// Whether standard output is a pipe or socket without a reader.
    package static var hasNoReader: Bool {
        var state = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&state, 1, 0) > 0 && Int32(state.revents) & POLLERR != 0
    }
}
