import CSystemShims
import Foundation
import TestSupport
import Testing

@testable import Bytes

@Suite("Incomplete outputs of ended runs")
struct HiddenEntryTests {
    private let folder = TemporaryFolder()

    /// Signals that end a process: those that users, shells and limits send, crashes, and one of the real-time signals.
    static let signals: [Int32] = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGIO,
        SIGPWR,
        SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, 40,
    ]

    /// Sends a signal to this thread, where Dispatch blocks most of them.
    private static func send(_ number: Int32) {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }

    @Test(
        "A signal that ends the process leaves nothing",
        .disabled(if: Tool.isSanitized, "it handles signals"),
        arguments: signals)
    func signalled(number: Int32) async throws {
        await #expect(processExitsWith: .signal(number)) { [path = folder.path as String, number] in
            isobath_clean_up_on_signals()
            let set = try OutputFolder(path: path + "/set")
            for index in 0..<100 { try set.write([1], to: "a/b/\(index)") }
            let staged = try StagedFile(for: OutputFile(path: path + "/file", replacesExisting: true))
            try writeAll([UInt8(1)], to: staged.descriptor)
            let name = HiddenEntry.path(in: path)
            _ = FileManager.default.createFile(atPath: name, contents: Data([1]))
            Self.send(number)
        }
        #expect(folder.contents == [])
    }

    @Test("An ignored signal ends nothing and removes nothing")
    func ignored() async throws {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            _ = signal(SIGHUP, SIG_IGN)
            isobath_clean_up_on_signals()
            let set = try OutputFolder(path: folder.file("set"))
            try set.write([1], to: "a")
            raise(SIGHUP)
            try set.publish()
            #expect(folder.contents == ["set"])
        }
    }

    @Test("A killed process is ended before its files are removed")
    func child() async throws {
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = folder.path as String] in
            isobath_clean_up_on_signals()
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            let script = """
                mkdir .isobath-$$-1; file=0
                while :; do file=$((file + 1)); : > .isobath-$$-1/$file; done
                """
            process.arguments = ["-c", script]
            process.currentDirectoryURL = URL(filePath: path)
            // A watched folder first removes what others left there, so it must exist before the process makes its folder.
            let watched = WatchedFolder(path)
            try process.run()
            isobath_watch_process(process.processIdentifier)
            while try FileManager.default.contentsOfDirectory(atPath: path).isEmpty, process.isRunning {
                usleep(1000)
            }
            Self.send(SIGTERM)
            withExtendedLifetime(watched) {}
        }
        #expect(folder.contents == [])
    }

    @Test("The next run removes what a killed one left, and nothing that is in use or has another name")
    func next() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let set = try OutputFolder(path: path + "/set")
            try set.write([1], to: "a/b")
            raise(SIGKILL)
        }
        try folder.write([1], to: ".isobath-1-2")
        let others = [
            ".isobath", ".isobath-", ".isobath-x-1", ".isobath-1-2.txt", ".isobath-1", ".isobath-1-", "a",
        ]
        for name in others { try folder.write([1], to: name) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(".isobath-3-4"), withDestinationPath: folder.file("a"))
        #expect(folder.contents.count == others.count + 3)
        let inUse = try OutputFolder(path: folder.file("set"))
        try inUse.write([1], to: "c")
        let left = Set(folder.contents)
        #expect(left.count == others.count + 2 && left.isSuperset(of: others + [".isobath-3-4"]))
        // Another process, which cannot lock the folder that is in use.
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            WatchedFolder.removeLeftovers(in: path)
        }
        #expect(Set(folder.contents) == left)
        try inUse.publish()
        #expect(try folder.bytes(of: "set/c") == [1])
    }
}
