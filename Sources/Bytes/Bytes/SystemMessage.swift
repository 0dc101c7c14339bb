internal import Glibc

/// The system's message for an error number.
package func systemMessage(_ code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}
