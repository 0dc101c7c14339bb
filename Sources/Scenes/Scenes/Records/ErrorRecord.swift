internal import Bytes
package import Embedded

/// The fields of an error in JSON: `code`, a stable identifier for scripts; `message`; `offset` in the file, `null` if the
/// reason has no byte offset; `where`, the enclosing structure, or an empty string.
///
/// `advice` is appended to the message. Codes are those of ``ContainerError/code``, `no-plane` for a ``SceneError`` about a
/// missing part, `not-written` for ``OutputError`` and `unsuitable` for a file that cannot be used this way.
package func errorRecord(_ error: any Error, advice: String? = nil) -> JSONValue {
    let (code, message, offset, place) =
        switch error {
        case let error as ContainerError:
            (
                error.code, error.message, error.offset,
                [error.file ?? "", error.path.description].filter { !$0.isEmpty }.joined(separator: " ")
            )
        case let error as SceneError where error.isAbsence: ("no-plane", "\(error)", nil, "")
        case is OutputError: ("not-written", bareMessage(of: error), nil, "")
        default: ("unsuitable", "\(error)", nil, "")
        }
    return .object([
        ("code", .text(code)), ("message", .text(advice.map { "\(message); \($0)" } ?? message)),
        ("offset", .optional(offset)),
        ("where", .text(place)),
    ])
}

/// The error message without the name of the input or output, for callers that prefix messages with it.
package func bareMessage(of error: any Error) -> String {
    switch error {
    case let error as ContainerError: error.detail
    case let error as OutputError: error.message
    default: "\(error)"
    }
}
