internal import Foundation

/// Crafted inputs, in the folder that `ISOBATH_ATTACKS` names.
public enum AttackSamples {
    /// The folder; `nil` if it is not available.
    public static let folder: String? = ProcessInfo.processInfo.environment["ISOBATH_ATTACKS"]

    /// Whether tests on crafted inputs can run.
    public static var isAvailable: Bool { folder != nil }

    /// The path of a read-only input: tests that write beside it use a copy.
    public static func path(_ name: String) -> String { (folder ?? "/nonexistent") + "/" + name }
}
