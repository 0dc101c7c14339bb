internal import COnnxShims
internal import Glibc

/// ONNX Runtime, loaded once per process.
package enum OnnxRuntime {
    /// Loads it from a file, from the one that `ISOBATH_ONNXRUNTIME` names, or by the system's usual names. Returns its
    /// version, such as `1.28.0`.
    ///
    /// Switches off its telemetry first: see the module's README. Throws ``NetworkError/runtime(_:)``.
    @discardableResult
    package static func load(_ path: String? = nil) throws(NetworkError) -> String {
        let path = path ?? variable
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
