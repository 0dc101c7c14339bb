internal import Glibc
internal import Isobath

/// One end of a pipe, which reads and writes exact byte counts.
struct Pipe: Sendable {
    let descriptor: Int32
    /// Called now and then while waiting.
    var whileWaiting: (@Sendable () -> Void)?

    /// Writes all bytes. Returns `false` if nobody reads them.
    func write(_ bytes: [UInt8]) -> Bool {
        (try? writeAll(bytes, to: descriptor)) != nil
    }

    /// Reads `count` bytes; `nil` if they do not arrive before the deadline.
    func read(_ count: Int, until deadline: ContinuousClock.Instant? = nil) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let missing = min(count - bytes.count, Self.part)
            let part = unsafe [UInt8](unsafeUninitializedCapacity: missing) { buffer, filled in
                filled = unsafe fill(buffer, until: deadline)
            }
            guard part.count == missing else { return nil }
            bytes = bytes.isEmpty ? part : bytes + part
        }
        return bytes
    }

    /// The maximum bytes to allocate before they arrive.
    private static let part = 1 << 24

    /// Reads until a buffer is full or the input ends. Returns how many bytes were read.
    private func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>, until deadline: ContinuousClock.Instant?)
        -> Int
    {
        var filled = 0
        while filled < buffer.count, deadline.map(waits) ?? true {
            // SAFETY: `read` writes at most the buffer's free bytes, behind its used ones.
            let got = unsafe Glibc.read(
                descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            filled += got
        }
        return filled
    }

    /// Waits until there is something to read, or the end; `false` if the deadline passes first.
    private func waits(until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = deadline - ContinuousClock.now
            let milliseconds =
                left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            guard milliseconds >= 0 else { return false }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&wait, 1, Int32(min(milliseconds + 1, 200)))
            if count > 0 { return true }
            whileWaiting?()
            if count < 0, errno != EINTR { return true }
        }
    }
}
