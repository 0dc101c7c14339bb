import Foundation
import TestSupport
import Testing

@Suite("isobath info --recursive")
struct FolderTests {
    /// a.jpg, b/c.heic, a text, an empty file, two videos.
    private func makeFolder() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try folder.write(TestImages.bytes("plain.jpg"), to: "a.jpg")
        try folder.write(TestImages.bytes("plain.heic"), to: "b/c.heic")
        try folder.write(text: "no photo", to: "b/d.txt")
        try folder.write(text: "", to: "b/.nomedia")
        try folder.write([0, 0, 0, 20] + Array("ftypisom\0\0\0\0isom".utf8), to: "e.mp4")
        try folder.write([0, 0, 0, 20] + Array("ftypqt  \0\0\0\0qt  cut".utf8), to: "f.mov")
        return folder
    }

    private func paths(_ run: Tool.Run) throws -> [String] {
        try run.objects().compactMap { $0.text("path") }
    }

    @Test("--recursive finds photos at every depth, sorted, and skips other files")
    func photos() throws {
        let folder = try makeFolder()
        let run = try Tool.run("info --json --recursive \(folder.path)")
        #expect(run.messages == "isobath: 6 inputs: 2 read, 4 skipped, 0 failed\n")
        #expect(try paths(run) == [folder.file("a.jpg"), folder.file("b/c.heic")])
    }

    @Test("--recursive reports a broken photo and shows the others")
    func broken() throws {
        let folder = try makeFolder()
        let path = try folder.write(TestImages.bytes("plain.jpg").prefix(100), to: "b/broken.jpg")
        let run = try Tool.run("info --recursive \(folder.path)", status: 1)
        #expect(run.messages.hasPrefix("isobath: \(path): "))
        #expect(run.messages.split(separator: "\n").count == 2)
        #expect(run.messages.hasSuffix("\nisobath: 7 inputs: 2 read, 4 skipped, 1 failed\n"))
        #expect(run.text.split(separator: "\n").count == 2)
    }

    @Test("A named file that is not a photo is an error even with --recursive")
    func named() throws {
        let folder = try makeFolder()
        try folder.run("info --recursive b/d.txt", status: 1, says: "not a photo or depth raster")
    }

    @Test("--recursive follows links to files but not to folders")
    func links() throws {
        let folder = try makeFolder()
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: folder.file("b/up"), withDestinationPath: "..")
        try manager.createSymbolicLink(atPath: folder.file("g.jpg"), withDestinationPath: "a.jpg")
        try manager.createSymbolicLink(atPath: folder.file("h.jpg"), withDestinationPath: "nowhere.jpg")
        let run = try Tool.run("info --json -r \(folder.path)")
        #expect(try paths(run) == [folder.file("a.jpg"), folder.file("b/c.heic"), folder.file("g.jpg")])
    }

    @Test("info searches a folder without --recursive, too, and view takes the flag; others name it")
    func withoutFlag() throws {
        let folder = try makeFolder()
        let run = try Tool.run(["info", folder.path])
        let searched = try Tool.run(["info", "--recursive", folder.path])
        #expect(
            run.text == searched.text && run.messages == searched.messages && run.status == searched.status)
        try Tool.run("extract \(folder.path)", status: 1, says: "--recursive")
        let output = TemporaryFolder()
        try output.run("view -r \(folder.path) --size 64 -o album/", says: "album of")
    }
}
