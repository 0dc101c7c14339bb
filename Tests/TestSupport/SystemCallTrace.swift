internal import Foundation

/// A call of a program to the system, for a file, a socket or another program.
public struct SystemCall: Sendable {
    /// The call's name, such as `openat`.
    public var name: String
    /// The files it names, as absolute paths without `.` and `..`, and the file that was opened, without links.
    public var paths: [String]
    /// The line that `strace` wrote.
    public var line: String
}

/// Records the system calls of programs with `strace`.
public enum SystemCallTrace {
    /// The options of `strace`: a file for each process, complete strings, descriptors with their files, and the calls
    /// that name a file, use the network, start a program or could do either without naming it.
    private static let options = [
        "-ff", "--seccomp-bpf", "-qq", "-y", "-s", "4096", "-e",
        "trace=%file,%network,execve,execveat,open_by_handle_at,io_uring_setup,bpf,ptrace,pidfd_open",
    ]

    /// A command of the shell that runs its arguments and records their calls in a folder.
    public static func command(into folder: String) -> [String] {
        SystemTools.strace.split(separator: " ").map(String.init) + options + ["-o", folder + "/calls"]
    }

    /// Runs the tool in a folder to its end, with a file as standard input. A run of more than five minutes is ended.
    public static func run(
        _ arguments: [String], input: String = "/dev/null", folder: String
    ) throws -> (run: Tool.Run, calls: [SystemCall]) {
        let log = TemporaryFolder()
        let command = Self.command(into: log.path).joined(separator: " ")
        let script = #"exec timeout -s KILL 300 \#(command) "$0" "$@" < \#(input)"#
        let run = try Tool.shell(script, arguments, folder: folder)
        return (run, calls(recordedIn: log, ofProcessIn: folder))
    }

    /// The calls that were recorded in a folder, of a process that ran in another.
    public static func calls(recordedIn log: TemporaryFolder, ofProcessIn folder: String) -> [SystemCall] {
        log.contents.flatMap { name in
            let text = String(decoding: (try? log.bytes(of: name)) ?? [], as: UTF8.self)
            return text.split(separator: "\n").compactMap { SystemCall(String($0), in: folder) }
        }
    }
}

extension SystemCall {
    /// A line such as `openat(AT_FDCWD</tmp>, "a.png", O_RDONLY) = 3</tmp/a.png>`; `nil` for signals and ends of processes.
    fileprivate init?(_ line: String, in folder: String) {
        guard let start = line.firstIndex(of: "("), !line.hasPrefix("-"), !line.hasPrefix("+") else {
            return nil
        }
        name = String(line[..<start])
        self.line = line
        paths = []
        var rest = line[start...]
        // A list is the arguments of a program; a brace or another string of `readlink` is what the call returns.
        let end = rest.range(of: #"\) += "#, options: .regularExpression)
        let result = end.map { rest[$0.upperBound...] } ?? ""
        rest = rest[..<(end?.lowerBound ?? rest.endIndex)]
        var base = folder
        while let mark = rest.firstIndex(where: { "<\"[{".contains($0) }) {
            let character = rest[mark]
            rest = rest[rest.index(after: mark)...]
            if character == "[" || character == "{" { break }
            guard let close = rest.firstIndex(of: character == "<" ? ">" : "\"") else { break }
            let text = String(rest[..<close])
            rest = rest[rest.index(after: close)...]
            if character == "<" {
                base = text
            } else {
                if !text.isEmpty { paths.append(Self.absolute(text, in: base)) }
                base = folder
                if name.hasPrefix("readlink") { break }
            }
        }
        if name.hasPrefix("open"), let open = result.firstIndex(of: "<"),
            let close = result.lastIndex(of: ">")
        {
            paths.append(String(result[result.index(after: open)..<close]))
        }
    }

    private static func absolute(_ path: String, in folder: String) -> String {
        var parts: [Substring] = []
        for part in (path.hasPrefix("/") ? path : folder + "/" + path).split(separator: "/") where part != "."
        {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
