import Glibc
import TestSupport

/// Ends this process if a mutant takes more than a few seconds or much memory, and leaves its number in a file.
///
/// A trap ends the process as well, so all failures look the same from outside, and the file identifies the mutant.
struct Watchdog: ~Copyable {
    /// Seconds of processor time for one mutant; more with a sanitizer, which is slower.
    static let seconds = Tool.isSanitized ? 20 : 2
    /// The maximum memory of a process in bytes, including the tests themselves; more with a sanitizer.
    static let memory = Tool.isSanitized ? 1 << 32 : 1 << 30

    private let descriptor: Int32

    /// Numbers will be written to the file at `path`.
    init(path: String) {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        precondition(descriptor >= 0)
        // SIGPROF and SIGALRM end a process that does not handle them.
        signal(SIGPROF, SIG_DFL)
        signal(SIGALRM, SIG_DFL)
    }

    deinit {
        Self.set(ITIMER_PROF, 0)
        Self.set(ITIMER_REAL, 0)
        close(descriptor)
    }

    /// Call before a mutant is read.
    func begin(_ mutant: Int) {
        unsafe withUnsafeBytes(of: mutant) { _ = unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        Self.set(ITIMER_PROF, Self.seconds)
        // Also ends a process that waits without using the processor.
        Self.set(ITIMER_REAL, 10 * Self.seconds)
    }

    /// Call after a mutant has been read.
    func end() {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        // This includes the process that started this one: `execve` keeps the maximum of the memory that it replaces, which a
        // spawned process shares with its parent. The exact number takes longer to read.
        guard usage.ru_maxrss * 1024 > Self.memory else { return }
        guard Self.bytes(of: "VmHWM:") <= Self.memory else { fatalError("too much memory") }
    }

    private static func set(_ timer: __itimer_which, _ seconds: Int) {
        var value = itimerval()
        value.it_value.tv_sec = seconds
        unsafe setitimer(__itimer_which_t(timer.rawValue), &value, nil)
    }

    /// The number that was written last.
    static func mutant(in path: String) -> Int? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var mutant = 0
        let count = unsafe withUnsafeMutableBytes(of: &mutant) {
            unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        return count == MemoryLayout<Int>.size ? mutant : nil
    }

    /// Bytes of memory in use now.
    static var residentBytes: Int { bytes(of: "VmRSS:") }

    /// A field of `/proc/self/status`, in bytes.
    private static func bytes(of field: String) -> Int {
        let descriptor = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 4096)
        let count = unsafe text.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        let words = String(decoding: text.prefix(max(count, 0)), as: UTF8.self).split(
            whereSeparator: \.isWhitespace)
        guard let place = words.firstIndex(of: field[...]), place + 1 < words.count else { return 0 }
        return (Int(words[place + 1]) ?? 0) * 1024
    }
}
