internal import Foundation

/// Files that caused faults once, in the folder that `ISOBATH_CASES` names.
public enum CaseFiles {
    private static let folder: String? = ProcessInfo.processInfo.environment["ISOBATH_CASES"]

    /// Whether tests on them can run.
    public static var isAvailable: Bool { folder != nil }

    /// The path of a file.
    public static func path(_ name: String) -> String { (folder ?? "/nonexistent") + "/" + name }
}
