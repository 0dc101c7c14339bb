internal import Foundation

/// Real networks, in the folder that `ISOBATH_MODELS` names.
public enum ModelSamples {
    /// The folder; `nil` if it is not available.
    public static let folder: String? = ProcessInfo.processInfo.environment["ISOBATH_MODELS"]

    /// Whether tests with real networks can run.
    public static var isAvailable: Bool { folder != nil && OnnxRuntimeLibrary.isAvailable }

    /// The path of a network.
    public static func path(_ name: String) -> String { (folder ?? "/nonexistent") + "/" + name }
}

/// ONNX Runtime, which `Tools/install --models` installs; tests that run networks are skipped where it is missing.
public enum OnnxRuntimeLibrary {
    /// Whether it can be loaded.
    public static let isAvailable: Bool = {
        unsafe setenv("ORT_DISABLE_TELEMETRY", "1", 1)
        let named = ProcessInfo.processInfo.environment["ISOBATH_ONNXRUNTIME"]
        guard let library = unsafe dlopen(named ?? "libonnxruntime.so.1", RTLD_LAZY | RTLD_LOCAL) else {
            return false
        }
        unsafe dlclose(library)
        return true
    }()
}
