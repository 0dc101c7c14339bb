internal import ByteParsing
public import ImageContainers

/// The fields of an error in JSON: `code`, a stable word for scripts; `message`; `offset` and `where` in the file, 0 and
/// empty where the reason lies outside it.
///
/// Codes are those of ``ContainerError/code``, `no-plane` for ``PlaneNotFound``, `not-written` for ``OutputError`` and
/// `unsuitable` for a file that cannot be used as asked.
public func errorRecord(_ error: any Error) -> JSONValue {
    let (code, message, offset, place) =
        switch error {
        case let error as ContainerError: (error.code, error.message, error.offset, error.path.description)
        case is PlaneNotFound: ("no-plane", "\(error)", 0, "")
        case is OutputError: ("not-written", "\(error)", 0, "")
        default: ("unsuitable", "\(error)", 0, "")
        }
    return .object([
        ("code", .text(code)), ("message", .text(message)), ("offset", .integer(offset)),
        ("where", .text(place)),
    ])
}
