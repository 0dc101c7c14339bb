public import Foundation

/// Runs programs in a separate process group, counts its processes, and ends it if it grows too large.
public enum ProcessGroup {
    /// The result of a run.
    public struct Run {
        /// The result of the first process.
        public var run: Tool.Run
        /// The most processes that were alive at one time.
        public var most: Int
        /// Whether the group was ended because it grew too large or took too long.
        public var wasEnded: Bool
        /// How many processes of the group remained after the first ended.
        public var left: Int
    }

    /// Runs the tool, and ends it and all that it started when more than `limit` processes are alive, or after `seconds`.
    ///
    /// `whileRunning` is called repeatedly with the group and the number of live processes.
    public static func run(
        _ arguments: [String], input: Data = Data(), folder: String? = nil, limit: Int = 30,
        seconds: Double = 60,
        whileRunning: (_ group: pid_t, _ count: Int) -> Void = { _, _ in }
    ) throws -> Run {
        try shell(
            #"exec "$0" "$@""#, arguments, input: input, folder: folder, limit: limit, seconds: seconds,
            whileRunning: whileRunning)
    }

    /// Runs a shell script where `$0` is the tool and `$@` are the arguments; the shell is one of the processes.
    public static func shell(
        _ script: String, _ arguments: [String], input: Data = Data(), folder: String? = nil, limit: Int = 30,
        seconds: Double = 60, whileRunning: (_ group: pid_t, _ count: Int) -> Void = { _, _ in }
    ) throws -> Run {
        let scratch = TemporaryFolder()
        for name in ["in", "out", "err"] {
            try (name == "in" ? input : Data()).write(to: URL(filePath: scratch.file(name)))
        }
        let leader = try start(script, arguments, scratch, folder)
        let deadline = Date(timeIntervalSinceNow: seconds)
        var (most, wasEnded, status) = (0, false, Int32(0))
        while unsafe waitpid(leader, &status, WNOHANG) == 0 {
            let count = members(of: leader).count
            most = max(most, count)
            if count > limit || Date() > deadline {
                wasEnded = true
                end(leader)
            } else {
                whileRunning(leader, count)
                usleep(2000)
            }
        }
        let left = members(of: leader).count
        end(leader)
        let signal = Int(status & 0x7F)
        return Run(
            run: Tool.Run(
                status: signal != 0 ? 128 + signal : Int(status >> 8 & 0xFF),
                output: try Data(contentsOf: URL(filePath: scratch.file("out"))),
                messages: try scratch.text(of: "err")),
            most: most, wasEnded: wasEnded, left: left)
    }

    /// The processes of a group that are alive.
    public static func members(of group: pid_t) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { process in
            // pid (name) state parent group …; the name may hold anything.
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .isoLatin1),
                let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 2
            else { return false }
            return fields[2] == "\(group)" && fields[0] != "Z"
        }
    }

    /// Ends a group, however fast it grows.
    private static func end(_ group: pid_t) {
        repeat { kill(-group, SIGKILL) } while !members(of: group).isEmpty
    }

    private static func start(
        _ script: String, _ arguments: [String], _ scratch: TemporaryFolder, _ folder: String?
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, scratch.file("in"), O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, scratch.file("out"), O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, scratch.file("err"), O_WRONLY, 0)
        let start = folder.map { "cd '\($0)' || exit; " } ?? ""
        let words =
            ["sh", "-c", start + script, Tool.executable.path(percentEncoded: false)] + arguments
        var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, &pointers, environ)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EAGAIN) }
        return process
    }
}
