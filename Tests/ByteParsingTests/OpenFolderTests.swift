import ByteParsing
import Foundation
import TestSupport
import Testing

@Suite("A folder that nothing outside of is opened")
struct OpenFolderTests {
    /// A folder with files and links, beside another that nobody may see.
    private func make() throws -> (TemporaryFolder, OpenFolder) {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        try files.createDirectory(atPath: folder.file("in/sub"), withIntermediateDirectories: true)
        try files.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: true)
        try folder.write([1, 2, 3], to: "in/a")
        try folder.write([4], to: "in/sub/b")
        try folder.write([9], to: "out/secret")
        try files.createSymbolicLink(atPath: folder.file("in/link"), withDestinationPath: "../out/secret")
        try files.createSymbolicLink(atPath: folder.file("in/sub/up"), withDestinationPath: "../../out")
        try files.createSymbolicLink(atPath: folder.file("in/same"), withDestinationPath: "a")
        return (folder, try OpenFolder(folder.file("in")))
    }

    @Test("Files are opened by their paths, and listed without links")
    func inside() throws {
        let (folder, open) = try make()
        defer { withExtendedLifetime(folder) {} }
        #expect(try open.file("a", limits: DecodingLimits()).read(0..<3) == [1, 2, 3])
        #expect(try open.file("sub/b", limits: DecodingLimits()).read(0..<1) == [4])
        #expect(try open.list("").map(\.description) == ["a", "sub/"])
        #expect(try open.list("sub").map(\.description) == ["sub/b"])
    }

    @Test(
        "Nothing is reached through a link, upwards, or from the root of the system",
        arguments: [
            "link", "same", "sub/up/secret", "../out/secret", "sub/../a", "./a", "sub//b", "/etc/passwd", "",
            ".", "..",
            "sub", "none", "a/b",
        ])
    func outside(path: String) throws {
        let (folder, open) = try make()
        defer { withExtendedLifetime(folder) {} }
        #expect(throws: ContainerError.self) { try open.file(path, limits: DecodingLimits()) }
    }

    @Test("A folder that is moved away is still the one that was opened", arguments: ["../out", "sub/up"])
    func moved(path: String) throws {
        let (folder, open) = try make()
        try FileManager.default.moveItem(atPath: folder.file("in"), toPath: folder.file("moved"))
        try FileManager.default.createSymbolicLink(atPath: folder.file("in"), withDestinationPath: "out")
        #expect(try open.file("a", limits: DecodingLimits()).read(0..<3) == [1, 2, 3])
        #expect(throws: ContainerError.self) { try open.file("secret", limits: DecodingLimits()) }
        #expect(throws: ContainerError.self) { try open.list(path) }
    }
}

extension FolderEntry {
    fileprivate var description: String {
        switch self {
        case .file(let path): path
        case .folder(let path): path + "/"
        }
    }
}
