internal import Foundation

/// Movies of two eyes and of Cinematic mode, in the folder that `ISOBATH_MOVIES` names.
public enum MovieSamples {
    private static let folder: String? = ProcessInfo.processInfo.environment["ISOBATH_MOVIES"]

    /// Whether tests on them can run.
    public static var isAvailable: Bool { folder != nil }

    /// The path of a file.
    public static func path(_ name: String) -> String { (folder ?? "/nonexistent") + "/" + name }
}
