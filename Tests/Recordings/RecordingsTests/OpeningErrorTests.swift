import Bytes
import PhotoEditing
import Recordings
import Scenes
import TestSupport
import Testing

@Suite("Errors of opening")
struct OpeningErrorTests {
    private let folder = TemporaryFolder()
    private static let openers: [(String, @Sendable (String) throws -> Void)] = [
        ("scene", { _ = try DepthScene(contentsOf: $0) }), ("picture", { _ = try Picture(contentsOf: $0) }),
        ("editor", { _ = try PhotoEditor(contentsOf: $0) }),
        ("recording", { _ = try Recording(contentsOf: $0) }),
    ]

    @Test("An error of what is opened by its path names it", arguments: openers.map(\.0))
    func missing(kind: String) throws {
        let path = folder.file("missing.jpg")
        let error = try error(of: kind, path)
        #expect(error.input == path)
        #expect(error.description == "\(path): cannot be read: No such file or directory")
    }

    @Test("An error inside a file begins with its path", arguments: ["scene", "picture", "editor"])
    func damaged(kind: String) throws {
        // The declared size of the first box, 9, covers its header (size and type `ftyp`) and only one byte of content.
        let path = try folder.write([0, 0, 0, 9] + Array("ftypheic".utf8), to: "cut.heic")
        let error = try error(of: kind, path)
        #expect(error.description == "\(path): 4 bytes needed, 1 left (ftyp at byte 8)")
    }

    @Test("What is not a recording is named in the error")
    func foreign() throws {
        let path = try folder.write(text: "nothing", to: "notes.txt")
        #expect(
            try error(of: "recording", path).description
                == "\(path): this is not a recording that can be read")
    }

    private func error(of kind: String, _ path: String) throws -> ContainerError {
        let open = try #require(Self.openers.first { $0.0 == kind }).1
        return try #require(throws: ContainerError.self) { try open(path) }
    }
}
