internal import Foundation

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
