internal import Foundation

/// System features that fault tests need; tests are skipped where they are missing.
public enum SystemTools {
    /// Whether a shell can mount file systems that only it sees (`unshare -rm`).
    public static let canMount = succeeds("unshare -rm sh -c 'mount -t tmpfs none /mnt'")

    /// Whether system calls can be made to fail (`strace -e inject=`).
    public static let canInject = succeeds("strace -qq -o /dev/null -e inject=sync:error=EIO true")

    /// Whether system calls of a process and its children can be recorded.
    public static let canTrace = succeeds("strace -qq -ff --seccomp-bpf -y -o /dev/null -e trace=%file true")

    /// Whether a program can be given a terminal (`script`).
    public static let hasTerminal = succeeds("script -qec true /dev/null")

    /// Whether `ffmpeg` and `ffprobe` are here.
    public static let hasFFmpegProgram = succeeds("ffmpeg -version && ffprobe -version")

    /// `strace` and its process. With AddressSanitizer, leak detection is off, since it needs ptrace, which
    /// `strace` already uses.
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
