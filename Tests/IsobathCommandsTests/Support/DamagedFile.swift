import TestSupport
import Testing

/// The results of the tool for a damaged photo.
struct DamagedFile {
    private let folder: TemporaryFolder
    let path: String

    init(_ bytes: [UInt8]) throws {
        folder = try TemporaryFolder()
        path = try folder.write(bytes, to: "damaged.heic")
    }

    /// The record of `info --json`, whose status is 1 where data is lost.
    func info(
        losing isLossy: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String: Any] {
        let run = try Tool.run(["info", "--json", path])
        #expect(run.status == (isLossy ? 1 : 0), sourceLocation: sourceLocation)
        return try #require(try run.objects().first, sourceLocation: sourceLocation)
    }

    /// The plane of a kind in the record of `info --json`.
    func plane(_ kind: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        let planes = try info(sourceLocation: sourceLocation).objects("planes")
        return try #require(planes.first { $0.text("kind") == kind }, sourceLocation: sourceLocation)
    }

    /// Expects that extracting a plane fails with a line that contains `words` and leaves no file.
    func expectFailure(
        of plane: String?, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let output = try TemporaryFolder()
        let run = try Tool.run(
            ["extract", path, "-o", output.file("p.png")] + (plane.map { ["--plane", $0] } ?? []))
        #expect(run.status == 1, sourceLocation: sourceLocation)
        let last = run.messages.split(separator: "\n").last.map(String.init) ?? ""
        #expect(last.hasPrefix("isobath: \(path): "), sourceLocation: sourceLocation)
        #expect(last.contains(words), sourceLocation: sourceLocation)
        #expect(output.contents == [], sourceLocation: sourceLocation)
    }

    /// Expects that a plane can be extracted.
    @discardableResult
    func extract(
        _ plane: String?, _ options: [String] = [], to name: String = "p.png",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> RasterFile {
        let output = try TemporaryFolder()
        let choice = plane.map { ["--plane", $0] } ?? []
        let run = try Tool.run(["extract", path, "-o", output.file(name)] + choice + options)
        #expect(run.status == 0, sourceLocation: sourceLocation)
        return try RasterFile(output.file(name))
    }
}
