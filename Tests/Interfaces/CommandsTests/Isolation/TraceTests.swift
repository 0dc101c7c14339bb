import Foundation
import TestSupport
import Testing

/// System calls of every verb over files that name others: only the inputs, the outputs, and files that libraries need
/// are opened.
@Suite("What the tool opens", .needsTraces)
struct TraceTests {
    private let hostile: HostileFiles

    init() throws { hostile = try HostileFiles() }

    /// The arguments of each verb.
    private func commands(_ verb: String) throws -> [[String]] {
        let (movies, pictures, recordings) = (hostile.movies, hostile.pictures, hostile.recordings)
        let everything = pictures + movies + recordings
        let (photo, size) = (TestImages.path("portrait.jpg"), ["--size", "64"])
        func folder(_ name: String) -> [String] { ["-o", hostile.output(name) + "/"] }
        switch verb {
        case "info": return [["info"] + everything, ["info", "--json", "--recursive", hostile.folder]]
        case "extract":
            return [["extract", "--plane", "all"] + everything + folder("planes")]
        case "composite":
            return [["composite", "-b", "none", "--format", "png"] + everything + folder("subjects")]
                + hostile.some.map {
                    ["composite", "-b", $0, photo, "--force", "-o", hostile.output("a.png")]
                }
        case "blur": return [["blur"] + everything + folder("blurred")]
        case "layer":
            return [
                ["composite", "--layer", hostile.depth, "--layer-distance", "1"] + everything
                    + folder("occluded")
            ]
                + hostile.some.map {
                    [
                        "composite", "--layer", $0, "--layer-distance", "1", photo, "--force", "-o",
                        hostile.output("o.jpg"),
                    ]
                }
        case "cloud":
            return [["cloud", "--stride", "8"] + pictures + folder("clouds")]
                + (recordings + movies).map {
                    ["cloud", $0, "--voxel", "0.1", "--force", "-o", hostile.output("c.ply")]
                }
        case "embed":
            return hostile.some.flatMap {
                [
                    ["embed", $0, "--depth", hostile.depth, "--force", "-o", hostile.output("e.jpg")],
                    ["embed", photo, "--replace", "--depth", $0, "--force", "-o", hostile.output("e.jpg")],
                ]
            }
        case "convert": return [["convert", "--to", "rgbd"] + everything + folder("converted")]
        case "frames":
            let options = ["--plane", "photo", "--end", "0.1", "--force", "-o"]
            return (movies + recordings).map { ["extract", $0] + options + [hostile.output("s.mkv")] }
                + hostile.some.map {
                    [
                        "composite", recordings[2], "--far", "3", "--background", $0,
                        "--force", "-o",
                    ]
                        + [hostile.output("m.mkv")]
                }
        case "view": return [["view"] + size + everything + folder("pages")]
        case "animate":
            return [
                ["animate", "--seconds", "0.1", "--format", "gif"] + size + everything + folder("moving")
            ]
        case "follow":
            return (movies + recordings).map {
                [
                    "follow", $0, "--box", "0.2,0.2,0.5,0.5", "--force", "-o", hostile.output("t.csv"),
                    "--movie",
                ]
                    + [hostile.output("t.mkv")]
            }
        case "detect":
            return hostile.networks.map { ["detect", "--model", $0, photo] }
                + [["detect", "--model", hostile.networks[0]] + everything]
        case "model": return [["info"] + hostile.networks]
        case "network":
            return hostile.networks.map {
                ["composite", "-b", "none", "--model", $0, photo, "--force", "-o", hostile.output("n.png")]
            }
        default: return [["worker"]]
        }
    }

    static let verbs = [
        "info", "extract", "composite", "blur", "layer", "cloud", "embed", "convert", "frames", "view",
        "animate", "follow", "detect", "model", "network", "worker",
    ]

    @Test("Hostile files open no other file, no socket and no program", arguments: verbs, [false, true])
    func files(verb: String, isIsolated: Bool) throws {
        for arguments in try commands(verb) {
            let trace = try SystemCallTrace.run(
                arguments + (isIsolated ? ["--isolate"] : []),
                input: verb == "worker" ? hostile.requests : "/dev/null", folder: hostile.work)
            var permitted = PermittedFiles(
                named: arguments + [hostile.depth], outputs: hostile.outputs, work: hostile.work)
            permitted.files.insert(hostile.requests)
            #expect(trace.run.status < 128, "\(arguments): \(trace.run.messages)")
            let others = permitted.others(in: trace.calls)
            #expect(others.isEmpty, "\(arguments.joined(separator: " ")): \(others.joined(separator: "\n"))")
        }
    }

    @Test(
        "Files of other attacks, too",
        .needsAttacks, arguments: [false, true])
    func attacks(isIsolated: Bool) throws {
        let copies = TemporaryFolder()
        let folder = copies.file("attacks")
        try FileManager.default.copyItem(atPath: SampleFolder.attacks.path(""), toPath: folder)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().map {
            folder + "/" + $0
        }
        let movies = files.filter {
            ["mp4", "mkv", "ts", "webm", "gif", "r3d"].contains($0.split(separator: ".").last)
        }
        let networks = files.filter { $0.hasSuffix(".onnx") }
        let flags = isIsolated ? ["--isolate"] : []
        var commands = [["info", "--json"] + files]
        commands += movies.map {
            ["extract", $0, "--plane", "photo", "--end", "0.1", "--force", "-o", hostile.output("s.mkv")]
        }
        commands += networks.map {
            ["detect", "--model", $0, "--model-profile", "midas", TestImages.path("plain.jpg")]
        }
        commands += networks.map {
            [
                "extract", "--model", $0, TestImages.path("plain.jpg"), "--force", "-o",
                hostile.output("d.png"),
            ]
        }
        for arguments in commands {
            let trace = try SystemCallTrace.run(arguments + flags, folder: hostile.work)
            let permitted = PermittedFiles(named: arguments, outputs: hostile.outputs, work: hostile.work)
            let others = permitted.others(in: trace.calls)
            #expect(others.isEmpty, "\(arguments.joined(separator: " ")): \(others.joined(separator: "\n"))")
        }
    }

    @Test("A trace shows files that are opened, sockets and programs")
    func recorder() throws {
        let input = TestImages.path("plain.jpg")
        let trace = try SystemCallTrace.run(["info", input], folder: hostile.work)
        var permitted = PermittedFiles(named: [], outputs: hostile.outputs, work: hostile.work)
        #expect(permitted.others(in: trace.calls).contains { $0.hasPrefix("openat(") && $0.contains(input) })
        permitted.files.insert(input)
        #expect(permitted.others(in: trace.calls).allSatisfy { $0.contains("plain_depth.") })
        let log = TemporaryFolder()
        let command = SystemCallTrace.command(into: log.path).joined(separator: " ")
        _ = try Tool.shell(
            "exec \(command) python3 -c 'import os, socket; socket.socket().connect_ex((\"127.0.0.1\", 9)); os.system(\"true\")'",
            [], folder: hostile.work)
        let calls = SystemCallTrace.calls(recordedIn: log, ofProcessIn: hostile.work)
        let others = permitted.others(in: calls)
        for name in ["socket(", "connect(", "execve(\"/bin/sh\""] {
            #expect(others.contains { $0.hasPrefix(name) }, "\(name)")
        }
    }
}

/// Files that a run may open or look for.
private struct PermittedFiles {
    /// Files by their path.
    var files: Set<String>
    /// Folders, with everything in them.
    var folders: [String]

    /// Files of the system that libraries read: the libraries, time zones, processors, and settings that no input
    /// names.
    private static let systemFiles: Set<String> = [
        "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/selinux/config",
        "/etc/gnutls/config",
        "/etc/gcrypt/fips_enabled", "/etc/gcrypt/hwf.deny", "/dev/null", "/dev/urandom", "/proc/filesystems",
        "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/selinux", "/sys/fs/selinux",
        "/proc/sys/crypto/fips_enabled",
        "/proc/sys/vm/overcommit_memory", "/", "/dev", "/dev/fd", "/sys/class/accel", "/sys/class/drm",
    ]
    private static let systemFolders = [
        "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo",
        "/usr/share/locale",
        "/proc/self", "/sys/devices", "/sys/bus/pci/devices", "/sys/fs/cgroup",
    ]
    /// In isolated processes, libdispatch finds that it may not raise the priority of a thread, and cannot write so to the system's log.
    /// Where the process ends meanwhile, the call has no answer.
    private static let refusedLog = [
        "socket(AF_UNIX, SOCK_DGRAM|SOCK_CLOEXEC, 0) = -1 ENOSYS (Function not implemented)",
        "socket(AF_UNIX, SOCK_DGRAM|SOCK_CLOEXEC, 0) = ?",
        "socket(AF_UNIX, SOCK_DGRAM|SOCK_CLOEXEC, 0 <unfinished ...>",
    ]
    /// Where Swift's runtime looks for a program that would report a crash; it is not started unless a variable asks for it.
    private static let backtracer = ["libexec/swift", "bin", "swift-backtrace"]

    /// The files that a command names, with the depth image beside a photo and the description beside a network.
    init(named arguments: [String], outputs: String, work: String) {
        let tool = Tool.executable.deletingLastPathComponent().path(percentEncoded: false)
        files = Self.systemFiles.union([work, Tool.executable.path(percentEncoded: false)])
        // The linker looks for libraries beside the tool.
        let real = Tool.executable.resolvingSymlinksInPath().deletingLastPathComponent().path(
            percentEncoded: false)
        folders = Self.systemFolders + [outputs, String(real.dropLast(real.hasSuffix("/") ? 1 : 0))]
        for folder in [work, tool.hasSuffix("/") ? String(tool.dropLast()) : tool] {
            files.insert(folder)
            for name in Self.backtracer { folders.append("\(folder)/\(name)") }
        }
        for argument in arguments where argument.hasPrefix("/") {
            guard (try? FileManager.default.contentsOfDirectory(atPath: argument)) == nil else {
                folders.append(argument)
                continue
            }
            let url = URL(filePath: argument)
            let stem = url.deletingPathExtension().path(percentEncoded: false)
            files.insert(argument)
            for suffix in ["png", "jpg", "jpeg"] { files.insert("\(stem)_depth.\(suffix)") }
            if url.pathExtension == "onnx" {
                files.insert(
                    url.deletingLastPathComponent().appending(path: "config.json").path(percentEncoded: false)
                )
                files.insert(
                    url.deletingLastPathComponent().appending(path: "preprocessor_config.json").path(
                        percentEncoded: false))
            }
        }
        if let runtime = ProcessInfo.processInfo.environment["ISOBATH_ONNXRUNTIME"] { files.insert(runtime) }
    }

    /// The calls of a run that reach something else, each once.
    func others(in calls: [SystemCall]) -> [String] {
        Set(calls.filter { !permits($0) }.map(\.line)).sorted()
    }

    private func permits(_ call: SystemCall) -> Bool {
        switch call.name {
        case "execve", "execveat":
            let tool = Tool.executable.path(percentEncoded: false)
            return call.line.hasPrefix("execve(\"\(tool)\",")
                || call.line.hasPrefix("execve(\"/proc/self/exe\", [\"isobath-isolated\"],")
        case "socket":
            return Self.refusedLog.contains(call.line)
        case "bind", "listen", "accept", "accept4", "getsockname", "setsockopt", "recvfrom", "sendto",
            "shutdown", "connect", "socketpair", "recvmsg", "sendmsg", "recvmmsg", "sendmmsg", "getpeername",
            "getsockopt", "open_by_handle_at", "io_uring_setup", "bpf", "ptrace", "pidfd_open":
            return false
        case "newfstatat", "stat", "lstat", "statx", "readlink", "readlinkat", "access", "faccessat2":
            return call.paths.allSatisfy { permits($0) || isAbove($0) }
        default: return call.paths.allSatisfy(permits)
        }
    }

    /// Whether a folder has something in it that is permitted; its name may be resolved.
    private func isAbove(_ path: String) -> Bool {
        files.contains { $0.hasPrefix(path + "/") } || folders.contains { $0.hasPrefix(path + "/") }
    }

    private func permits(_ path: String) -> Bool {
        files.contains(path) || folders.contains { path == $0 || path.hasPrefix($0 + "/") }
            || path.wholeMatch(of: /\/proc\/\d+\/(maps|status|stat|fd|exe)/) != nil
            || path.contains("/usr/lib/swift/linux") || path.contains("/usr/libexec/swift/linux")
    }
}
