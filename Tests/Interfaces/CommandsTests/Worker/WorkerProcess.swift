import Foundation
import TestSupport

/// A running `isobath worker`, talked to line by line.
final class WorkerProcess {
    let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffer = Data()

    /// Starts one, and reads its greeting.
    init(_ flags: [String] = []) throws {
        process.executableURL = Tool.executable
        process.arguments = ["worker"] + flags
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = try receive()
    }

    /// Sends a line, and bytes behind it.
    func send(_ line: String, _ payload: [UInt8] = []) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(line.utf8) + [0x0A] + payload)
    }

    /// The next line, and the bytes behind it.
    func receive() throws -> (reply: [String: Any], payload: Data) {
        while !buffer.contains(0x0A) { try fill() }
        let end = buffer.firstIndex(of: 0x0A) ?? buffer.endIndex
        let reply = try JSONSerialization.jsonObject(with: buffer[..<end]) as? [String: Any] ?? [:]
        buffer = buffer[(end + 1)...]
        let count = reply.integer("bytes") ?? 0
        while buffer.count < count { try fill() }
        let payload = buffer.prefix(count)
        buffer = Data(buffer.dropFirst(count))
        return (reply, Data(payload))
    }

    /// Sends nothing more, and returns the exit status.
    func end() -> Int32 {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private func fill() throws {
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { throw CocoaError(.fileReadUnknown) }
        buffer += data
    }

    /// The processes that a process started, whichever of its threads did.
    static func children(of process: pid_t) -> [pid_t] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return tasks.flatMap { task in
            let path = "/proc/\(process)/task/\(task)/children"
            return ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: " ")
                .compactMap { pid_t($0) }
        }
    }
}

/// The parsed output of a worker.
enum WorkerReplies {
    static func parse(_ output: Data) throws -> [(reply: [String: Any], payload: Data)] {
        var replies: [(reply: [String: Any], payload: Data)] = []
        var rest = output
        while let end = rest.firstIndex(of: 0x0A) {
            guard let reply = try JSONSerialization.jsonObject(with: rest[..<end]) as? [String: Any] else {
                throw CocoaError(.propertyListReadCorrupt)
            }
            let payload = rest[(end + 1)...].prefix(reply.integer("bytes") ?? 0)
            replies.append((reply, Data(payload)))
            rest = rest[payload.endIndex...]
        }
        return replies
    }
}
