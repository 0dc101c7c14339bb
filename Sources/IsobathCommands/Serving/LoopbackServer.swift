internal import Dispatch
internal import Glibc
internal import Isobath
internal import Sequences

/// An HTTP/1.1 server on the loopback address, which other computers cannot reach. Each connection has one request and
/// one response.
///
/// Other users' programs on this computer can connect. So a request is limited to ``HTTPRequest/mostBytes``, requests
/// and responses must complete within seconds, and only a few dozen connections are open at a time.
final class LoopbackServer: Sendable {
    private let listener: Int32
    /// The port of the server.
    let port: UInt16

    private static let mostConnections = 32
    private static let requestTime = Duration.seconds(10)
    private static let answerTime = Duration.seconds(60)

    /// Listens on a port of 127.0.0.1; 0 selects a free one. Throws the system's message on failure.
    init(port: UInt16) throws(ServerError) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Self.closedOnExec, 0)
        guard listener >= 0 else { throw ServerError(errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        var isShared: Int32 = 1
        _ = unsafe setsockopt(
            listener, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isListening else {
            let code = errno
            close(listener)
            throw ServerError(code)
        }
        self.listener = listener
        self.port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(listener) }

    private static var closedOnExec: Int32 { Int32(SOCK_CLOEXEC.rawValue) }

    /// The host names that requests may use.
    private var hosts: Set<String> { ["127.0.0.1:\(port)", "localhost:\(port)"] }

    /// Answers requests until the process is asked to end (``Interruption``).
    func run(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPAnswer) {
        let room = DispatchSemaphore(value: Self.mostConnections)
        let queue = DispatchQueue(label: "isobath.server", attributes: .concurrent)
        let hosts = hosts
        while !Interruption.isRequested {
            guard Self.wait(for: listener, POLLIN, until: .now + .milliseconds(200)),
                room.wait(timeout: .now() + .milliseconds(200)) == .success
            else { continue }
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else {
                // If descriptors run out, or on most other failures, try again a little later.
                if errno != EINTR { usleep(20_000) }
                room.signal()
                continue
            }
            queue.async {
                Self.serve(connection, hosts, answer)
                room.signal()
            }
        }
    }

    private static func serve(
        _ connection: Int32, _ hosts: Set<String>, _ answer: (HTTPRequest) -> HTTPAnswer
    ) {
        defer { close(connection) }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        do throws(HTTPRefusal) {
            guard let head = try requestHead(from: connection) else { return }
            let request = try HTTPRequest(parsing: head, hosts: hosts)
            send(answer(request).bytes(isHeadOnly: request.isHeadOnly), to: connection)
        } catch {
            send(HTTPAnswer(error).bytes(isHeadOnly: false), to: connection)
        }
        // Closing a connection with unread bytes would discard the response, so read them first.
        shutdown(connection, Int32(SHUT_WR))
        let end = ContinuousClock.now + .milliseconds(500)
        var rest = HTTPRequest.mostBytes * 8
        while rest > 0, let part = receive(from: connection, until: end), !part.isEmpty { rest -= part.count }
    }

    /// The bytes of a request up to its empty line; `nil` if the connection ends before.
    private static func requestHead(from connection: Int32) throws(HTTPRefusal) -> [UInt8]? {
        let end = ContinuousClock.now + requestTime
        var bytes: [UInt8] = []
        while true {
            guard let part = receive(from: connection, until: end) else { throw .tooSlow }
            guard !part.isEmpty else { return nil }
            let start = max(0, bytes.count - 3)
            bytes += part
            if let close = bytes[start...].firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A]) {
                guard close.upperBound <= HTTPRequest.mostBytes else { throw .tooLong }
                return Array(bytes[..<close.upperBound])
            }
            guard bytes.count <= HTTPRequest.mostBytes else { throw .tooLong }
        }
    }

    /// Some bytes; empty at the end or after an error; `nil` on a timeout.
    private static func receive(from connection: Int32, until end: ContinuousClock.Instant) -> [UInt8]? {
        while wait(for: connection, POLLIN, until: end) {
            var code: Int32 = 0
            let part = unsafe [UInt8](unsafeUninitializedCapacity: HTTPRequest.mostBytes) { buffer, count in
                let got = unsafe recv(connection, buffer.baseAddress, HTTPRequest.mostBytes, 0)
                if got < 0 { code = errno }
                count = max(0, got)
            }
            if code == EINTR || code == EAGAIN { continue }
            return part
        }
        return nil
    }

    /// Sends bytes until the client no longer accepts them in time.
    private static func send(_ bytes: [UInt8], to connection: Int32) {
        let end = ContinuousClock.now + answerTime
        var place = 0
        while place < bytes.count, wait(for: connection, POLLOUT, until: end) {
            let sent = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    connection, buffer.baseAddress.map { unsafe $0 + place }, bytes.count - place,
                    Int32(MSG_NOSIGNAL))
            }
            if sent < 0, errno != EINTR, errno != EAGAIN { return }
            place += max(0, sent)
        }
    }

    /// Whether a descriptor is ready in time. True also if it has an error, which the next call returns.
    private static func wait(for descriptor: Int32, _ events: Int32, until end: ContinuousClock.Instant)
        -> Bool
    {
        while true {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            guard left > 0 else { return false }
            var state = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let count = unsafe poll(&state, 1, Int32(min(left.rounded(.up), 60_000)))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return false }
            if count < 0, Interruption.isRequested { return false }
        }
    }
}

/// Why the server could not start.
struct ServerError: Error, CustomStringConvertible {
    let description: String

    /// The error of a failed system call.
    init(_ code: Int32) {
        let advice =
            code == EADDRINUSE ? "; --port selects another port; without it, any free port is used" : ""
        description = "no server can listen on 127.0.0.1: \(systemMessage(code))\(advice)"
    }
}
