internal import Foundation

/// Real files in a folder that a variable of the environment names: they belong to others, and are not in the project.
public struct SampleFolder: Sendable {
    /// The variable.
    let variable: String
    /// The folder; `nil` if it is not available.
    public let folder: String?

    init(_ variable: String) {
        (self.variable, folder) = (variable, ProcessInfo.processInfo.environment[variable])
    }

    /// Whether tests on its files can run.
    public var isAvailable: Bool { folder != nil }

    /// The path of a file. Tests that write beside it use a copy.
    public func path(_ name: String) -> String { (folder ?? "/nonexistent") + "/" + name }

    /// The bytes of a file.
    public func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }

    /// The names of all files in a subfolder, with the subfolder.
    public func files(in subfolder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path(subfolder))) ?? []
        return names.sorted().map { "\(subfolder)/\($0)" }
    }

    /// Photos.
    public static let photos = SampleFolder("ISOBATH_SAMPLES")
    /// Recordings.
    public static let recordings = SampleFolder("ISOBATH_SEQUENCES")
    /// Movies of two eyes and of Cinematic mode.
    public static let movies = SampleFolder("ISOBATH_MOVIES")
    /// Crafted inputs.
    public static let attacks = SampleFolder("ISOBATH_ATTACKS")
    /// Files that caused faults once.
    public static let cases = SampleFolder("ISOBATH_CASES")
    /// Files that were misread once.
    public static let wild = SampleFolder("ISOBATH_WILD")
    /// Networks that others trained.
    public static let models = SampleFolder("ISOBATH_MODELS")

    /// All photos but the malformed ones, with their subfolders.
    public static var allPhotos: [String] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: photos.path(""))) ?? []
        return folders.sorted().filter { $0 != "malformed" }.flatMap { photos.files(in: $0) }
    }
}
