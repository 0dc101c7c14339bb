package import ByteParsing
internal import Glibc
internal import Sequences

/// Reads a descriptor in order, which may be a pipe that delivers slowly.
package final class StreamReader: Sendable {
    private let descriptor: Int32
    private let isOwned: Bool

    /// Reads a descriptor that stays open.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
        isOwned = false
    }

    /// Opens a file or a named pipe; `-` is standard input, and a number the descriptor that this process has under it.
    package init(path: String) throws(ContainerError) {
        if path == "-" {
            (descriptor, isOwned) = (0, false)
        } else if let number = Int32(path), number >= 0 {
            guard fcntl(number, F_GETFD) >= 0 else {
                throw ContainerError(.unreadable(detail: "there is no open descriptor \(number)"))
            }
            (descriptor, isOwned) = (number, false)
        } else {
            descriptor = unsafe path.withFileName { unsafe open($0, O_RDONLY | O_CLOEXEC) }
            isOwned = true
            guard descriptor >= 0 else { throw ContainerError(.unreadable(errno: errno)) }
        }
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Fills bytes from a place on, and waits until there are as many. Returns how many there are: less at the end of the stream, and
    /// where the process is to end.
    func read(into bytes: inout [UInt8], from first: Int = 0) throws(ContainerError) -> Int {
        var place = first
        while place < bytes.count {
            guard waitForBytes() else { return place - first }
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(
                    descriptor, buffer.baseAddress.map { unsafe $0 + place }, buffer.count - place)
            }
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            guard got >= 0 else { throw ContainerError(.unreadable(errno: errno)) }
            if got == 0 { return place - first }
            place += got
        }
        return place - first
    }

    /// Waits until something can be read, or the end. `false` when the process is to end.
    private func waitForBytes() -> Bool {
        while !Interruption.isRequested {
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&state, 1, 200) != 0 { return true }
        }
        return false
    }

    /// A line without its end, of at most `limit` bytes; `nil` at the end of the stream. Reads byte by byte, since what follows a
    /// header is read in one piece.
    func readLine(atMost limit: Int) throws(ContainerError) -> [UInt8]? {
        var line: [UInt8] = []
        var byte: [UInt8] = [0]
        while try read(into: &byte) == 1 {
            if byte[0] == 0x0A { return line }
            line.append(byte[0])
            guard line.count <= limit else {
                throw ContainerError(.malformed(rule: "a header of y4m is longer than \(limit) bytes"))
            }
        }
        return line.isEmpty ? nil : line
    }
}
