import Foundation
import Glibc
import PhotoBuilders
import TestSupport
import Testing

@Suite("Files that are not photos")
struct BadFileTests {
    private let folder = TemporaryFolder()

    /// Runs both subcommands on a path: each must print one line about it, end with 1 and leave no output.
    private func expectFailure(
        _ path: String, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let folder = TemporaryFolder()
        for arguments in [
            ["info", path], ["extract", path, "-o", folder.file("d.png")],
            ["extract", path, "--plane", "photo", "-o", folder.file("p.tiff")],
        ] {
            let run = try Tool.run("\(arguments)", status: 1, says: words, sourceLocation: sourceLocation)
            #expect(run.messages.hasPrefix("isobath: \(path): "), sourceLocation: sourceLocation)
            #expect(run.messages.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
            #expect(run.output.isEmpty, sourceLocation: sourceLocation)
        }
        #expect(folder.contents == [], sourceLocation: sourceLocation)
    }

    @Test(
        "A file that is not a photo is refused in one line",
        arguments: [
            ("empty.heic", [], "the file is empty"),
            ("text.jpg", Array("Hello, world\n".utf8), "not a photo or depth raster"),
            ("byte.jpg", [0xFF], "not a photo or depth raster"),
            ("png.heic", [0x89, 0x50, 0x4E, 0x47], "not a photo or depth raster"),
            ("soi.jpg", [0xFF, 0xD8, 0xFF], "needed"),
            (
                "zeros.heic", [UInt8](repeating: 0, count: 1000),
                "--raw-depth FORMAT,WxH, such as gray16le,640x480, does"
            ),
            ("eoi.jpg", [0xFF, 0xD8, 0xFF, 0xD9], "before any scan"),
        ] as [(String, [UInt8], String)])
    func contents(name: String, bytes: [UInt8], words: String) throws {
        try expectFailure(try folder.write(bytes, to: name), words)
    }

    @Test("A folder, a missing file and a device are refused in one line")
    func places() throws {
        try expectFailure(folder.path, "it is a folder")
        try expectFailure(folder.file("missing.heic"), "No such file or directory")
        try expectFailure("/dev/null", "not a regular file")
    }

    @Test(
        "A pipe without a writer is refused without waiting by subcommands that do not read streams",
        arguments: [
            ["info"], ["animate", "-o", "o.gif"], ["cloud", "-o", "o.ply"], ["view", "-o", "o.html"],
        ])
    func pipe(command: [String]) throws {
        try #require(unsafe mkfifo(folder.file("pipe.heic"), 0o600) == 0)
        try folder.run("\(command) pipe.heic", status: 1, says: "it is a pipe, not a regular file")
        #expect(folder.contents == ["pipe.heic"])
    }

    @Test(
        "A file without read permission is refused in one line",
        .disabled(if: geteuid() == 0, "root may read everything"))
    func unreadable() throws {
        let path = try folder.write(TestImages.bytes("plain.jpg"), to: "p.jpg")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        try expectFailure(path, "Permission denied")
    }

    @Test("Empty standard input is reported as an empty file")
    func standardInput() throws {
        let run = try Tool.run("info -", status: 1)
        #expect(run.messages == "isobath: standard input: error: the file is empty\n")
    }

    @Test("A damaged plane leaves no file, and the others are written")
    func otherPlanes() throws {
        let path = try folder.write(try DepthFile().heic().dropLast(1), to: "cut.heic")
        try folder.run(
            "extract \(path) --plane all -o out/", status: 1, says: "isobath: \(path): error:")
        #expect(!FileManager.default.fileExists(atPath: folder.file("out/cut-disparity.png")))
        #expect(try RasterFile(folder.file("out/cut-matte.png")).width == 480)
        try Tool.run("info \(path)", status: 1)
    }

    @Test("XMP that is nested too deeply names the limit")
    func nestedMetadata() throws {
        var file = DepthFile()
        file.xmp = Array(String(repeating: "<x>", count: 300).utf8)
        let path = try folder.write(try file.heic(), to: "nested.heic")
        let record = try #require(try Tool.run("info --json \(path)").objects().first)
        #expect(record.texts("warnings").contains { $0.contains("--limit xml-depth=N") })
    }
}
