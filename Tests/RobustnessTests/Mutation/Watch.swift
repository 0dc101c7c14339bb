import Glibc
import TestSupport

/// Ends this process where a mutant asks for more than a few seconds or much memory, and leaves its number behind.
///
/// A trap ends the process too, so all failures look alike from outside, and the number in the file names the mutant.
struct Watch: ~Copyable {
    /// Seconds of processor time for one mutant; a sanitizer is slower.
    static let seconds = Tool.isSanitized ? 20 : 2
    /// Bytes of memory that a process may ever take, of which the tests themselves take a part, and a sanitizer more.
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

    /// The mutant is next.
    func begin(_ mutant: Int) {
        unsafe withUnsafeBytes(of: mutant) { _ = unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        Self.set(ITIMER_PROF, Self.seconds)
        // For what waits and does not work.
        Self.set(ITIMER_REAL, 10 * Self.seconds)
    }

    /// The mutant has been read.
    func end() {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        guard usage.ru_maxrss * 1024 <= Self.memory else { fatalError("too much memory") }
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
    static var residentBytes: Int {
        let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = unsafe text.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        let fields = String(decoding: text.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}
