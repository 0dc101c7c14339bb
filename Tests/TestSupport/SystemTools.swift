internal import Foundation

/// What tests of faults need of the system, and may do without.
public enum SystemTools {
    /// Whether a shell can mount file systems that only it sees (`unshare -rm`).
    public static let canMount = succeeds("unshare -rm sh -c 'mount -t tmpfs none /mnt'")

    /// Whether system calls can be made to fail (`strace -e inject=`).
    public static let canInject = succeeds("strace -qq -o /dev/null -e inject=sync:error=EIO true")

    /// `strace` and its process. Where the tool is built with AddressSanitizer, nobody looks for leaks then: that needs what
    /// `strace` has taken.
    public static let strace = "env ASAN_OPTIONS=detect_leaks=0 strace"

    private static func succeeds(_ command: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
