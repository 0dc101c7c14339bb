internal import Foundation

/// Real files that were misread once, in the folder that `ISOBATH_WILD` names.
public enum WildFiles {
    private static let folder: String? = ProcessInfo.processInfo.environment["ISOBATH_WILD"]

    /// Whether tests on them can run.
    public static var isAvailable: Bool { folder != nil }

    /// The path of a file.
    public static func path(_ name: String) -> String { (folder ?? "/nonexistent") + "/" + name }
}
