import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Bytes

@Suite("Output files")
struct OutputFileTests {
    private let folder = TemporaryFolder()

    /// The result of `stat` for a file; `nil` if the file is missing. A link is not followed.
    private static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }

    private static func mode(_ path: String) -> mode_t? { status(path).map { $0.st_mode & 0o7777 } }

    /// The umask of this process, as Linux reports it (proc(5), `Umask`).
    private static func umask() throws -> mode_t {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Umask:") })
        return try #require(mode_t(line.dropFirst(6).trimmingCharacters(in: .whitespaces), radix: 8))
    }

    // MARK: New files

    @Test(
        "A new file has the bytes, and the permissions that the umask leaves", arguments: [0, 1, 3_000_000])
    func new(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        try OutputFile(path: folder.file("a.bin"), replacesExisting: false).write(bytes: bytes)
        #expect(try folder.bytes(of: "a.bin") == bytes)
        #expect(folder.contents == ["a.bin"])
        #expect(try Self.mode(folder.file("a.bin")) == 0o666 & ~Self.umask())
    }

    @Test("A name may have the 255 bytes that file systems allow")
    func longName() throws {
        let name = String(repeating: "n", count: 255)
        for replaces in [false, true, true] {
            try OutputFile(path: folder.file(name), replacesExisting: replaces).write(bytes: [7])
        }
        #expect(folder.contents == [name])
    }

    @Test("Nothing appears before all bytes are there, and a descriptor may seek")
    func seeking() throws {
        try OutputFile(path: folder.file("a"), replacesExisting: false).write(byteCount: 6) {
            (descriptor) throws(WriteError) in
            try writeAll(Array("..cdef".utf8), to: descriptor)
            #expect(folder.contents.allSatisfy { $0.hasPrefix(".isobath-") })
            lseek(descriptor, 0, SEEK_SET)
            try writeAll(Array("ab".utf8), to: descriptor)
        }
        #expect(try folder.bytes(of: "a") == Array("abcdef".utf8))
    }

    @Test("Room that was taken and not used is not part of the file")
    func room() throws {
        try OutputFile(path: folder.file("a"), replacesExisting: false).writeInOrder(byteCount: 1_000_000) {
            (descriptor) throws(WriteError) in try writeAll([UInt8](repeating: 1, count: 10), to: descriptor)
        }
        #expect(try folder.bytes(of: "a").count == 10)
    }

    @Test("A folder that is missing, or is a file, is the system's error")
    func noFolder() throws {
        try folder.write([1], to: "file")
        for (name, code) in [("none/a", ENOENT), ("file/a", ENOTDIR)] {
            let error = #expect(throws: OutputError.self) {
                try OutputFile(path: folder.file(name), replacesExisting: true).write(bytes: [1])
            }
            #expect(error == OutputError(folder.file(name), .system(code)))
        }
        #expect(folder.contents == ["file"])
    }

    // MARK: Existing files

    @Test("A file that exists is refused, and stays")
    func refused() throws {
        let path = try folder.write([1, 2, 3], to: "a")
        let file = OutputFile(path: path, replacesExisting: false)
        #expect(throws: OutputError(path, .exists)) { try file.checkIsFree() }
        #expect(throws: OutputError(path, .exists)) { try file.write(bytes: [9]) }
        #expect(try folder.bytes(of: "a") == [1, 2, 3])
        #expect(folder.contents == ["a"])
    }

    @Test("So is one that appears while another writes")
    func refusedLate() throws {
        let file = OutputFile(path: folder.file("a"), replacesExisting: false)
        try file.checkIsFree()
        #expect(throws: OutputError(file.path, .exists)) {
            try file.write { (descriptor) throws(WriteError) in
                try writeAll([UInt8](repeating: 9, count: 9), to: descriptor)
                _ = try? folder.write([1], to: "a")
            }
        }
        #expect(try folder.bytes(of: "a") == [1])
        #expect(folder.contents == ["a"])
    }

    @Test("A link is refused, too, be it to nothing; when it is replaced, what it leads to stays")
    func links() throws {
        try folder.write([1], to: "target")
        for (name, target) in [("dangling", "none"), ("link", "target")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(name), withDestinationPath: folder.file(target))
            let path = folder.file(name)
            #expect(throws: OutputError(path, .exists)) {
                try OutputFile(path: path, replacesExisting: false).write(bytes: [2])
            }
            try OutputFile(path: path, replacesExisting: true).write(bytes: [2])
            #expect(try #require(Self.status(path)).st_mode & S_IFMT == S_IFREG)
            #expect(try folder.bytes(of: name) == [2])
        }
        #expect(try folder.bytes(of: "target") == [1])
        #expect(folder.contents == ["dangling", "link", "target"])
    }

    @Test(
        "Replacing gives the name to a new file: who has the old one open, or another name for it, keeps it")
    func replaced() throws {
        let path = try folder.write([1, 2, 3], to: "a")
        try FileManager.default.linkItem(atPath: path, toPath: folder.file("second"))
        let open = try #require(FileHandle(forReadingAtPath: path))
        try OutputFile(path: path, replacesExisting: true).write(bytes: [4, 5])
        #expect(try open.readToEnd().map(Array.init) == [1, 2, 3])
        #expect(try folder.bytes(of: "second") == [1, 2, 3])
        #expect(try folder.bytes(of: "a") == [4, 5])
        #expect(folder.contents == ["a", "second"])
    }

    @Test("The permissions of a file that is replaced are kept", arguments: [0o600, 0o640, 0o444, 0o755])
    func permissions(mode: mode_t) throws {
        let path = try folder.write([1], to: "a")
        _ = unsafe chmod(path, mode)
        try OutputFile(path: path, replacesExisting: true).write { (descriptor) throws(WriteError) in
            // Users who could not read the old bytes must not be able to read the new ones at any time.
            var status = stat()
            _ = unsafe fstat(descriptor, &status)
            #expect(status.st_mode & 0o777 == mode)
            try writeAll([UInt8](repeating: 2, count: 2), to: descriptor)
        }
        #expect(Self.mode(path) == mode)
        #expect(try folder.bytes(of: "a") == [2, 2])
    }

    @Test("Folders, pipes and devices are not replaced", arguments: [true, false])
    func special(replaces: Bool) throws {
        _ = unsafe mkdir(folder.file("folder"), 0o700)
        _ = unsafe mkfifo(folder.file("pipe"), 0o600)
        for (path, reason) in [
            (folder.file("folder"), OutputError.Reason.folder), (folder.file("pipe"), .notRegularFile),
            ("/dev/null", .notRegularFile),
        ] {
            let file = OutputFile(path: path, replacesExisting: replaces)
            #expect(throws: OutputError(path, reason)) { try file.checkIsFree() }
        }
        #expect(throws: OutputError(folder.file("folder"), .folder)) {
            try OutputFile(path: folder.file("folder"), replacesExisting: true).write(bytes: [1])
        }
        #expect(throws: OutputError(folder.file("pipe"), .notRegularFile)) {
            try OutputFile(path: folder.file("pipe"), replacesExisting: true).write(bytes: [1])
        }
        #expect(folder.contents == ["folder", "pipe"])
    }

    // MARK: Failures

    @Test("What fails while it is written leaves nothing, and the old file", arguments: [true, false])
    func failure(exists: Bool) throws {
        if exists { try folder.write([1], to: "a") }
        let file = OutputFile(path: folder.file("a"), replacesExisting: exists)
        #expect(throws: OutputError(file.path, .unsuitable("no"))) {
            try file.write { (descriptor) throws(WriteError) in
                try writeAll([UInt8](repeating: 9, count: 100_000), to: descriptor)
                throw .unsuitable("no")
            }
        }
        #expect(folder.contents == (exists ? ["a"] : []))
        if exists { #expect(try folder.bytes(of: "a") == [1]) }
    }

    @Test(
        "A full disk is the system's error, and leaves nothing",
        .enabled(if: SmallDisk.isAvailable, "no small file system can be mounted"))
    func fullDisk() throws {
        let result = SmallDisk.with(kilobytes: 256, at: folder.path) { () -> (OutputError?, [String], Bool) in
            let file = OutputFile(path: folder.file("a"), replacesExisting: true)
            var found: OutputError?
            do throws(OutputError) {
                try file.writeInOrder(byteCount: 1 << 20) { (descriptor) throws(WriteError) in
                    for _ in 0..<16 { try writeAll([UInt8](repeating: 9, count: 1 << 16), to: descriptor) }
                }
            } catch { found = error }
            let left = folder.contents
            // The disk space is free again.
            let fits = (try? file.write(bytes: [UInt8](repeating: 1, count: 200 << 10))) != nil
            return (found, left, fits)
        }
        let (error, left, fits) = try #require(result)
        #expect(error == OutputError(folder.file("a"), .system(ENOSPC)))
        #expect(left.isEmpty)
        #expect(fits)
    }

    // MARK: Several files

    @Test("Companions appear with their file")
    func companions() throws {
        let file = OutputFile(path: folder.file("a"), replacesExisting: false)
        let side = Companion(
            file: OutputFile(path: folder.file("a.json"), replacesExisting: false), bytes: [5, 6])
        try file.write(with: [side]) { (descriptor) throws(WriteError) in
            try writeAll([UInt8(1)], to: descriptor)
            #expect(folder.contents.allSatisfy { $0.hasPrefix(".isobath-") })
        }
        #expect(folder.contents == ["a", "a.json"])
        #expect(try folder.bytes(of: "a.json") == [5, 6])
    }

    @Test("A companion that holds the same bytes already is not in the way, another one is")
    func companionThere() throws {
        let side = OutputFile(path: folder.file("a.json"), replacesExisting: false)
        let file = OutputFile(path: folder.file("a"), replacesExisting: false)
        try folder.write([5, 7], to: "a.json")
        #expect(throws: OutputError(side.path, .exists)) {
            try file.write(with: [Companion(file: side, bytes: [5, 6])]) { _ in }
        }
        #expect(folder.contents == ["a.json"])
        try file.write(with: [Companion(file: side, bytes: [5, 7])]) { _ in }
        #expect(folder.contents == ["a", "a.json"])
    }

    @Test("When a file cannot appear, its new companions go, and those that were replaced stay replaced")
    func withdrawn() throws {
        try folder.write([0], to: "old")
        let companions = ["new", "old"].map {
            Companion(file: OutputFile(path: folder.file($0), replacesExisting: true), bytes: [8])
        }
        let file = OutputFile(path: folder.file("a"), replacesExisting: false)
        #expect(throws: OutputError(file.path, .exists)) {
            try file.write(with: companions) { (_) throws(WriteError) in _ = try? folder.write([1], to: "a") }
        }
        #expect(folder.contents == ["a", "old"])
        #expect(try folder.bytes(of: "a") == [1])
        #expect(try folder.bytes(of: "old") == [8])
    }

    @Test("The identity that is announced is that of the file that appears")
    func announced() throws {
        let announced = Mutex<FileIdentity?>(nil)
        for replaces in [false, true] {
            var file = OutputFile(path: folder.file("a"), replacesExisting: replaces)
            file.willPublish = { identity in announced.withLock { $0 = identity } }
            try file.write(bytes: [1])
            #expect(announced.withLock(\.self) == FileIdentity(path: file.path))
        }
    }

    @Test("Bytes that are collected go to no file")
    func collected() throws {
        let found = Mutex<[String: [UInt8]]>([:])
        var file = OutputFile(path: folder.file("a"), replacesExisting: false)
        file.collect = { path, bytes in found.withLock { $0[path] = bytes } }
        let side = Companion(
            file: OutputFile(path: folder.file("a.json"), replacesExisting: false), bytes: [5, 6])
        try file.write(with: [side]) { (descriptor) throws(WriteError) in
            try writeAll([UInt8](1...4), to: descriptor)
            lseek(descriptor, 1, SEEK_SET)
            try writeAll([UInt8(9)], to: descriptor)
        }
        #expect(found.withLock(\.self) == [folder.file("a"): [1, 9, 3, 4], folder.file("a.json"): [5, 6]])
        #expect(folder.contents.isEmpty)
    }

    // MARK: Two at once

    /// Four writers, 50 files each of one byte repeated; a reader that sees two bytes, or another length, saw a part.
    @Test("Readers see complete files only, however many write them at once")
    func concurrentReplacing() throws {
        let path = try folder.write([UInt8](repeating: 0, count: 100_000), to: "a")
        let isDone = Atomic(false)
        let mixed = Atomic(0)
        let errors = Mutex<[any Error]>([])
        DispatchQueue.concurrentPerform(iterations: 5) { number in
            if number == 0 {
                while !isDone.load(ordering: .acquiring) {
                    let bytes = (try? folder.bytes(of: "a")) ?? []
                    if bytes.count != 100_000 || Set(bytes).count != 1 { mixed.add(1, ordering: .relaxed) }
                }
                return
            }
            for round in 0..<50 {
                do {
                    try OutputFile(path: path, replacesExisting: true)
                        .write(bytes: [UInt8](repeating: UInt8(number * 50 + round), count: 100_000))
                } catch { errors.withLock { $0.append(error) } }
            }
            if number == 4 { isDone.store(true, ordering: .releasing) }
        }
        #expect(mixed.load(ordering: .relaxed) == 0)
        #expect(errors.withLock { "\($0)" } == "[]")
        #expect(folder.contents == ["a"])
    }

    @Test("Of several that write a new file at once, one does, and the others are refused")
    func concurrentNew() throws {
        for round in 0..<20 {
            let path = folder.file("\(round)")
            let outcomes = Mutex<[OutputError.Reason?]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { number in
                var reason: OutputError.Reason?
                do throws(OutputError) {
                    try OutputFile(path: path, replacesExisting: false).write(bytes: [UInt8(number)])
                } catch { reason = error.reason }
                outcomes.withLock { $0.append(reason) }
            }
            #expect(outcomes.withLock { $0.count { $0 == nil } } == 1)
            #expect(outcomes.withLock { $0.count { $0 == .exists } } == 3)
        }
        #expect(folder.contents.count == 20)
    }

    // MARK: Folders

    @Test("Folders are made with those above them, and stay where they are there")
    func folders() throws {
        for _ in 0..<2 { try OutputFile.makeFolder(folder.file("a/b/c")) }
        #expect(try #require(Self.status(folder.file("a/b/c"))).st_mode & S_IFMT == S_IFDIR)
        try folder.write([1], to: "file")
        let inside = folder.file("file/a")
        #expect(throws: OutputError(folder.file("file"), .notFolder)) {
            try OutputFile.makeFolder(folder.file("file"))
        }
        #expect(throws: OutputError(inside, .system(ENOTDIR))) { try OutputFile.makeFolder(inside) }
    }

    @Test("Paths to one file are the same, however they are spelled")
    func samePath() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.path)
        let path = folder.file("a")
        for other in [
            path, folder.file("./a"), folder.file("link/a"),
            folder.file("link/../\(folder.path.lastPathComponent)/a"),
        ] {
            #expect(OutputFile.isSamePlace(path, other))
        }
        for other in [folder.file("b"), folder.file("none/a"), "-"] {
            #expect(!OutputFile.isSamePlace(path, other))
        }
        #expect(OutputFile.folders(of: path) == [folder.path])
        #expect(OutputFile.folders(of: "-").isEmpty)
    }
}
