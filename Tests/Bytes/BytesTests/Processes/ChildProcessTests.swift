import Bytes
import Foundation
import TestSupport
import Testing

@Suite("Child processes")
struct ChildProcessTests {
    /// The output of a program.
    private func output(of program: String, _ arguments: [String], input: Int32 = -1) throws -> String {
        let pipe = try ProcessPipe()
        let process = try ChildProcess(program, arguments, descriptors: [input, pipe.writing])
        close(pipe.writing)
        defer { close(pipe.reading) }
        let bytes = FileHandle(fileDescriptor: pipe.reading).readDataToEndOfFile()
        #expect(process.end(within: 5) == .status(0))
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Arguments arrive as they are, without a shell")
    func arguments() throws {
        let words = ["a b", "$HOME", "*", "", "'"]
        #expect(
            try output(of: "/usr/bin/printf", ["printf", "%s\n"] + words) == words.map { $0 + "\n" }.joined())
    }

    @Test("A process has the named descriptors, and no other of this process")
    func descriptors() throws {
        let folder = TemporaryFolder()
        try folder.write(text: "text", to: "in.txt")
        let file = try FileHandle(forReadingFrom: URL(filePath: folder.file("in.txt")))
        #expect(try output(of: "/bin/cat", ["cat"], input: file.fileDescriptor) == "text")
        let other = try ProcessPipe()
        defer { for end in [other.reading, other.writing] { close(end) } }
        let script = "for n in 0 1 2 3 4 5 $1; do [ -e /proc/$$/fd/$n ] && echo $n; done; true"
        let open = try output(of: "/bin/sh", ["sh", "-c", script, "sh", "\(max(other.writing, 6))"])
        #expect(open == "0\n1\n2\n3\n4\n5\n")
    }

    @Test("How a process ended is known, and none remains")
    func endings() throws {
        let failed = try ChildProcess("/bin/sh", ["sh", "-c", "exit 3"], descriptors: [])
        #expect(failed.end(within: 5) == .status(3))
        let crashed = try ChildProcess("/bin/sh", ["sh", "-c", "kill -SEGV $$"], descriptors: [])
        #expect(crashed.end(within: 5) == .signal(SIGSEGV))
        let slow = try ChildProcess("/bin/sleep", ["sleep", "100"], descriptors: [])
        #expect(slow.end(within: 0.01) == .signal(SIGKILL))
        #expect(slow.end() == .unknown, "it was waited for")
        #expect(ChildProcess.Ending.name(ofSignal: SIGSEGV) == "SIGSEGV")
    }

    @Test("A program that cannot be started is an error with the system's message")
    func missing() {
        let error = #expect(throws: LaunchError.self) {
            try ChildProcess("/nonexistent/program", ["program"], descriptors: [])
        }
        #expect(error?.description == "No such file or directory")
    }
}
