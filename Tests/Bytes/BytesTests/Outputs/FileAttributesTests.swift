import Bytes
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Attributes and identities of files")
struct FileAttributesTests {
    private let folder = TemporaryFolder()

    private static func status(_ path: String) throws -> stat {
        var status = stat()
        try #require(unsafe stat(path, &status) == 0)
        return status
    }

    @Test(
        "A file that takes another's place has its permissions and times", arguments: [0o600, 0o751, 0o4755])
    func applied(mode: mode_t) throws {
        let (old, new) = (try folder.write([1], to: "old"), try folder.write([2], to: "new"))
        // 2001-09-09 01:46:40 and a part of a second; one nanosecond is kept, too.
        let times = [
            timespec(tv_sec: 1_000_000_000, tv_nsec: 1), timespec(tv_sec: 999_999_999, tv_nsec: 999_999_999),
        ]
        try #require(unsafe utimensat(AT_FDCWD, old, times, 0) == 0)
        _ = unsafe chmod(old, mode)
        let file = try #require(FileHandle(forUpdatingAtPath: new))
        try FileAttributes(ofFileAt: old).apply(to: file.fileDescriptor)
        let found = try Self.status(new)
        #expect(found.st_mode & 0o7777 == mode)
        #expect(found.st_atim.tv_sec == 1_000_000_000 && found.st_mtim.tv_sec == 999_999_999)
        #expect(found.st_atim.tv_nsec == 1 && found.st_mtim.tv_nsec == 999_999_999)
        #expect(try folder.bytes(of: "new") == [2])
    }

    @Test("Attributes are those of what a link leads to, with its path; folders and missing files have none")
    func links() throws {
        let target = try folder.write([1], to: "target")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: target)
        let real = try unsafe #require(realpath(target, nil))
        defer { unsafe free(real) }
        let path = unsafe String(cString: real)
        #expect(try FileAttributes(ofFileAt: folder.file("link")).path == path)
        #expect(throws: OutputError.self) { try FileAttributes(ofFileAt: folder.path) }
        #expect(throws: OutputError.self) { try FileAttributes(ofFileAt: folder.file("none")) }
    }

    @Test("All names of a file are one identity, and a copy is another")
    func identity() throws {
        let path = try folder.write([1], to: "a")
        try FileManager.default.linkItem(atPath: path, toPath: folder.file("second"))
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
        try FileManager.default.copyItem(atPath: path, toPath: folder.file("copy"))
        let identity = try #require(FileIdentity(path: path))
        #expect(FileIdentity.inputs([folder.file("second"), folder.file("link"), "./none"]) == [identity])
        #expect(FileIdentity(path: folder.file("copy")) != identity)
        #expect(FileIdentity(path: folder.file("none")) == nil)
        let file = try #require(FileHandle(forReadingAtPath: path))
        #expect(FileIdentity(descriptor: file.fileDescriptor) == identity)
        #expect(FileIdentity(bytes: identity.bytes) == identity)
        #expect(FileIdentity(bytes: identity.bytes.dropLast()) == nil)
    }

    @Test("A path is inside of a folder at any depth, through links, too")
    func inside() throws {
        let top = try #require(FileIdentity(path: folder.path))
        _ = unsafe mkdir(folder.file("a"), 0o700)
        _ = unsafe mkdir(folder.file("a/b"), 0o700)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("a/b"))
        for name in ["x", "a/x", "a/b/x", "link/x"] {
            #expect(FileIdentity.isInside([top], path: folder.file(name)), "\(name)")
        }
        let below = try #require(FileIdentity(path: folder.file("a/b")))
        #expect(FileIdentity.isInside([below], path: folder.file("link/x")))
        #expect(!FileIdentity.isInside([below], path: folder.file("a/x")))
        #expect(!FileIdentity.isInside([top], path: "/x"))
    }
}
