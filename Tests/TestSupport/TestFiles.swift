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

/// Real photos, in the folder that `ISOBATH_SAMPLES` names.
public enum Samples {
    /// The folder; `nil` if it is not available.
    public static let folder: String? = ProcessInfo.processInfo.environment["ISOBATH_SAMPLES"]

    /// Whether tests on samples can run.
    public static var isAvailable: Bool { folder != nil }

    /// The path of a sample.
    public static func path(_ name: String) -> String { (folder ?? "/nonexistent") + "/" + name }

    /// All samples that are not deliberately malformed, each as `subfolder/name`.
    public static var all: [String] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: path(""))) ?? []
        return folders.sorted().filter { $0 != "malformed" }.flatMap { files(in: $0) }
    }

    /// The samples in a sub-folder, sorted by name, each as `subfolder/name`.
    public static func files(in subfolder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path(subfolder))) ?? []
        return names.sorted().map { "\(subfolder)/\($0)" }
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
        try Data(bytes).write(to: URL(filePath: file(name)))
        return file(name)
    }

    /// The bytes of a file in the folder.
    public func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: file(name))))
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
}
