package import Bytes
internal import Glibc
internal import Scenes
internal import Synchronization

/// Reads a descriptor sequentially; it may be a slow pipe.
package final class StreamReader: Sendable {
    private let descriptor: Int32
    private let isOwned: Bool
    /// Peeked bytes that are not read yet.
    private let kept = Mutex<[UInt8]>([])

    /// Reads a descriptor that stays open.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
        isOwned = false
        enlargePipe(descriptor)
    }

    /// Opens a file or a named pipe; `-` is standard input, and a number an open descriptor of this process.
    package init(path: String) throws(ContainerError) {
        if path == "-" {
            (descriptor, isOwned) = (0, false)
        } else if let number = Int32(path), number >= 0 {
            guard fcntl(number, F_GETFD) >= 0 else {
                throw ContainerError(.unreadable(detail: "there is no open descriptor \(number)"))
            }
            (descriptor, isOwned) = (number, false)
        } else {
            // Blocking `open` of a named pipe would wait for a writer and ignore signals; reading waits in
            // ``waitForBytes()``.
            descriptor = unsafe path.withFileName { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
            isOwned = true
            guard descriptor >= 0 else { throw ContainerError(.unreadable(errno: errno)) }
        }
        enlargePipe(descriptor)
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// The next bytes, without consuming them; fewer at the end of the stream.
    package func peek(_ count: Int) throws(ContainerError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try read(into: &bytes)
        bytes.removeLast(count - got)
        let start = bytes
        kept.withLock { $0 = start + $0 }
        return bytes
    }

    /// Consumes peeked bytes; returns how many.
    private func takeKept(into bytes: inout [UInt8], from first: Int) -> Int {
        var taken: [UInt8] = []
        let most = bytes.count - first
        kept.withLock { kept in
            guard !kept.isEmpty else { return }
            taken = Array(kept.prefix(most))
            kept.removeFirst(taken.count)
        }
        for (index, byte) in taken.enumerated() { bytes[first + index] = byte }
        return taken.count
    }

    /// Fills bytes from an index on, and waits until all are there. Returns how many there are: fewer at the end of the
    /// stream, and if the process should end.
    func read(into bytes: inout [UInt8], from first: Int = 0) throws(ContainerError) -> Int {
        var place = first + takeKept(into: &bytes, from: first)
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

    /// Whether bytes are available now. Consumes one.
    var hasBytes: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard kept.withLock(\.isEmpty) else { return true }
        guard unsafe poll(&state, 1, 0) > 0, state.revents & Int16(POLLIN) != 0 else { return false }
        var byte: UInt8 = 0
        return unsafe Glibc.read(descriptor, &byte, 1) == 1
    }

    /// Waits until something can be read, or the end. Returns `false` if the process should end.
    private func waitForBytes() -> Bool {
        while !Interruption.isRequested {
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&state, 1, 200) != 0 { return true }
        }
        return false
    }

    /// A line without its line end, of at most `limit` bytes; `nil` at the end of the stream. Reads byte by byte, since the
    /// data after a header is read as one block.
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

/// Lets a pipe hold 1 MiB, a frame or more, instead of 64 KiB: fewer context switches between both ends. If that is not
/// permitted, and for other descriptors, nothing changes.
func enlargePipe(_ descriptor: Int32) {
    // F_SETPIPE_SZ, which Glibc declares only for C with GNU extensions.
    _ = fcntl(descriptor, 1031, Int32(1 << 20))
}
