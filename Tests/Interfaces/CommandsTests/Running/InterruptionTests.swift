import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Killed runs")
struct InterruptionTests {
    /// Runs that write one file, several that belong together, and several independent ones.
    private static let runs: [[String]] = [
        ["extract", "-o", "a.png"], ["extract", "--isolate", "-o", "a.png"],
        ["extract", "--plane", "all", "-o", "."],
        ["cloud", "--mesh", "--stride", "4", "-o", "a.obj"],
        ["cloud", "--mesh", "--stride", "4", "--force", "-o", "a.obj"],
    ]

    @Test("A killed run leaves only complete files, and the next run succeeds", arguments: runs)
    func kill(run: [String]) throws {
        let (whole, folder) = (TemporaryFolder(), TemporaryFolder())
        let arguments = run + ["--quiet", TestImages.path("portrait.jpg")]
        let start = ContinuousClock.now
        try whole.run("\(arguments)")
        let usual = ContinuousClock.now - start
        let files = Dictionary(uniqueKeysWithValues: try whole.contents.map { ($0, try whole.bytes(of: $0)) })
        for _ in 0..<5 {
            if run.contains("--force") { for name in files.keys { try folder.write(text: "old", to: name) } }
            try startAndKill(arguments, in: folder, after: usual * Double.random(in: 0...1))
            for name in folder.contents where !name.hasPrefix(".isobath-") {
                let bytes = try folder.bytes(of: name)
                #expect(
                    bytes == files[name] || run.contains("--force") && bytes == Array("old".utf8), "\(name)")
            }
            let isDone = run.last.map(folder.contents.contains) ?? false
            let again = isDone || run.contains("all") ? arguments + ["--force"] : arguments
            try folder.run("\(again)")
            for (name, bytes) in files { #expect(try folder.bytes(of: name) == bytes) }
            for name in folder.contents { try folder.remove(name) }
        }
    }

    private func startAndKill(_ arguments: [String], in folder: TemporaryFolder, after time: Duration) throws
    {
        let process = Process()
        process.executableURL = Tool.executable
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder.path)
        process.standardError = FileHandle.nullDevice
        try process.run()
        usleep(UInt32(time / .microseconds(1)))
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
