internal import Foundation

/// The project's test images in `TestImages/`.
public enum TestImages {
    /// The path of a picture.
    public static func path(_ name: String) -> String { repositoryRoot + "/TestImages/" + name }

    /// The bytes of a picture.
    public static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }

    /// The entry of a picture in `expected.json`, which is computed without Swift code.
    public static func expected(_ name: String) throws -> [String: Any] {
        let file = try expectations().object("files").object(name)
        guard !file.isEmpty else { throw CocoaError(.fileReadNoSuchFile) }
        return file
    }

    /// Colors of every photo at some upright pixels, and how far off they may be.
    public static func photoProbes() throws -> [String: Any] { try expectations().object("photoProbes") }

    private static func expectations() throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: path("expected.json")))
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }
}

/// The root of the repository, found from this file's path.
public let repositoryRoot: String = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)
    .trimmingSuffix("/")

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

/// A temporary folder for one test, removed after it.
public final class TemporaryFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// Makes an empty folder.
    public init() {
        let url = FileManager.default.temporaryDirectory.appending(path: "isobath-\(UUID().uuidString)")
        path = url.path(percentEncoded: false)
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            fatalError("no temporary folder for tests: \(error)")
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder.
    public func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file into the folder, and returns its path.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let folders = name.split(separator: "/").dropLast()
        if !folders.isEmpty { try folder(folders.joined(separator: "/")) }
        try Data(bytes).write(to: URL(filePath: file(name)))
        return file(name)
    }

    /// Writes text to a file. Returns its path.
    @discardableResult
    public func write(text: String, to name: String) throws -> String { try write(text.utf8, to: name) }

    /// Makes a folder. Returns its path.
    @discardableResult
    public func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
        return file(name)
    }

    /// Removes a file or a folder.
    public func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }

    /// The bytes of a file in the folder.
    public func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: file(name))))
    }

    /// The text in a file of the folder.
    public func text(of name: String) throws -> String {
        String(decoding: try bytes(of: name), as: UTF8.self)
    }

    /// The JSON object that a file in the folder holds.
    public func object(in name: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(try bytes(of: name)))
        guard let fields = object as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
        return fields
    }

    /// The names of everything in the folder, hidden files too, sorted.
    public var contents: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    /// The names in a folder of this folder, sorted.
    public func contents(of name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file(name)).sorted()
    }
}
