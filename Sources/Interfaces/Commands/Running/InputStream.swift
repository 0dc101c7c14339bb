internal import Glibc

/// Standard input, or another descriptor, read in order: lines, and bytes after some of them.
///
/// Not thread-safe.
final class InputStream {
    /// A line without its end.
    enum Line {
        case complete([UInt8])
        /// Longer than the limit; it was skipped.
        case tooLong
    }

    private let descriptor: Int32
    private let shouldStop: () -> Bool
    private var buffer: [UInt8] = []
    private var place = 0
    private var isStopped = false

    private static let part = 1 << 16

    /// Reads from a descriptor until it ends or `shouldStop` returns true, which is called ten times a second while
    /// waiting.
    init(_ descriptor: Int32, shouldStop: @escaping () -> Bool) {
        self.descriptor = descriptor
        self.shouldStop = shouldStop
    }

    /// The next line that is not empty; `nil` at the end, or if `shouldStop` interrupts it. The last line needs no
    /// line feed.
    func line(longest: Int) -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            if place == buffer.count, !fill() {
                guard !isStopped, isTooLong || !line.isEmpty else { return nil }
                return isTooLong ? .tooLong : .complete(line)
            }
            let end = buffer[place...].firstIndex(of: 0x0A)
            let piece = buffer[place..<(end ?? buffer.count)]
            place = end.map { $0 + 1 } ?? buffer.count
            isTooLong = isTooLong || line.count + piece.count > longest
            if isTooLong { line = [] } else { line += piece }
            guard end != nil else { continue }
            if isTooLong { return .tooLong }
            if line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) { return .complete(line) }
            line = []
        }
    }

    /// The next `count` bytes; fewer at the end. Allocates memory as bytes arrive.
    func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            if place == buffer.count, !fill() { break }
            let end = min(buffer.count, place + count - bytes.count)
            bytes += buffer[place..<end]
            place = end
        }
        return bytes
    }

    /// Skips up to `count` bytes. Returns how many.
    @discardableResult
    func skip(_ count: Int) -> Int {
        var left = count
        while left > 0, place < buffer.count || fill() {
            let step = min(left, buffer.count - place)
            (place, left) = (place + step, left - step)
        }
        return count - left
    }

    /// Reads the available bytes, or waits until bytes are available; `false` at the end.
    private func fill() -> Bool {
        place = 0
        buffer.removeAll(keepingCapacity: true)
        while true {
            if shouldStop() {
                isStopped = true
                return false
            }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let state = unsafe poll(&wait, 1, 100)
            if state == 0 || state < 0 && errno == EINTR { continue }
            var code: Int32 = 0
            let part = unsafe [UInt8](unsafeUninitializedCapacity: Self.part) { bytes, count in
                let got = unsafe read(descriptor, bytes.baseAddress, Self.part)
                if got < 0 { code = errno }
                count = max(0, got)
            }
            if code == EINTR || code == EAGAIN { continue }
            buffer = part
            return !part.isEmpty
        }
    }
}
