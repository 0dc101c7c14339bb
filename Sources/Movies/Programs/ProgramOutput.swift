internal import Glibc
internal import Processes
internal import Synchronization

/// A running program: the output that it writes, and its messages. The program ends with this object.
final class ProgramOutput: Sendable {
    /// Reads the output.
    let descriptor: Int32
    private let path: String
    private let messages: Int32
    private let process: ChildProcess
    private let ending = Mutex<ChildProcess.Ending?>(nil)

    /// Starts the program at a path. `input` becomes its standard input; -1 for none.
    ///
    /// Throws ``MovieError/program(path:problem:)`` if it cannot be started.
    init(_ path: String, _ arguments: [String], input: Int32) throws(MovieError) {
        self.path = path
        do throws(LaunchError) {
            let output = try ProcessPipe()
            defer { close(output.writing) }
            let errors: ProcessPipe
            do throws(LaunchError) {
                errors = try ProcessPipe()
            } catch {
                close(output.reading)
                throw error
            }
            defer { close(errors.writing) }
            // The program never waits for a reader of its messages: those that do not fit into the pipe are lost.
            for end in [errors.reading, errors.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
            (descriptor, messages) = (output.reading, errors.reading)
            do throws(LaunchError) {
                // With FFREPORT, FFmpeg would write a file.
                process = try ChildProcess(
                    path, [path] + arguments,
                    environment: ChildProcess.environment.filter { !$0.hasPrefix("FFREPORT=") },
                    descriptors: [input, output.writing, errors.writing])
            } catch {
                close(descriptor)
                close(messages)
                throw error
            }
        } catch {
            throw .program(path: path, problem: "cannot be started: \(error)")
        }
    }

    deinit {
        if ending.withLock({ $0 == nil }) { process.end() }
        close(descriptor)
        close(messages)
    }

    /// Waits for the end of a program whose output has ended, and returns what is wrong with it; `nil` if it exited with
    /// status 0 and without a message.
    func problem() -> String? {
        let ending = ending.withLock { ending in
            if ending == nil { ending = process.end(within: 5) }
            return ending
        }
        let message = firstMessage.map { ": \($0)" } ?? ""
        switch ending {
        case .status(0): return message.isEmpty ? nil : "reports an error\(message)"
        case .status(let status): return "ended with status \(status)\(message)"
        case .signal(let signal):
            return "was ended by \(ChildProcess.Ending.name(ofSignal: signal))\(message)"
        case .unknown, nil: return "is gone\(message)"
        }
    }

    /// The first line that the program printed as an error, without FFmpeg's marks of its parts (`[hevc @ 0x55…]`); at
    /// most 200 characters.
    private var firstMessage: String? {
        var bytes = [UInt8](repeating: 0, count: 1 << 12)
        let count = unsafe read(messages, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        guard var line = lines.first else { return nil }
        while line.hasPrefix("["), let end = line.firstRange(of: "] ") { line = line[end.upperBound...] }
        return String(line.prefix(200))
    }
}
