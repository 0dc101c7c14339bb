internal import Foundation

/// Real recordings, in the folder that `ISOBATH_SEQUENCES` names.
public enum RecordingSamples {
    /// The folder; `nil` if it is not available.
    public static let folder: String? = ProcessInfo.processInfo.environment["ISOBATH_SEQUENCES"]

    /// Whether tests on recordings can run.
    public static var isAvailable: Bool { folder != nil }

    /// The path of a recording.
    public static func path(_ name: String) -> String { (folder ?? "/nonexistent") + "/" + name }

    /// The bytes of a file.
    public static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }
}
