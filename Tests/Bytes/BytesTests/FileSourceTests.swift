import Bytes
import Foundation
import TestSupport
import Testing

@Suite("Files that change while they are read")
struct FileSourceTests {
    private let folder = TemporaryFolder()
    private static let changed = ContainerError.Reason.unreadable(detail: "it changed while it was read")

    /// A file of 1000 bytes that was last written long ago, opened and read in part.
    private func open(_ folder: TemporaryFolder) throws -> FileSource {
        let path = try folder.write([UInt8](repeating: 7, count: 1000), to: "a")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: path)
        let source = try FileSource(path: path)
        #expect(try source.read(0..<10) == [UInt8](repeating: 7, count: 10))
        return source
    }

    @Test(
        "A file changed while it is read is an error that says so",
        arguments: ["cut", "emptied", "longer", "other bytes"])
    func changed(way: String) throws {
        let source = try open(folder)
        let handle = try #require(FileHandle(forUpdatingAtPath: folder.file("a")))
        switch way {
        case "cut": try handle.truncate(atOffset: 500)
        case "emptied": try handle.truncate(atOffset: 0)
        case "longer":
            try handle.seekToEnd()
            try handle.write(contentsOf: [1])
        default: try handle.write(contentsOf: [UInt8](repeating: 8, count: 1000))
        }
        try handle.close()
        // Once at an offset with remaining bytes, and once at the end.
        for range in [0..<10, 0..<1000] {
            let error = #expect(throws: ContainerError.self) { try source.read(range) }
            #expect(error?.reason == Self.changed)
        }
    }

    @Test(
        "A file that is renamed or deleted while open is read as it was",
        arguments: ["replaced", "removed", "renamed"])
    func renamed(way: String) throws {
        let source = try open(folder)
        let other = try folder.write([UInt8](repeating: 9, count: 20), to: "b")
        switch way {
        case "replaced": #expect(unsafe rename(other, folder.file("a")) == 0)
        case "removed": #expect(unsafe unlink(folder.file("a")) == 0)
        default: #expect(unsafe rename(folder.file("a"), folder.file("c")) == 0)
        }
        #expect(try source.read(0..<1000) == [UInt8](repeating: 7, count: 1000))
    }
}
