import Bytes
import Foundation
import TestSupport
import Testing

@Suite("Parts of paths")
struct PathTests {
    /// Names and folders equal the results of `basename` and `dirname` (GNU coreutils 9.1), except that a root has no
    /// name.
    struct Example: CustomTestStringConvertible, Sendable {
        var path: String
        var name: String
        var stem: String
        var type: String
        var folder: String

        var testDescription: String { "'\(path)'" }
    }

    static let examples = [
        Example(path: "/a/b.PNG", name: "b.PNG", stem: "b", type: "png", folder: "/a"),
        Example(path: "b.tar.gz", name: "b.tar.gz", stem: "b.tar", type: "gz", folder: "."),
        Example(path: "a//b/", name: "b", stem: "b", type: "", folder: "a"),
        Example(path: "a/.hidden", name: ".hidden", stem: ".hidden", type: "", folder: "a"),
        Example(path: "/b.", name: "b.", stem: "b", type: "", folder: "/"),
        Example(path: "/", name: "", stem: "", type: "", folder: "/"),
    ]

    @Test("A path has a name, a stem, an extension and a folder", arguments: examples)
    func parts(example: Example) {
        #expect(example.path.lastPathComponent == example.name)
        #expect(example.path.pathStem == example.stem)
        #expect(example.path.pathExtension == example.type)
        #expect(example.path.folderPath == example.folder)
        #expect(example.path.folderAbove == example.folder)
    }

    @Test("A path that ends in '.' or '..' does not name the folder above", arguments: [".", "a/..", "../."])
    func folderAbove(path: String) {
        #expect(path.folderAbove == nil)
    }

    @Test("A name goes behind a path, with one slash between")
    func followed() {
        #expect("a".followed(by: "b") == "a/b" && "a/".followed(by: "b") == "a/b")
        #expect("/".followed(by: "b") == "/b" && "".followed(by: "b") == "b")
    }

    /// As `realpath --relative-to` of GNU coreutils gives them.
    @Test("A path leads from a folder to a file, through links")
    func relative() throws {
        let folder = TemporaryFolder()
        for name in ["a/b", "c"] {
            try folder.folder(name)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("a/b"))
        let file = folder.file("link/x.png")
        #expect(file.relativePath(from: folder.file("c")) == "../a/b/x.png")
        #expect(file.relativePath(from: folder.file("a/b")) == "x.png")
        #expect(file.relativePath(from: folder.path) == "a/b/x.png")
        #expect(file.relativePath(from: folder.file("missing")) == nil)
        #expect(folder.file("link").resolvedPath == folder.path.resolvedPath.map { $0 + "/a/b" })
    }
}
