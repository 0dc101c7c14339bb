internal import Bytes
internal import COnnxShims
internal import Glibc

/// ONNX Runtime, loaded once per process.
package enum OnnxRuntime {
    /// Loads it from a file, from the one that `ISOBATH_ONNXRUNTIME` names, from the Python environment that Isobath is
    /// installed in, or by the system's usual names. Returns its version, such as `1.28.0`.
    ///
    /// Switches off its telemetry first: see the module's README. Throws ``NetworkError/runtime(_:)``.
    @discardableResult
    package static func load(_ path: String? = nil) throws(NetworkError) -> String {
        let path = path ?? variable ?? inEnvironment
        var version = [CChar](repeating: 0, count: Int(ISOBATH_ONNX_VERSION))
        var message = [CChar](repeating: 0, count: Int(ISOBATH_ONNX_MESSAGE))
        let status =
            if let path {
                unsafe isobath_onnx_load(path, &version, &message)
            } else {
                unsafe isobath_onnx_load(nil, &version, &message)
            }
        guard status == 0 else { throw .runtime(text(message)) }
        return text(version)
    }

    /// The library of the package `onnxruntime` where Isobath's wheel is installed, too.
    private static var inEnvironment: String? {
        Installation.current.file(ofPythonPackages: "onnxruntime/capi/libonnxruntime.so.*")
    }

    /// How to get it for this installation, after the word "install".
    package static var package: String {
        switch Installation.current {
        case .clone: "it with 'Tools/install --models'"
        case .wheel: "isobath-depth[networks]"
        case .system: "libonnxruntime1.21 (Debian 13), or name another's file in ISOBATH_ONNXRUNTIME"
        case .folder, .other: "ONNX Runtime 1.16 or newer, and name its file in ISOBATH_ONNXRUNTIME"
        }
    }

    /// The same as advice after an error.
    package static var advice: String {
        let named = "ISOBATH_ONNXRUNTIME names its file"
        let onPyPI = "capi/libonnxruntime.so.* of the package onnxruntime on PyPI"
        return switch Installation.current {
        case .clone: "\(named), and 'Tools/install --models' installs it"
        case .wheel: "pip install 'isobath-depth[networks]' installs it, or \(named)"
        case .system: "Debian 13 has it as libonnxruntime1.21; elsewhere, \(named): \(onPyPI)"
        case .folder, .other: "\(named): \(onPyPI)"
        }
    }

    private static var variable: String? {
        guard let value = unsafe getenv("ISOBATH_ONNXRUNTIME") else { return nil }
        let path = unsafe String(cString: value)
        return path.isEmpty ? nil : path
    }
}

/// The text in a C buffer.
func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
