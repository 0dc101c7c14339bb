import Foundation
import TestSupport
import Testing

@testable import Bytes

@Suite("Output folders")
struct OutputFolderTests {
    private let folder = TemporaryFolder()

    private func tree(_ folder: borrowing TemporaryFolder) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("A folder appears with all of its files, in one step", arguments: ["set", "set/", "./set//"])
    func new(name: String) throws {
        let output = try OutputFolder(path: folder.file(name))
        try output.write([1, 2], to: "a/b/c.bin")
        try output.write([3], to: "a/d.bin")
        try output.write([], to: "e.txt")
        #expect(folder.contents.allSatisfy { $0.hasPrefix(".isobath-") })
        var identity: FileIdentity?
        output.willPublish = { identity = $0 }
        try output.publish()
        #expect(try tree(folder) == ["set", "set/a", "set/a/b", "set/a/b/c.bin", "set/a/d.bin", "set/e.txt"])
        #expect(try folder.bytes(of: "set/a/b/c.bin") == [1, 2])
        #expect(identity == FileIdentity(path: folder.file("set")))
    }

    @Test("Without publishing, nothing remains")
    func dropped() throws {
        do {
            let output = try OutputFolder(path: folder.file("set"))
            try output.write([1], to: "a/b")
        }
        #expect(folder.contents.isEmpty)
    }

    @Test("An existing file or folder stays, also one that appears meanwhile")
    func existing() throws {
        try folder.write([7], to: "file")
        let taken = OutputError(folder.file("file"), .exists)
        #expect(throws: taken) { try OutputFolder(path: folder.file("file")) }
        let output = try OutputFolder(path: folder.file("set"))
        try output.write([1], to: "a")
        try OutputFile.makeFolder(folder.file("set"))
        #expect(throws: OutputError(folder.file("set"), .exists)) { try output.publish() }
        #expect(try folder.contents(of: "set").isEmpty)
    }

    @Test("A folder is replaced with everything in it, if it holds known names only")
    func replaced() throws {
        func write(_ byte: UInt8, to name: String) throws {
            let output = try OutputFolder(path: folder.file("set"), replacing: ["old", "new"])
            try output.write([byte], to: name)
            try output.publish()
        }
        try write(1, to: "old/deep/a")
        try write(2, to: "new")
        #expect(try tree(folder) == ["set", "set/new"])
        try folder.write([3], to: "set/letter.txt")
        let refusal = OutputError(
            folder.file("set"), .unsuitable("the folder holds 'letter.txt', so it is not replaced"))
        #expect(throws: refusal) { try write(4, to: "new") }
        #expect(try folder.bytes(of: "set/new") == [2])
        try folder.write([5], to: "file")
        #expect(throws: OutputError(folder.file("file"), .notFolder)) {
            try OutputFolder(path: folder.file("file"), replacing: ["new"])
        }
    }

    @Test("What a link leads to is not removed")
    func links() throws {
        try folder.write([1], to: "precious")
        let first = try OutputFolder(path: folder.file("set"), replacing: ["a"])
        try first.write([1], to: "a/b")
        try first.publish()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("set/a/link"), withDestinationPath: folder.path)
        let second = try OutputFolder(path: folder.file("set"), replacing: ["a"])
        try second.write([2], to: "a")
        try second.publish()
        withExtendedLifetime(second) {}
        #expect(try folder.bytes(of: "precious") == [1])
    }
}
