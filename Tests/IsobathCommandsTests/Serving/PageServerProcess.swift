import Foundation
import Glibc
import TestSupport
import Testing

/// A running `isobath view --serve`, talked to over its socket.
final class PageServerProcess: @unchecked Sendable {
    let process = Process()
    let port: UInt16
    let token: String

    private let isRecorded: Bool

    /// Starts a server. If `log` names a folder, the server's system calls are recorded there.
    init(_ folder: String, _ flags: [String] = [], recordedIn log: String? = nil) throws {
        let output = Pipe()
        isRecorded = log != nil
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            (log.map(SystemCallTrace.command) ?? [])
            + [Tool.executable.path(percentEncoded: false), "view", "--serve", folder, "--quiet"] + flags
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while !line.contains(0x0A) {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw CocoaError(.fileReadUnknown) }
            line += data
        }
        let address = try #require(
            URL(string: String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        )
        #expect(address.scheme == "http" && address.host() == "127.0.0.1")
        port = UInt16(try #require(address.port))
        token = address.lastPathComponent
    }

    /// The response to these bytes, up to the end of the connection, and the seconds until then.
    func answer(to bytes: some Sequence<UInt8>, on address: in_addr_t = 0x7F00_0001) throws -> (
        text: String, body: [UInt8], seconds: Double
    ) {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(connection) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr = in_addr(s_addr: address.bigEndian)
        let isConnected = unsafe withUnsafePointer(to: &place) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw CocoaError(.fileReadUnknown) }
        let start = ContinuousClock.now
        let request = Array(bytes)
        _ = unsafe request.withUnsafeBytes {
            unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe recv(connection, &part, part.count, 0)
            guard count > 0 else { break }
            answer += part[..<count]
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        let end = answer.firstRange(of: Array("\r\n\r\n".utf8))
        let head = String(decoding: answer[..<(end?.lowerBound ?? answer.endIndex)], as: UTF8.self)
        return (head, end.map { Array(answer[$0.upperBound...]) } ?? [], seconds)
    }

    /// The answer to a plain request for a path.
    func get(_ path: String, method: String = "GET", host: String? = nil) throws -> (
        status: Int, head: String, body: [UInt8]
    ) {
        let host = host ?? "127.0.0.1:\(port)"
        let answer = try answer(to: "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
        let words = answer.text.split(separator: " ")
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0, answer.text, answer.body)
    }

    /// Asks it to end, and returns its exit status.
    func interrupt() -> Int32 {
        // `strace` ignores the signal; the tool is its child.
        let recorder = isRecorded ? WorkerProcess.children(of: process.processIdentifier) : []
        if recorder.isEmpty { process.interrupt() } else { for tool in recorder { kill(tool, SIGINT) } }
        process.waitUntilExit()
        return process.terminationStatus
    }

    deinit { if process.isRunning { process.terminate() } }
}
