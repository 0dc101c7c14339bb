internal import Glibc
internal import Isobath

/// One end of a pipe, and how bytes go through it.
struct Pipe: Sendable {
    let descriptor: Int32

    /// Writes all bytes. `false` when there is nobody to read them.
    func write(_ bytes: [UInt8]) -> Bool {
        (try? writeAll(bytes, to: descriptor)) != nil
    }

    /// Reads `count` bytes; `nil` when they do not come, or not before the deadline.
    func read(_ count: Int, until deadline: ContinuousClock.Instant? = nil) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard deadline.map(waits) ?? true else { return nil }
            let missing = min(count - bytes.count, 1 << 16)
            let part = unsafe [UInt8](unsafeUninitializedCapacity: missing) { buffer, count in
                var got = unsafe Glibc.read(descriptor, buffer.baseAddress, missing)
                while got < 0, errno == EINTR {
                    got = unsafe Glibc.read(descriptor, buffer.baseAddress, missing)
                }
                count = max(0, got)
            }
            guard !part.isEmpty else { return nil }
            bytes += part
        }
        return bytes
    }

    /// Waits until there is something to read, or an end; `false` when the deadline is passed before.
    private func waits(until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = deadline - ContinuousClock.now
            let milliseconds =
                left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            guard milliseconds >= 0 else { return false }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&wait, 1, Int32(clamping: milliseconds + 1))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return true }
        }
    }
}
