internal import AtomicFiles
internal import ByteParsing
package import EmbeddedFormats

/// The fields of an error in JSON: `code`, a stable word for scripts; `message`; `offset` in the file, `null` where the
/// reason is not at a byte of its own; `where`, the enclosing structure, or an empty string.
///
/// `advice` is added to the message. Codes are those of ``ContainerError/code``, `no-plane` for a ``SceneError`` where a part is missing, `not-written` for ``OutputError`` and
/// `unsuitable` for a file that cannot be used as asked.
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

/// What is wrong, without the name of the input or output: for callers that put it in front of each message.
package func bareMessage(of error: any Error) -> String {
    switch error {
    case let error as ContainerError: error.detail
    case let error as OutputError: error.message
    default: "\(error)"
    }
}
